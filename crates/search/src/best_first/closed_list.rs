//! The interface between best-first search and the states it has generated.
//!
//! `StoredStates` keeps all of them, so that a closed state can be reopened. `HashedStates` keeps
//! the open ones, and a hash of the closed ones.

use beeline_kernel::{Cost, Estimate, Expansion, StateId, StatePath};

use crate::limits::Outcome;
use crate::nodes::SearchNode;
use crate::query::SearchQuery;
use crate::reduction::{ChosenSets, SuccessorStatus};
use crate::stats::Stats;
use crate::visited::Omissions;

/// Status of a successor of the current state in the closed list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reached {
    /// It was not generated before. The number is its position among the new successors.
    New(usize),
    /// It is open, or closed and can be reopened.
    Known(StateId),
    /// It is closed and cannot be reopened.
    Closed,
}

/// What follows when no state is open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RunEnd {
    /// The search ends.
    Over(Outcome),
    /// The search starts again with the initial state.
    Restarted,
}

/// A new successor of the current state.
#[derive(Clone, Copy, Debug)]
pub struct NewSuccessor<'e> {
    /// The state.
    pub state: &'e [u8],
    /// Its node.
    pub node: SearchNode,
    /// The number of the transition to it.
    pub at: usize,
    /// Its number among the new successors.
    pub number: usize,
}

/// The states that a best-first search has generated, with their nodes.
///
/// One state at a time is expanded, the current one. Its successors have the id that
/// [`begin`](ClosedList::begin) returns as their parent.
pub trait ClosedList {
    /// The name of best-first search with this closed list.
    const NAME: &'static str;
    /// Whether lookups of closed states are exact: none is missed, and no other state matches.
    const IS_EXACT: bool;

    /// The initial state.
    fn initial(&mut self) -> &[u8];

    /// Adds the initial state. Returns its id if it is to be expanded.
    fn open_initial(&mut self, estimate: Estimate, is_dead_end: bool) -> Option<StateId>;

    /// The node of an open state, or of a closed one that can be reopened.
    fn node(&self, id: StateId) -> SearchNode;

    /// The estimate of the tie breaker.
    fn tie(&self, id: StateId) -> u32;

    /// Prefetches a state that is likely to be expanded next.
    fn prefetch(&self, id: StateId);

    /// Makes the state of an entry of the open list the current one, unless it is closed or the
    /// entry is outdated: not `is_current`.
    fn fetch(
        &mut self,
        id: StateId,
        is_current: impl FnOnce(SearchNode) -> bool,
    ) -> Option<SearchNode>;

    /// The current state.
    fn state(&mut self) -> &[u8];

    /// Whether the current state is the initial one.
    fn is_initial(&self) -> bool;

    /// Replaces the node of the current state.
    fn update(&mut self, node: SearchNode);

    /// Begins the expansion of the current state, and returns its id as a parent. `None` if the
    /// memory limit is reached.
    fn begin(&mut self, node: SearchNode, query: &SearchQuery<'_>) -> Option<StateId>;

    /// Closes the current state: all its successors are known.
    fn close(&mut self, node: SearchNode);

    /// Reopens the current state: not all of its successors were tested for the target.
    fn reopen(&mut self, node: SearchNode);

    /// The status of a successor of the current state, for a reduction.
    fn status(&mut self, successor: &[u8], chosen_sets: &ChosenSets) -> SuccessorStatus;

    /// The cost of a transition.
    fn cost(&self, expansion: &Expansion, at: usize) -> u32;

    /// Finds the new states among the successors of the current state, by their transitions.
    /// Returns whether there was room for them.
    fn generate(&mut self, expansion: &Expansion, new: &mut Vec<usize>, stats: &mut Stats) -> bool;

    /// Whether there is a tie breaker.
    fn has_tie_breaker(&self) -> bool;

    /// Estimates the new successors by the tie breaker. `estimates` is scratch memory.
    fn estimate_ties(&mut self, new: &Expansion, estimates: &mut Vec<Estimate>);

    /// Records the nodes of the new successors, in their order.
    fn record(&mut self, nodes: impl Iterator<Item = SearchNode>);

    /// Looks up a successor of the current state. Each is looked up once.
    fn reached(&mut self, expansion: &Expansion, at: usize, stats: &mut Stats) -> Reached;

    /// The id of a new successor that is about to be pushed to the open list. `None` if there is
    /// no room.
    fn open(&mut self, successor: NewSuccessor<'_>, stats: &mut Stats) -> Option<StateId>;

    /// Like [`open`](ClosedList::open) for a successor that is not pushed. Returns its id if the
    /// list keeps such states.
    fn leave_out(&mut self, successor: NewSuccessor<'_>, is_too_deep: bool) -> Option<StateId>;

    /// Replaces the node of a known state that a transition of the current state reaches at less
    /// cost. `is_pushed` says whether the open list gets another entry for it.
    fn improve(&mut self, id: StateId, node: SearchNode, at: usize, is_pushed: bool);

    /// Replaces the node of an open state by one with another estimate. The path to the state stays.
    /// `is_pushed` says whether the open list gets another entry for it.
    fn rank_again(&mut self, id: StateId, node: SearchNode, is_pushed: bool);

    /// Loads a state that was expanded with this id as a parent.
    fn load(&mut self, parent: StateId, state: &mut Vec<u8>);

    /// The path to a state that was expanded with this id as a parent.
    fn path(&mut self, parent: StateId) -> StatePath;

    /// The path to a state that was opened or left out just now.
    fn path_to_new(&mut self, id: StateId) -> StatePath;

    /// The states that are kept and not closed. Empty if pruned states are not kept.
    fn unexpanded(&self) -> impl Iterator<Item = (StateId, SearchNode)>;

    /// The least finite estimate of any state, and the path to that state, if estimates are kept.
    fn nearest(&self) -> Option<(Cost, StatePath)>;

    /// Ends a run when no state is open. `is_cut` says whether an unexpanded state is beyond the
    /// limits.
    fn end_run(&mut self, is_cut: bool) -> RunEnd;

    /// The counters, with those of the list.
    fn stats(&self, stats: Stats) -> Stats;

    /// Memory held.
    fn bytes(&self) -> usize;

    /// The states that were probably overlooked; `None` if the list is exact.
    fn omissions(&self) -> Option<Omissions>;
}
