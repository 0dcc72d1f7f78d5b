//! Breadth-first: the store is the queue. States are numbered in the order of
//! storing, which is the order in which breadth-first search expands them.

use beeline_kernel::StateId;

use super::FrontierEntry;
use crate::reduction::SuccessorStatus;

/// A position in the sequence of stored states, and the end of its layer.
#[derive(Clone, Debug)]
pub(crate) struct LayerCursor {
    next: usize,
    layer_end: usize,
    depth: u32,
    limit: u32,
}

impl LayerCursor {
    /// At the initial state, which is a layer of its own.
    pub(super) fn new(limit: u32) -> LayerCursor {
        LayerCursor { next: 0, layer_end: 1, depth: 0, limit }
    }

    /// The status of a stored state, when `done` states were expanded.
    pub(super) fn status(id: StateId, done: u64) -> SuccessorStatus {
        if (id.index() as u64) < done {
            SuccessorStatus::Expanded
        } else {
            SuccessorStatus::Waiting
        }
    }

    /// Whether a state belongs to this layer or an earlier one.
    #[inline]
    pub(super) fn has_reached(&self, id: StateId) -> bool {
        id.index() < self.layer_end
    }

    #[inline]
    pub(super) fn pop(&mut self, stored: usize) -> Option<FrontierEntry> {
        if self.next == stored {
            return None;
        }
        if self.next == self.layer_end {
            if self.depth == self.limit {
                return None;
            }
            // The previous layer is expanded, so this one is stored in full.
            self.layer_end = stored;
            self.depth += 1;
        }
        self.pop_beside()
    }

    /// The next state of this layer.
    #[inline]
    pub(super) fn pop_beside(&mut self) -> Option<FrontierEntry> {
        if self.next == self.layer_end {
            return None;
        }
        let id = StateId::new(self.next).expect("it is stored, so it has an id");
        self.next += 1;
        Some(FrontierEntry { id, depth: self.depth })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_layer_ends_where_the_store_ended_when_it_began() {
        let mut layers = LayerCursor::new(2);
        let mut pop = |stored| layers.pop(stored).map(|turn| (turn.id.index(), turn.depth));
        assert_eq!(pop(1), Some((0, 0)));
        assert_eq!(pop(3), Some((1, 1)));
        assert_eq!(pop(4), Some((2, 1)));
        assert_eq!(pop(4), Some((3, 2)));
        assert_eq!(pop(4), None);
        // Beyond the limit.
        assert_eq!(pop(5), None);
    }
}
