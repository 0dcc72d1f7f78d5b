//! Local states: a process at a location, with the values that matter there. Computed once, and
//! looked up for every process of every state.

use super::edge_set::Edges;
use super::instance_edge::InstanceEdge;
use super::interner::RecordInterner;
use super::necessary_enabling::AwaitedCondition;

/// A process of an `Instance` at a location, with what its own variables decide there.
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
    /// The tests that it may depend on, there and later: about ends of channels, and others.
    pub(super) ends: Vec<u32>,
    pub(super) values: Vec<u32>,
}

/// The local states of a process at a location.
pub(super) struct LocalStates {
    /// By what its variables decide.
    pub(super) places: RecordInterner,
    /// Whatever they decide.
    pub(super) general: Option<u32>,
}

/// What an edge means for others, as numbers of queries.
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
