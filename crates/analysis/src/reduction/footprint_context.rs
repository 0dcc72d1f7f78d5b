//! The data of the footprint analysis: its process and state, and its result.

use beeline_engine::constants::ConstantVariables;
use beeline_engine::interpreter::{DecodedState, Machine};
use beeline_promela::hir::ProcessId;

use super::access_set::{AccessSet, EnablingSet};
use super::objects::{Bits, Objects};

/// The process and state for which footprints are computed.
#[derive(Clone, Copy)]
pub(super) struct FootprintContext<'a> {
    pub(super) machine: &'a Machine<'a>,
    pub(super) constants: &'a ConstantVariables,
    pub(super) objects: Objects,
    /// Whether the model reads `_nr_pr`.
    pub(super) counts_processes: bool,
    /// Whether a failing assertion is observable. Its process continues in either case.
    pub(super) assertions_matter: bool,
    /// Whether the single guard at the entry of a `d_step` counts. A test can switch this off.
    pub(super) entries_matter: bool,
    /// Whether a compared value may depend on the number of messages.
    pub(super) counts_matter: bool,
    /// A state of the model, from which constants are read.
    pub(super) now: &'a DecodedState,
    pub(super) process: ProcessId,
    /// The number of the process; `None` for any process of its type.
    pub(super) pid: Option<usize>,
    /// Whether the process is about to move in this state, so that its first statement reads its
    /// own variables there. Otherwise only constants are known.
    pub(super) is_there: bool,
}

/// The accesses and conditions of an edge, without the edges after it.
#[derive(Clone, Debug)]
pub(super) struct Footprint {
    pub(super) access_set: AccessSet,
    /// The objects that its first statement waits for.
    pub(super) needs: EnablingSet,
    /// The objects that determine whether its first statement is enabled, in both directions.
    pub(super) asks: EnablingSet,
    /// Whether it waits until no other process can move.
    pub(super) is_timeout: bool,
    /// The channel from which its first statement receives the first message, if it matches. While
    /// there is a message, another one does not enable it.
    pub(super) picks: Option<usize>,
    /// The tails of the rendezvous in which it may send, and in which its first statement may
    /// receive.
    pub(super) hands: Bits,
    pub(super) takes: Bits,
    /// Whether its first statement can only send, or only receive, in a rendezvous.
    pub(super) only_hands: bool,
    pub(super) only_takes: bool,
}

/// The position of an edge in a transition.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum EdgePosition {
    /// The first edge of a transition: it is taken only if it is enabled.
    First,
    /// After another edge: if it is disabled, another step is taken.
    Later,
}

/// One end of a channel, or both.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum ChannelEnd {
    Head,
    Tail,
    Both,
}

/// The wanted truth of an expression.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Wanted {
    Yes,
    No,
    /// Any change matters.
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
