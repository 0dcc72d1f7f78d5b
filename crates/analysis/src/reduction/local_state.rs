//! Local states: a process at a location, with its relevant values. Computed once, and looked up
//! for every process of every state.

use super::edge_set::Edges;
use super::instance_edge::InstanceEdge;
use super::interner::RecordInterner;
use super::necessary_enabling::AwaitedCondition;

/// A process of an `Instance` at a location, with the values of its relevant variables.
pub(super) struct LocalState {
    pub(super) instance: usize,
    /// Its edges there, and the number of the first one among all edges.
    pub(super) moves: Vec<InstanceEdge>,
    pub(super) start: usize,
    /// The same, as queries.
    pub(super) asked: Vec<EdgeQueries>,
    /// By edge there: the other edges there after which the process may return to it.
    pub(super) around: Vec<Edges>,
    /// These edges, and all edges reachable from there.
    pub(super) later: Edges,
    /// The tests that it may depend on, there and later: of ends of channels, and others.
    pub(super) ends: Vec<u32>,
    pub(super) values: Vec<u32>,
}

/// The local states of a process at a location.
pub(super) struct LocalStates {
    /// By the values of the relevant variables.
    pub(super) places: RecordInterner,
    /// The local state for any values.
    pub(super) general: Option<u32>,
}

/// The queries of an edge, as numbers.
pub(super) struct EdgeQueries {
    /// The dependent edges; `None` if there are none.
    pub(super) clash: Option<u32>,
    /// The edges that may enable it, if all its conditions are true.
    pub(super) help: u32,
    /// Its conditions.
    pub(super) conditions: Vec<AwaitedCondition>,
    /// The receivers in its rendezvous.
    pub(super) meet: Option<u32>,
}
