//! The nodes of best-first search: for each stored state its cost so far, its parent and its
//! estimate. Twelve bytes each.

use beeline_kernel::{Cost, Estimate, StateId};

use crate::store::chunked_vec::ChunkedVec;

/// The greatest estimate. Greater ones are reduced to it.
const MOST: u32 = DEAD_END - 1;
const DEAD_END: u32 = CLOSED - 1;
/// Set in `h` when the state was expanded at its present cost.
const CLOSED: u32 = 1 << 31;

/// A node of the search: path and estimate of a state.
#[derive(Clone, Copy, Debug)]
pub struct SearchNode {
    /// The cost of the best path so far.
    pub(crate) g: u32,
    /// The previous state on that path; the initial state is its own parent.
    pub(crate) parent: StateId,
    h: u32,
}

impl SearchNode {
    /// The node of an open state.
    #[inline]
    pub(crate) fn new(g: u32, parent: StateId, estimate: Estimate) -> SearchNode {
        let h = match estimate {
            Estimate::Finite(cost) => cost.0.min(MOST),
            Estimate::DeadEnd => DEAD_END,
        };
        SearchNode { g, parent, h }
    }

    /// The estimate of the remaining cost.
    #[inline]
    pub(crate) fn estimate(self) -> Estimate {
        match self.h & !CLOSED {
            DEAD_END => Estimate::DeadEnd,
            h => Estimate::Finite(Cost(h)),
        }
    }

    /// Whether it was expanded at its present cost.
    #[inline]
    pub(crate) fn is_closed(self) -> bool {
        self.h & CLOSED != 0
    }

    /// The same node, closed.
    #[inline]
    pub(crate) fn closed(self) -> SearchNode {
        SearchNode { h: self.h | CLOSED, ..self }
    }

    /// The same node, open, perhaps again.
    #[inline]
    pub(crate) fn opened(self) -> SearchNode {
        SearchNode { h: self.h & !CLOSED, ..self }
    }

    /// The same node on another path.
    #[inline]
    pub(crate) fn moved(self, g: u32, parent: StateId) -> SearchNode {
        SearchNode { g, parent, ..self }
    }
}

/// The nodes of all stored states.
#[derive(Clone, Debug)]
pub(crate) struct Nodes(ChunkedVec<SearchNode>);

impl Nodes {
    /// No nodes.
    pub(crate) fn new() -> Nodes {
        Nodes(ChunkedVec::new())
    }

    /// Adds the node of the state with the next id.
    #[inline]
    pub(crate) fn push(&mut self, node: SearchNode) {
        self.0.push(node);
    }

    /// The node of a state.
    #[inline]
    pub(crate) fn at(&self, id: StateId) -> SearchNode {
        self.0.at(id.index())
    }

    /// Prefetches the node of a state.
    #[inline]
    pub(crate) fn prefetch(&self, id: StateId) {
        self.0.prefetch(id.index());
    }

    /// Replaces the node of a state.
    #[inline]
    pub(crate) fn set(&mut self, id: StateId, node: SearchNode) {
        self.0.set(id.index(), node);
    }

    /// The number of nodes.
    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    /// All nodes.
    pub(crate) fn iter(&self) -> impl Iterator<Item = SearchNode> {
        (0..self.0.len()).map(|index| self.0.at(index))
    }

    /// The states from the initial one to this one, both included.
    pub(crate) fn path_to(&self, state: StateId) -> Vec<StateId> {
        let mut path = vec![state];
        let mut child = state;
        while self.at(child).parent != child {
            child = self.at(child).parent;
            path.push(child);
        }
        path.reverse();
        path
    }

    /// Memory held.
    #[inline]
    pub(crate) fn bytes(&self) -> usize {
        self.0.bytes()
    }
}
