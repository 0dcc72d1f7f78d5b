//! States on their way to another store: for a while, both hold them. That takes its time where
//! there are many, so whoever looks at a clock lets them go bit by bit.

use beeline_kernel::StateId;

use super::Exploration;
use crate::store::{Inserted, StateStore, StoreLimits};

/// An exploration whose states are on their way to another store.
pub struct StoreMigration<'a, T: StateStore, U: StateStore> {
    exploration: Exploration<'a, T>,
    store: U,
    /// The first state that is not yet there.
    next: usize,
}

/// How far the states have come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MigrationStatus {
    /// Some are still to move.
    Ongoing,
    /// All are there.
    Complete,
    /// There is no room for the next one.
    Full,
}

impl<'a, T: StateStore, U: StateStore> StoreMigration<'a, T, U> {
    pub(super) fn new(exploration: Exploration<'a, T>) -> Self {
        let store = U::new(StoreLimits { bytes: exploration.max_bytes, states: usize::MAX });
        StoreMigration { exploration, store, next: 0 }
    }

    /// Moves so many states.
    pub fn advance(&mut self, most: usize) -> MigrationStatus {
        let from = &self.exploration.store;
        let end = from.len().min(self.next.saturating_add(most));
        let mut state = Vec::new();
        while self.next < end {
            let id = StateId::new(self.next).expect("it is stored, so it has an id");
            from.load(id, &mut state);
            // Numbers are given in the order of storing, so each state keeps its own.
            if self.store.insert(&state) != Inserted::New(id) {
                return MigrationStatus::Full;
            }
            self.next += 1;
        }
        if end == from.len() { MigrationStatus::Complete } else { MigrationStatus::Ongoing }
    }

    /// The exploration as it was, which stands still.
    pub fn exploration(&self) -> &Exploration<'a, T> {
        &self.exploration
    }

    /// What both stores need.
    pub fn bytes(&self) -> usize {
        self.exploration.bytes() + self.store.bytes()
    }

    /// Moves what is left, and goes on from there. `None` when there is no room.
    pub fn finish(mut self) -> Option<Exploration<'a, U>> {
        if self.advance(usize::MAX) == MigrationStatus::Full {
            return None;
        }
        let old = self.exploration;
        Some(Exploration {
            store: self.store,
            expander: old.expander,
            tree: old.tree,
            frontier: old.frontier,
            findings: old.findings,
            stats: old.stats,
            outcome: old.outcome,
            max_bytes: old.max_bytes,
            stop: old.stop,
            reduction: old.reduction,
            passage: old.passage,
            batch: old.batch,
            now: old.now,
            next: old.next,
            deferred: old.deferred,
            predictor: old.predictor,
            successors: old.successors,
            sleep_sets: old.sleep_sets,
        })
    }
}
