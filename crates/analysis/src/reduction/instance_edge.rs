//! An edge of a process instance, with what it accesses and waits for.

use beeline_engine::automata::{EdgeId, Location};

use super::access_set::{AccessSet, EnablingSet};
use super::necessary_enabling::EnablingCondition;
use super::objects::Bits;

/// An edge of a process, with all edges that follow it in the same transition.
#[derive(Clone, Debug)]
pub(super) struct InstanceEdge {
    pub(super) id: EdgeId,
    pub(super) from: Location,
    pub(super) to: Location,
    /// What it accesses,
    pub(super) own: AccessSet,
    /// and the same with the processes that it starts.
    pub(super) whole: AccessSet,
    /// What may enable it while it is disabled, if all of its conditions are true.
    pub(super) needs: EnablingSet,
    pub(super) conditions: Vec<EnablingCondition>,
    /// It waits until no other process can move.
    pub(super) is_timeout: bool,
    /// The rendezvous in which it sends, and in which its first statement receives.
    pub(super) hands: Bits,
    pub(super) takes: Bits,
    /// It may change what a property observes.
    pub(super) is_visible: bool,
    /// It goes back in the process: every cycle of the process has such an edge.
    pub(super) goes_back: bool,
}
