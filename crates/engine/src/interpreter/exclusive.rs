//! `xr` and `xs`: a process says that it alone receives from a channel, or sends to it.
//!
//! As in SPIN, the promise counts from the start of the process, wherever it is written;
//! nobody may send with `!!` what is received alone; `len`, `empty`, `full` and polls look at
//! both ends, `nempty` and `nfull` at one; and a rendezvous cannot be had alone. In two things it depends on
//! nothing but the state here, where SPIN remembers who was first in the whole search: a promise
//! ends with its process, and it is broken when a statement is executed, not when it is tried.

use beeline_promela::hir::{Access, Exclusive, ProcessId, Root};

use super::machine::{DecodedState, Machine};
use crate::automata::{EdgeAction, EndUse, each_use};

/// A use of a channel that somebody else has alone.
#[derive(Clone, Copy, Debug)]
pub struct ExclusivityViolation<'m> {
    /// The promise.
    pub promise: &'m Exclusive,
    /// The process that gave it.
    pub owner: usize,
    /// The process that breaks it.
    pub intruder: usize,
    /// How.
    pub breach: ExclusivityBreach,
}

/// How a promise is broken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExclusivityBreach {
    /// Somebody else uses the channel.
    Other,
    /// The channel is a rendezvous, which always has two sides.
    Rendezvous,
    /// Who sends with `!!` looks at what was sent before, whoever it is.
    Sorted,
}

/// When promises are looked at.
#[derive(Clone, Copy, PartialEq, Eq)]
enum When {
    Present,
    /// All processes have got to know the channels that are settled for them.
    Later,
}

impl<'m> Machine<'m> {
    /// Whether there are promises that could be broken.
    pub fn has_exclusives(&self) -> bool {
        !self.model.exclusives.is_empty()
    }

    /// Whether a process promises something about the channel in this variable.
    pub fn is_promised(&self, process: ProcessId, root: Root) -> bool {
        let mut promises = self.model.exclusives.iter();
        promises.any(|promise| promise.process == process && promise.channel.root == root)
    }

    /// The first promise that an action of a process breaks in a state.
    pub fn exclusivity_violation(
        &self,
        action: &EdgeAction,
        now: &DecodedState,
        intruder: usize,
    ) -> Option<ExclusivityViolation<'m>> {
        self.breaks(action, now, intruder, When::Present)
    }

    /// Whether an action of a process may break a promise in a state, or once processes have got
    /// to know the channels that are settled for them.
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

    /// The channel that a promise is about.
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
