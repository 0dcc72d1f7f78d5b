//! `xr` and `xs`: a process declares that it alone receives from a channel, or sends to it.
//!
//! As in SPIN, the declaration counts from the start of the process, independent of its position;
//! no process may send with `!!` to a channel with an exclusive receiver; `len`, `empty`, `full`
//! and polls use both ends, `nempty` and `nfull` one; and a rendezvous cannot be exclusive.
//! Deviation: the check depends only on the state, while SPIN records the first user in the whole
//! search: exclusivity ends with its process, and it is violated when a statement is executed, not
//! when it is tried.

use beeline_promela::hir::{Access, Exclusive, ProcessId, Root};

use super::machine::{DecodedState, Machine};
use crate::automata::{EdgeAction, EndUse, each_use};

/// A use of a channel that another process has exclusively.
#[derive(Clone, Copy, Debug)]
pub struct ExclusivityViolation<'m> {
    /// The declaration.
    pub promise: &'m Exclusive,
    /// The process of the declaration.
    pub owner: usize,
    /// The process that violates it.
    pub intruder: usize,
    /// The kind of violation.
    pub breach: ExclusivityBreach,
}

/// Kinds of violations of exclusivity.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExclusivityBreach {
    /// Another process uses the channel.
    Other,
    /// The channel is a rendezvous, which always has two sides.
    Rendezvous,
    /// A send with `!!` compares with the messages of other processes.
    Sorted,
}

/// When exclusivity is checked.
#[derive(Clone, Copy, PartialEq, Eq)]
enum When {
    Present,
    /// After all processes hold the channels that are constant for them.
    Later,
}

impl<'m> Machine<'m> {
    /// Whether the model has `xr` or `xs`.
    pub fn has_exclusives(&self) -> bool {
        !self.model.exclusives.is_empty()
    }

    /// Whether a process has the channel in this variable exclusively.
    pub fn is_promised(&self, process: ProcessId, root: Root) -> bool {
        let mut promises = self.model.exclusives.iter();
        promises.any(|promise| promise.process == process && promise.channel.root == root)
    }

    /// The first violation by an action of a process in a state.
    pub fn exclusivity_violation(
        &self,
        action: &EdgeAction,
        now: &DecodedState,
        intruder: usize,
    ) -> Option<ExclusivityViolation<'m>> {
        self.breaks(action, now, intruder, When::Present)
    }

    /// Whether an action of a process may violate exclusivity in a state, or after all processes
    /// hold the channels that are constant for them.
    pub fn may_violate_exclusivity(
        &self,
        action: &EdgeAction,
        now: &DecodedState,
        intruder: usize,
    ) -> bool {
        self.breaks(action, now, intruder, When::Later).is_some()
    }

    fn breaks(
        &self,
        action: &EdgeAction,
        now: &DecodedState,
        intruder: usize,
        when: When,
    ) -> Option<ExclusivityViolation<'m>> {
        let mut found = None;
        each_use(action, &mut |channel, end| {
            found = found.or_else(|| self.broken(channel, end, now, intruder, when));
        });
        found
    }

    /// The channel of a declaration.
    fn promised(
        &self,
        promise: &Exclusive,
        now: &DecodedState,
        owner: usize,
        when: When,
    ) -> Option<usize> {
        if let (When::Later, Root::Local(id)) = (when, promise.channel.root)
            && let Some(known) = self.local_constants().of(promise.process, id.index())
        {
            let number = usize::try_from(known.set(owner) - 1).ok()?;
            return Some(number).filter(|&number| number < now.channel_count());
        }
        self.channel_held(&promise.channel, now, owner)
    }

    fn broken(
        &self,
        access: &Access,
        end: EndUse,
        now: &DecodedState,
        intruder: usize,
        when: When,
    ) -> Option<ExclusivityViolation<'m>> {
        let channel = self.channel_held(access, now, intruder)?;
        let shared = self.channel_layout(now, channel).capacity == 0;
        let promises = (0..now.process_count()).flat_map(|owner| {
            let process = now.process(owner);
            let own = self.model.exclusives.iter().filter(move |one| one.process == process);
            own.map(move |promise| (owner, promise))
        });
        let mut promises = promises
            .filter(|(owner, promise)| self.promised(promise, now, *owner, when) == Some(channel));
        promises.find_map(|(owner, promise)| {
            let is_meant = match end {
                EndUse::Receives => !promise.sends,
                EndUse::Sends => promise.sends,
                EndUse::Sorted | EndUse::Both => true,
            };
            let breach = match end {
                _ if shared => ExclusivityBreach::Rendezvous,
                EndUse::Sorted if !promise.sends => ExclusivityBreach::Sorted,
                _ if is_meant && owner != intruder => ExclusivityBreach::Other,
                _ => return None,
            };
            Some(ExclusivityViolation { promise, owner, intruder, breach })
        })
    }
}
