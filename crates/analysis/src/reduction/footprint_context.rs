//! The data of the footprint analysis: the process and state that it is about, and its result.

use beeline_engine::constants::ConstantVariables;
use beeline_engine::interpreter::{DecodedState, Machine};
use beeline_promela::hir::ProcessId;

use super::access_set::{AccessSet, EnablingSet};
use super::objects::{Bits, Objects};

/// A process whose footprints are looked for.
#[derive(Clone, Copy)]
pub(super) struct FootprintContext<'a> {
    pub(super) machine: &'a Machine<'a>,
    pub(super) constants: &'a ConstantVariables,
    pub(super) objects: Objects,
    /// `_nr_pr` is asked for somewhere.
    pub(super) counts_processes: bool,
    /// It matters whether an assertion fails. Its process goes on either way.
    pub(super) heeds_assertions: bool,
    /// The only guard at the entry of a `d_step` counts, unless someone tests whether it does.
    pub(super) heeds_entries: bool,
    /// It counts that the value wanted depends on how many messages there are.
    pub(super) heeds_counts: bool,
    /// A state of the model. What never changes is read there.
    pub(super) now: &'a DecodedState,
    pub(super) process: ProcessId,
    /// Which process it is there; `None` for any of its type.
    pub(super) pid: Option<usize>,
    /// It is about to move in that state, so that its first statement finds its own variables as
    /// they are there. Otherwise only those are known that never change.
    pub(super) is_there: bool,
}

/// What an edge touches and waits for, without what follows it.
#[derive(Clone, Debug)]
pub(super) struct Footprint {
    pub(super) access_set: AccessSet,
    /// What its first statement waits for.
    pub(super) needs: EnablingSet,
    /// What decides whether its first statement is possible, for someone who wants it to be
    /// and for someone who does not.
    pub(super) asks: EnablingSet,
    /// It waits until nobody else can move.
    pub(super) is_timeout: bool,
    /// The channel of which its first statement takes the first message, if that is one that it
    /// wants. While there is a message, another one does not help.
    pub(super) picks: Option<usize>,
    /// The tails of the rendezvous over which it may hand a message over, and from which its
    /// first statement may take one.
    pub(super) hands: Bits,
    pub(super) takes: Bits,
    /// Its first statement can do nothing but hand a message over, or take one that is.
    pub(super) only_hands: bool,
    pub(super) only_takes: bool,
}

/// Where an edge stands.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum EdgePosition {
    /// At the begin of a way: if it is not possible, it does not happen.
    First,
    /// Behind another edge: if it is not possible, something else happens.
    Later,
}

/// One end of a channel, or both.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum ChannelEnd {
    Head,
    Tail,
    Both,
}

/// Whether it is wanted that an expression is true.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Wanted {
    Yes,
    No,
    /// Whatever it is, it should stay so.
    Either,
}

impl Wanted {
    pub(super) fn inverted(self) -> Wanted {
        match self {
            Wanted::Yes => Wanted::No,
            Wanted::No => Wanted::Yes,
            Wanted::Either => Wanted::Either,
        }
    }
}
