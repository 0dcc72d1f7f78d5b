//! Channels: sends, receives, queries.

use beeline_kernel::FaultKind;
use beeline_promela::hir::{Access, ChannelQuery, Expr, RecvArg};

use super::eval::EvalContext;
use super::machine::{DecodedState, Machine};
use crate::layout::ChannelLayout;

impl Machine<'_> {
    /// The channel that a variable holds, from 0.
    pub(super) fn channel_of(
        &self,
        access: &Access,
        now: &DecodedState,
        context: EvalContext,
    ) -> Result<Option<usize>, FaultKind> {
        let number = self.read(access, now, context)?;
        Ok(usize::try_from(number - 1).ok().filter(|&channel| channel < now.records.channels.len()))
    }

    #[inline]
    pub(super) fn channel_layout(&self, now: &DecodedState, channel: usize) -> &ChannelLayout {
        &self.layout.channels[now.records.channels[channel].declaration]
    }

    pub(super) fn channel_query(
        &self,
        query: ChannelQuery,
        access: &Access,
        now: &DecodedState,
        context: EvalContext,
    ) -> Result<i32, FaultKind> {
        let Some(channel) = self.channel_of(access, now, context)? else {
            return Err(FaultKind::NoChannel);
        };
        let length = now.channel_length(channel);
        // A rendezvous has room for the message that is being passed on.
        let capacity = self.channel_layout(now, channel).capacity.max(1);
        Ok(match query {
            ChannelQuery::Len => length as i32,
            ChannelQuery::Full => i32::from(length == capacity),
            ChannelQuery::NFull => i32::from(length != capacity),
            ChannelQuery::Empty => i32::from(length == 0),
            ChannelQuery::NEmpty => i32::from(length != 0),
        })
    }

    /// The values of a message, truncated to the channel's types and, for a lost message, padded
    /// with zeros.
    pub(super) fn message(
        &self,
        channel: usize,
        args: &[Expr],
        now: &DecodedState,
        context: EvalContext,
    ) -> Result<Vec<i32>, FaultKind> {
        let layout = self.channel_layout(now, channel);
        let mut message = Vec::with_capacity(layout.fields.len());
        for (at, field) in layout.fields.iter().enumerate() {
            let value = match args.get(at) {
                Some(arg) => self.eval(arg, now, context)?,
                None => 0,
            };
            message.push(field.truncate(value));
        }
        Ok(message)
    }

    pub(super) fn load(&self, now: &DecodedState, channel: usize, slot: usize) -> Vec<i32> {
        let layout = self.channel_layout(now, channel);
        let mut at = now.messages_at(channel) + slot * layout.message;
        let mut message = Vec::with_capacity(layout.fields.len());
        for field in &layout.fields {
            message.push(field.read(&now.bytes, at));
            at += field.size();
        }
        message
    }

    fn store(&self, now: &mut DecodedState, channel: usize, slot: usize, message: &[i32]) {
        let layout = self.channel_layout(now, channel).clone();
        let mut at = now.messages_at(channel) + slot * layout.message;
        for (field, &value) in layout.fields.iter().zip(message) {
            field.write(&mut now.bytes, at, value);
            at += field.size();
        }
    }

    /// Inserts a message, before the first larger one if `sorted`; returns its slot.
    pub(super) fn insert(
        &self,
        now: &mut DecodedState,
        channel: usize,
        message: &[i32],
        sorted: bool,
    ) -> usize {
        let length = now.channel_length(channel);
        let slot = if sorted {
            (0..length).find(|&slot| self.load(now, channel, slot).as_slice() > message)
        } else {
            None
        };
        let slot = slot.unwrap_or(length);
        let size = self.channel_layout(now, channel).message;
        let first = now.messages_at(channel);
        now.bytes
            .copy_within(first + slot * size..first + length * size, first + (slot + 1) * size);
        self.store(now, channel, slot, message);
        now.bytes[first - 1] = length as u8 + 1;
        slot
    }

    /// Removes a message and closes the gap.
    pub(super) fn remove(&self, now: &mut DecodedState, channel: usize, slot: usize) {
        let length = now.channel_length(channel);
        let size = self.channel_layout(now, channel).message;
        let first = now.messages_at(channel);
        let end = first + length * size;
        now.bytes.copy_within(first + (slot + 1) * size..end, first + slot * size);
        now.bytes[end - size..end].fill(0);
        now.bytes[first - 1] = length as u8 - 1;
    }

    /// Whether a message matches a receive. More fields than the message has are a fault, unless an
    /// earlier field differs.
    pub(super) fn matches(
        &self,
        message: &[i32],
        args: &[RecvArg],
        now: &DecodedState,
        context: EvalContext,
    ) -> Result<bool, FaultKind> {
        for (arg, &there) in args.iter().zip(message) {
            let wanted = match arg {
                RecvArg::Store(_) => continue,
                RecvArg::Match(value) | RecvArg::Eval(value) => self.eval(value, now, context)?,
            };
            if there != wanted {
                return Ok(false);
            }
        }
        if args.len() > message.len() { Err(FaultKind::Fields) } else { Ok(true) }
    }

    /// The slot that a receive takes.
    pub(super) fn find(
        &self,
        channel: usize,
        random: bool,
        args: &[RecvArg],
        now: &DecodedState,
        context: EvalContext,
    ) -> Result<Option<usize>, FaultKind> {
        let length = now.channel_length(channel);
        let candidates = if random { length } else { length.min(1) };
        for slot in 0..candidates {
            if self.matches(&self.load(now, channel, slot), args, now, context)? {
                return Ok(Some(slot));
            }
        }
        Ok(None)
    }

    pub(super) fn poll(
        &self,
        access: &Access,
        random: bool,
        args: &[RecvArg],
        now: &DecodedState,
        context: EvalContext,
    ) -> Result<bool, FaultKind> {
        let channel = self.channel_of(access, now, context)?.ok_or(FaultKind::NoChannel)?;
        // A rendezvous channel holds no messages.
        let may_hold = self.channel_layout(now, channel).capacity > 0;
        Ok(may_hold && self.find(channel, random, args, now, context)?.is_some())
    }

    /// Stores the fields of a message in the receiver's variables.
    pub(super) fn deliver(
        &self,
        message: &[i32],
        args: &[RecvArg],
        now: &mut DecodedState,
        context: EvalContext,
    ) -> Result<(), FaultKind> {
        for (arg, &value) in args.iter().zip(message) {
            if let RecvArg::Store(access) = arg {
                self.write(access, value, now, context)?;
            }
        }
        Ok(())
    }
}
