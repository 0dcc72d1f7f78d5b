//! The frontier of an exploration: the open states. Their order is the only difference between
//! blind searches, so there is one loop, and a frontier for each order.

mod breadth;
mod depth;

use beeline_kernel::StateId;

use crate::reduction::{CycleCondition, SuccessorStatus};
use crate::search_tree::SearchTree;
use breadth::LayerCursor;
use depth::Stack;

/// The order in which states are expanded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ExplorationOrder {
    /// In layers of equal distance from the initial state.
    #[default]
    Breadth,
    /// As in SPIN: the first successor with all its descendants, then the second, unless it was
    /// expanded by then.
    Depth,
    /// Depth-first, with the successors of each state in random order.
    RandomDepth {
        /// Equal seeds give equal searches.
        seed: u64,
    },
}

/// A state taken from the frontier.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct FrontierEntry {
    pub(crate) id: StateId,
    /// Transitions from the initial state, on the path taken.
    pub(crate) depth: u32,
}

/// The open states. Each state is taken once.
#[derive(Clone, Debug)]
pub(crate) enum Frontier {
    Breadth(LayerCursor),
    Depth(Stack),
}

impl Frontier {
    /// Only the initial state is open. No state deeper than `limit` is taken.
    pub(crate) fn new(order: ExplorationOrder, initial: StateId, limit: u32) -> Frontier {
        match order {
            ExplorationOrder::Breadth => Frontier::Breadth(LayerCursor::new(limit)),
            ExplorationOrder::Depth => Frontier::Depth(Stack::new(initial, limit, None)),
            ExplorationOrder::RandomDepth { seed } => {
                Frontier::Depth(Stack::new(initial, limit, Some(seed)))
            }
        }
    }

    /// The next state; `stored` is the number of stored states. Updates its parent in the tree.
    #[inline]
    pub(crate) fn pop(&mut self, stored: usize, tree: &mut SearchTree) -> Option<FrontierEntry> {
        match self {
            Frontier::Breadth(layers) => layers.pop(stored),
            Frontier::Depth(stack) => stack.pop(tree),
        }
    }

    /// A state that may be expanded before the successors of the previously popped ones are known:
    /// in breadth-first order, one of the same layer.
    #[inline]
    pub(crate) fn pop_beside(&mut self) -> Option<FrontierEntry> {
        match self {
            Frontier::Breadth(layers) => layers.pop_beside(),
            Frontier::Depth(_) => None,
        }
    }

    /// Whether successors have to be pushed. In breadth-first order, storing them is enough.
    #[inline]
    pub(crate) fn wants_successors(&self) -> bool {
        matches!(self, Frontier::Depth(_))
    }

    /// Adds the successors of an expanded state, new or not, in order.
    #[inline]
    pub(crate) fn push(&mut self, from: FrontierEntry, successors: &[StateId]) {
        match self {
            Frontier::Breadth(_) => {}
            Frontier::Depth(stack) => stack.push(from, successors),
        }
    }

    /// Whether the next state is always the first successor that was not expanded.
    pub(crate) fn is_plain_stack(&self) -> bool {
        matches!(self, Frontier::Depth(stack) if stack.is_plain())
    }

    /// Whether a state is no deeper than those that are taken now, as far as the order promises
    /// shortest paths.
    #[inline]
    pub(crate) fn is_no_later(&self, id: StateId) -> bool {
        match self {
            Frontier::Breadth(layers) => layers.has_reached(id),
            Frontier::Depth(_) => true,
        }
    }

    /// Whether a state was expanded.
    #[inline]
    pub(crate) fn has_expanded(&self, id: StateId) -> bool {
        match self {
            Frontier::Breadth(_) => false,
            Frontier::Depth(stack) => stack.has_expanded(id),
        }
    }

    /// Marks the first unexpanded successor as expanded before its siblings are pushed, and updates
    /// its parent in the tree.
    #[inline]
    pub(crate) fn go_down(
        &mut self,
        from: FrontierEntry,
        id: StateId,
        tree: &mut SearchTree,
    ) -> FrontierEntry {
        if let Frontier::Depth(stack) = self {
            stack.go_down(id);
        }
        tree.set(id, from.id);
        FrontierEntry { id, depth: from.depth + 1 }
    }

    /// The cycle conditions that suit this order.
    pub(crate) fn conditions(&self) -> &'static [CycleCondition] {
        match self {
            Frontier::Breadth(_) => &CycleCondition::WITHOUT_STACK,
            Frontier::Depth(_) => &CycleCondition::ALL,
        }
    }

    /// Tracks the states on the path from now on, if there is one. Called before the first state is
    /// popped.
    pub(crate) fn track_path(&mut self) {
        match self {
            Frontier::Breadth(_) => {}
            Frontier::Depth(stack) => stack.track_path(),
        }
    }

    /// The status of a stored state when `done` states were expanded, including the current one.
    pub(crate) fn status(&self, id: StateId, done: u64) -> SuccessorStatus {
        match self {
            Frontier::Breadth(_) => LayerCursor::status(id, done),
            Frontier::Depth(stack) => stack.status(id),
        }
    }

    /// Whether a state is left before all its descendants were searched: at the depth limit, the
    /// order is not depth-first.
    pub(crate) fn leaves_early(&self, turn: FrontierEntry) -> bool {
        match self {
            Frontier::Breadth(_) => false,
            Frontier::Depth(stack) => stack.is_at_limit(turn),
        }
    }

    /// Memory held.
    pub(crate) fn bytes(&self) -> usize {
        match self {
            Frontier::Breadth(_) => 0,
            Frontier::Depth(stack) => stack.bytes(),
        }
    }
}
