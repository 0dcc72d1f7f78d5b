//! Dead states: states from which no accepting cycle can be reached within their component, so that
//! a search for a cycle skips them.
//!
//! The set is closed: the successors of a dead state are dead, or in another component. The
//! component is part of the key: a state of another component is outside the search, but not dead.

use crate::store::{ExactStore, StateSet, StoreLimits};

/// The known dead states.
pub(super) struct DeadStates {
    /// Each followed by the number of its component.
    states: ExactStore,
}

fn key(state: &[u8], component: u32) -> Vec<u8> {
    [state, &component.to_le_bytes()].concat()
}

impl DeadStates {
    /// No states.
    pub(super) fn new() -> DeadStates {
        DeadStates { states: ExactStore::new(StoreLimits::NONE) }
    }

    /// Whether a state is dead within a component.
    pub(super) fn has(&self, state: &[u8], component: u32) -> bool {
        !self.states.is_empty() && self.states.find(&key(state, component)).is_some()
    }

    /// Adds a state.
    pub(super) fn add(&mut self, state: &[u8], component: u32) {
        self.states.insert(&key(state, component));
    }

    /// Memory held.
    pub(super) fn bytes(&self) -> usize {
        self.states.bytes()
    }
}
