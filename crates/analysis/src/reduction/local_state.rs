//! Where a process is, with all that is known about it there: found once, and looked up for every
//! process of every state.

use super::edge_set::Edges;
use super::instance_edge::InstanceEdge;
use super::interner::RecordInterner;
use super::necessary_enabling::AwaitedCondition;

/// A process of an `Instance` at a location, with what its own variables decide there.
pub(super) struct LocalState {
    pub(super) instance: usize,
    /// What it can try there, and the number of the first of it among all edges.
    pub(super) moves: Vec<InstanceEdge>,
    pub(super) start: usize,
    /// The same, as questions.
    pub(super) asked: Vec<EdgeQueries>,
    /// By edge there: the other edges there after which the process may return to it.
    pub(super) around: Vec<Edges>,
    /// These edges, and all others to which it may come from there.
    pub(super) later: Edges,
    /// The tests that it may depend on, there and later: about ends of channels, and others.
    pub(super) ends: Vec<u32>,
    pub(super) values: Vec<u32>,
}

/// The places of a process at a location.
pub(super) struct LocalStates {
    /// By what its variables decide.
    pub(super) places: RecordInterner,
    /// Whatever they decide.
    pub(super) general: Option<u32>,
}

/// What an edge means for others, as numbers of questions.
pub(super) struct EdgeQueries {
    /// The dependent edges; `None` if there are none.
    pub(super) clash: Option<u32>,
    /// Who helps it, if all its conditions are true?
    pub(super) help: u32,
    /// Its conditions.
    pub(super) conditions: Vec<AwaitedCondition>,
    /// The receivers in its rendezvous.
    pub(super) meet: Option<u32>,
}
