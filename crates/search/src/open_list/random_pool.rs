//! A set of states with a random choice.

use beeline_kernel::{SplitMix64, StateId};

/// A set of states.
#[derive(Clone, Debug, Default)]
pub(crate) struct RandomPool(Vec<StateId>);

impl RandomPool {
    /// Adds a state.
    pub(crate) fn push(&mut self, id: StateId) {
        self.0.push(id);
    }

    /// Removes a state, each with the same probability.
    pub(crate) fn draw(&mut self, rng: &mut SplitMix64) -> Option<StateId> {
        if self.0.is_empty() { None } else { Some(self.0.swap_remove(rng.below(self.0.len()))) }
    }

    /// Whether there are no states.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Memory held.
    pub(crate) fn bytes(&self) -> usize {
        self.0.capacity() * size_of::<StateId>()
    }
}
