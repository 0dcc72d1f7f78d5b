//! What a best-first search knows about each stored state: the cheapest way to it so
//! far, where that comes from, and the estimate. Twelve bytes each.

use beeline_kernel::{Cost, Estimate, StateId};

use crate::store::chunked_vec::ChunkedVec;

/// The greatest estimate that is told apart. Greater ones, of which the sum with any cost
/// would be absurd, count as this.
const MOST: u32 = DEAD_END - 1;
const DEAD_END: u32 = CLOSED - 1;
/// Set in `h` when the state was expanded at its present cost.
const CLOSED: u32 = 1 << 31;

/// A state.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Node {
    /// What the way to it costs.
    pub(crate) g: u32,
    /// The state before it on that way; the initial state names itself.
    pub(crate) parent: StateId,
    h: u32,
}

impl Node {
    /// A state that waits.
    #[inline]
    pub(crate) fn new(g: u32, parent: StateId, estimate: Estimate) -> Node {
        let h = match estimate {
            Estimate::Finite(cost) => cost.0.min(MOST),
            Estimate::DeadEnd => DEAD_END,
        };
        Node { g, parent, h }
    }

    /// What is left, as far as anyone knows.
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

    /// The same, expanded.
    #[inline]
    pub(crate) fn closed(self) -> Node {
        Node { h: self.h | CLOSED, ..self }
    }

    /// The same, to be expanded, perhaps again.
    #[inline]
    pub(crate) fn opened(self) -> Node {
        Node { h: self.h & !CLOSED, ..self }
    }

    /// The same on another way.
    #[inline]
    pub(crate) fn moved(self, g: u32, parent: StateId) -> Node {
        Node { g, parent, ..self }
    }
}

/// One for each stored state.
#[derive(Clone, Debug)]
pub(crate) struct Nodes(ChunkedVec<Node>);

impl Nodes {
    /// None.
    pub(crate) fn new() -> Nodes {
        Nodes(ChunkedVec::new())
    }

    /// Adds that of the state with the next id.
    #[inline]
    pub(crate) fn push(&mut self, node: Node) {
        self.0.push(node);
    }

    /// That of a state.
    #[inline]
    pub(crate) fn at(&self, id: StateId) -> Node {
        self.0.at(id.index())
    }

    /// That of this state will be asked for soon.
    #[inline]
    pub(crate) fn prefetch(&self, id: StateId) {
        self.0.prefetch(id.index());
    }

    /// Replaces that of a state.
    #[inline]
    pub(crate) fn set(&mut self, id: StateId, node: Node) {
        self.0.set(id.index(), node);
    }

    /// How many there are.
    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    /// All of them.
    pub(crate) fn iter(&self) -> impl Iterator<Item = Node> {
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
