//! The channels that an action uses, with the used ends.

use beeline_promela::hir::{Access, ChannelQuery, ExprKind};

use super::action::EdgeAction;

/// The used end of a channel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EndUse {
    /// Receives from the channel.
    Receives,
    /// Sends to it.
    Sends,
    /// Sends with `!!`, which compares with the messages in the channel.
    Sorted,
    /// Depends on both ends, as `len` does.
    Both,
}

/// Reports each channel that an action uses, with the used end.
pub fn each_use(action: &EdgeAction, tell: &mut impl FnMut(&Access, EndUse)) {
    match action {
        EdgeAction::Send { channel, sorted, .. } => {
            tell(channel, if *sorted { EndUse::Sorted } else { EndUse::Sends });
        }
        EdgeAction::Receive { channel, .. } => tell(channel, EndUse::Receives),
        _ => {}
    }
    action.visit(&mut |expr| match &expr.kind {
        ExprKind::Channel(query, channel) => tell(
            channel,
            match query {
                ChannelQuery::NEmpty => EndUse::Receives,
                ChannelQuery::NFull => EndUse::Sends,
                ChannelQuery::Len | ChannelQuery::Empty | ChannelQuery::Full => EndUse::Both,
            },
        ),
        ExprKind::Poll { channel, .. } => tell(channel, EndUse::Both),
        _ => {}
    });
}

/// Whether an action uses channels.
pub fn uses_channels(action: &EdgeAction) -> bool {
    let mut uses = false;
    each_use(action, &mut |_, _| uses = true);
    uses
}
