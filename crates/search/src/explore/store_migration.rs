//! Migration of an exploration to another store, in slices. Meanwhile, both stores hold states.

use beeline_kernel::StateId;

use super::Exploration;
use crate::store::{Inserted, StateStore, StoreLimits};

/// An exploration whose states are copied to another store.
pub struct StoreMigration<'a, T: StateStore, U: StateStore> {
    exploration: Exploration<'a, T>,
    store: U,
    /// The first state that is not copied yet.
    next: usize,
}

/// The progress of a migration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MigrationStatus {
    /// Some states are not copied yet.
    Ongoing,
    /// All states are copied.
    Complete,
    /// The new store has no room for the next state.
    Full,
}

impl<'a, T: StateStore, U: StateStore> StoreMigration<'a, T, U> {
    pub(super) fn new(exploration: Exploration<'a, T>) -> Self {
        let store = U::new(StoreLimits { bytes: exploration.max_bytes, states: usize::MAX });
        StoreMigration { exploration, store, next: 0 }
    }

    /// Copies up to `most` states.
    pub fn advance(&mut self, most: usize) -> MigrationStatus {
        let from = &self.exploration.store;
        let end = from.len().min(self.next.saturating_add(most));
        let mut state = Vec::new();
        while self.next < end {
            let id = StateId::new(self.next).expect("a stored state has an id");
            from.load(id, &mut state);
            // Ids follow the order of insertion, so each state keeps its own.
            if self.store.insert(&state) != Inserted::New(id) {
                return MigrationStatus::Full;
            }
            self.next += 1;
        }
        if end == from.len() { MigrationStatus::Complete } else { MigrationStatus::Ongoing }
    }

    /// The exploration, which pauses meanwhile.
    pub fn exploration(&self) -> &Exploration<'a, T> {
        &self.exploration
    }

    /// Memory held by the exploration and both stores.
    pub fn bytes(&self) -> usize {
        self.exploration.bytes() + self.store.bytes()
    }

    /// Copies the remaining states, and continues with the new store. `None` if it has no room.
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
            any_paths: old.any_paths,
            reduction: old.reduction,
            path_compression: old.path_compression,
            sleep_sets: old.sleep_sets,
            work: old.work,
        })
    }
}
