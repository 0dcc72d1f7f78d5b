//! An edge of a process instance, with its accesses and conditions.

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
    /// Its accesses,
    pub(super) own: AccessSet,
    /// and those together with the processes that it starts.
    pub(super) whole: AccessSet,
    /// The objects that may enable it while it is disabled, if all of its conditions are true.
    pub(super) needs: EnablingSet,
    pub(super) conditions: Vec<EnablingCondition>,
    /// Whether it waits until no other process can move.
    pub(super) is_timeout: bool,
    /// The rendezvous in which it sends, and in which its first statement receives.
    pub(super) hands: Bits,
    pub(super) takes: Bits,
    /// Whether it may change what a property observes.
    pub(super) is_visible: bool,
    /// Whether it is a back edge of the process: every cycle of the process has one.
    pub(super) goes_back: bool,
}
