//! The offsets of the fields of the context, for compiled code.

use std::mem::offset_of;

use beeline_kernel::StepLabel;

use super::Context;

pub(crate) const PROCESSES: i32 = offset_of!(Context, processes) as i32;
pub(crate) const CHANNELS: i32 = offset_of!(Context, channels) as i32;
pub(crate) const KINDS: i32 = offset_of!(Context, kinds) as i32;
pub(crate) const TYPES: i32 = offset_of!(Context, types) as i32;
pub(crate) const VALUES: i32 = offset_of!(Context, values) as i32;
pub(crate) const MESSAGE: i32 = offset_of!(Context, message) as i32;
pub(crate) const MESSAGE_LENGTH: i32 = offset_of!(Context, message_length) as i32;
pub(crate) const OFFERED: i32 = offset_of!(Context, offered) as i32;
pub(crate) const PRIORITY: i32 = offset_of!(Context, priority) as i32;
pub(crate) const EVENT_LENGTH: i32 = offset_of!(Context, event_length) as i32;
pub(crate) const SENDER: i32 = offset_of!(Context, sender) as i32;
pub(crate) const SENDER_SITE: i32 = SENDER + offset_of!(StepLabel, edge) as i32;
pub(crate) const TIMEOUT: i32 = offset_of!(Context, timeout) as i32;
pub(crate) const FAULT: i32 = offset_of!(Context, fault) as i32;
pub(crate) const HIDDEN: i32 = offset_of!(Context, hidden) as i32;
pub(crate) const LAPS: i32 = offset_of!(Context, laps) as i32;
pub(crate) const LENGTH: i32 = offset_of!(Context, length) as i32;
pub(crate) const BASE: i32 = offset_of!(Context, base) as i32;
pub(crate) const OUT: i32 = offset_of!(Context, out) as i32;
pub(crate) const LIMIT: i32 = offset_of!(Context, limit) as i32;
pub(crate) const NEXT_WAY: i32 = offset_of!(Context, next_way) as i32;
pub(crate) const NEXT_LENGTH: i32 = offset_of!(Context, next_length) as i32;
