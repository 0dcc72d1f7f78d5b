//! The findings of a level: of each kind of error, the least state that has it.
//!
//! Which state of a level is found first depends on the threads; the least one does not.

use beeline_kernel::FaultKind;

use crate::finding::FindingKind;
use crate::store::shared::{RecordId, SharedStore};

/// Findings of one level.
#[derive(Debug, Default)]
pub(super) struct LevelFindings {
    /// At most as long as the model has errors, so that a linear search is fast.
    least: Vec<(FindingKind, RecordId)>,
}

impl LevelFindings {
    /// Adds an error of a state.
    #[cold]
    pub(super) fn add(&mut self, kind: FindingKind, id: RecordId, store: &SharedStore) {
        match self.least.iter_mut().find(|(other, _)| *other == kind) {
            None => self.least.push((kind, id)),
            Some((_, least)) if store.state(id) < store.state(*least) => *least = id,
            Some(_) => {}
        }
    }

    /// Adds findings of another thread.
    pub(super) fn merge(&mut self, other: &mut LevelFindings, store: &SharedStore) {
        for (kind, id) in other.least.drain(..) {
            self.add(kind, id, store);
        }
    }

    /// Takes the findings, ordered by kind.
    pub(super) fn take(&mut self) -> Vec<(FindingKind, RecordId)> {
        self.least.sort_by_key(|&(kind, _)| rank(kind));
        std::mem::take(&mut self.least)
    }
}

/// The position of a kind among all.
pub(super) fn rank(kind: FindingKind) -> (u8, Option<FaultKind>, u32) {
    match kind {
        FindingKind::Fault(fault) => (0, Some(fault.kind), fault.site.0),
        FindingKind::Invariant(number) => (1, None, number),
        FindingKind::Deadlock => (2, None, 0),
    }
}
