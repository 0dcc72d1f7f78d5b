//! Barren land: states from which no cycle that must not be can be reached without leaving
//! their component, so that nobody who wants to come back need go there.
//!
//! It is closed: a way from a barren state leads to another, or to another component. The
//! component is part of what is remembered, for to a search in one component, the states of
//! all others are as good as barren, but not to each other.

use crate::store::{ExactStore, StateSet, StoreLimits};

/// The barren states that are known.
pub(super) struct DeadStates {
    /// With the number of a component behind each.
    states: ExactStore,
}

fn key(state: &[u8], component: u32) -> Vec<u8> {
    [state, &component.to_le_bytes()].concat()
}

impl DeadStates {
    /// None.
    pub(super) fn new() -> DeadStates {
        DeadStates { states: ExactStore::new(StoreLimits::NONE) }
    }

    /// Whether a state is barren for those who stay in a component.
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
