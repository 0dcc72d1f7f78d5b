//! The compact store: few bytes for each state, without loss.
//!
//! It has two representations. [Packing](super::packed) removes the bits that are the same in all
//! states; it is the faster one, and best for short states and small values. [Trees](super::trees)
//! share equal parts; they are smaller for long states, which mostly differ from others in few
//! places. The store begins with packing, and changes to trees when packed states turn out to be
//! larger.
//!
//! Measured (`bench/run`): most models there need 3 to 15 bytes packed, and 9 to 20 as trees,
//! which take twice the time; states of 200 bytes need 40 packed, and 12 to 15 as trees.

use std::ops::Range;

use beeline_kernel::{StateId, Successors};

use super::packed::PackedStore;
use super::trees::TreeStore;
use super::{Inserted, Prefetch, ProbeBatch, StateSet, StoreLimits};

/// States longer than this are kept as trees from the start.
const LONG: usize = 256;
/// When a packed state takes more bytes than this, trees are smaller.
const LARGE: usize = 15;
/// The representation is reviewed at this number of states, and whenever it has doubled.
const FIRST_REVIEW: usize = 1 << 14;

/// A set of states, numbered in the order of insertion, in little memory.
#[derive(Clone, Debug)]
pub struct CompactStore {
    representation: Representation,
    limits: StoreLimits,
    /// The number of states at which the representation is reviewed.
    next_review: usize,
}

#[derive(Clone, Debug)]
enum Representation {
    Packed(Box<PackedStore>),
    Trees(Box<TreeStore>),
}

/// Forwards to the current representation.
macro_rules! forward {
    ($representation:expr, $store:ident => $answer:expr) => {
        match $representation {
            Representation::Packed($store) => $answer,
            Representation::Trees($store) => $answer,
        }
    };
}

impl StateSet for CompactStore {
    fn new(limits: StoreLimits) -> CompactStore {
        let representation = Representation::Packed(Box::new(PackedStore::new(limits)));
        CompactStore { representation, limits, next_review: FIRST_REVIEW }
    }

    fn insert(&mut self, state: &[u8]) -> Inserted {
        self.review_if_due(state.len());
        forward!(&mut self.representation, store => store.insert(state))
    }

    fn find(&self, state: &[u8]) -> Option<StateId> {
        forward!(&self.representation, store => store.find(state))
    }

    fn open(&mut self, id: StateId) -> &[u8] {
        forward!(&mut self.representation, store => store.open(id))
    }

    fn load(&self, id: StateId, state: &mut Vec<u8>) {
        forward!(&self.representation, store => store.load(id, state));
    }

    fn len(&self) -> usize {
        forward!(&self.representation, store => store.len())
    }

    fn longest(&self) -> usize {
        forward!(&self.representation, store => store.longest())
    }

    fn bytes(&self) -> usize {
        forward!(&self.representation, store => store.bytes())
    }

    fn table_bytes(&self) -> usize {
        forward!(&self.representation, store => store.table_bytes())
    }
}

/// Packed states are prefetched. Trees are not: which nodes an insertion reads depends on the nodes
/// below them. A batch is probed by the representation that inserts it or, if that has changed in
/// between, not used.
impl Prefetch for CompactStore {
    fn batch_size(&self) -> usize {
        match &self.representation {
            Representation::Packed(store) => store.batch_size(),
            // A tree store folds successors relative to the state that was opened last.
            Representation::Trees(_) => 1,
        }
    }

    fn prefetch_state(&self, id: StateId) {
        if let Representation::Packed(store) = &self.representation {
            store.prefetch_state(id);
        }
    }

    fn prefetch_slots(&self, successors: &Successors, batch: &mut ProbeBatch) {
        if let Representation::Packed(store) = &self.representation {
            store.prefetch_slots(successors, batch);
        }
    }

    fn prefetch_candidates(&self, range: Range<usize>, batch: &mut ProbeBatch) {
        if let Representation::Packed(store) = &self.representation {
            store.prefetch_candidates(range, batch);
        }
    }

    fn find_candidate(&self, at: usize, batch: &mut ProbeBatch) -> Option<StateId> {
        match &self.representation {
            Representation::Packed(store) => store.find_candidate(at, batch),
            Representation::Trees(_) => None,
        }
    }

    fn confirm(&self, state: &[u8], at: usize, batch: &ProbeBatch) -> bool {
        match &self.representation {
            Representation::Packed(store) => store.confirm(state, at, batch),
            Representation::Trees(_) => false,
        }
    }

    fn insert_probed(&mut self, state: &[u8], at: usize, batch: &ProbeBatch) -> Inserted {
        self.review_if_due(state.len());
        match &mut self.representation {
            Representation::Packed(store) => store.insert_probed(state, at, batch),
            Representation::Trees(store) => store.insert(state),
        }
    }

    fn insert_batch(
        &mut self,
        successors: &Successors,
        range: Range<usize>,
        batch: &ProbeBatch,
        tell: impl FnMut(Inserted),
    ) {
        let length = range.clone().next().map_or(0, |first| successors.state(first).len());
        self.review_if_due(length);
        match &mut self.representation {
            Representation::Packed(store) => store.insert_batch(successors, range, batch, tell),
            Representation::Trees(store) => store.insert_batch(successors, range, tell),
        }
    }
}

impl CompactStore {
    /// Reviews the representation when it is time, before a state of this length is inserted.
    #[inline]
    fn review_if_due(&mut self, length: usize) {
        let Representation::Packed(packed) = &self.representation else { return };
        let is_due = packed.len() >= self.next_review || packed.is_empty() && length > LONG;
        if is_due {
            self.review(length);
        }
    }

    #[cold]
    fn review(&mut self, length: usize) {
        self.next_review = self.next_review.saturating_mul(2);
        let Representation::Packed(packed) = &self.representation else { return };
        let is_large = packed.records.most_bytes() > LARGE || packed.is_empty() && length > LONG;
        if is_large && let Some(trees) = as_trees(packed, self.limits) {
            self.representation = Representation::Trees(Box::new(trees));
        }
    }
}

/// The same states with the same ids as trees, if there is memory for both.
fn as_trees(packed: &PackedStore, limits: StoreLimits) -> Option<TreeStore> {
    let room = limits.bytes.saturating_sub(packed.bytes());
    let mut trees = TreeStore::new(StoreLimits { bytes: room, ..limits });
    let mut state = Vec::new();
    for index in 0..packed.len() {
        let id = StateId::new(index).expect("a stored state has an id");
        packed.load(id, &mut state);
        if trees.insert(&state) != Inserted::New(id) {
            return None;
        }
    }
    trees.set_limits(limits);
    Some(trees)
}

#[cfg(test)]
mod tests {
    use super::super::contract_tests::{self, Draw};
    use super::*;

    fn is_packed(store: &CompactStore) -> bool {
        matches!(store.representation, Representation::Packed(_))
    }

    #[test]
    fn agrees_with_a_map_whatever_states_are_kept_as() {
        let draw = |seed, count, length, letters| Draw { seed, count, length, letters };
        for (draw, packed) in [
            (draw(1, 200_000, 12, 4), true),
            (draw(2, 50_000, 60, 256), false),
            (draw(3, 1_000, 2, 2), true),
        ] {
            let mut store = CompactStore::new(StoreLimits::NONE);
            contract_tests::agrees_with_a_map(&mut store, draw);
            assert_eq!(is_packed(&store), packed);
        }
    }

    #[test]
    fn agrees_with_a_map_in_batches() {
        for (seed, length) in [(1, 0), (2, 30), (3, 64), (4, 700)] {
            let mut store = CompactStore::new(StoreLimits::NONE);
            contract_tests::agrees_with_a_map_in_batches(&mut store, seed, length);
            assert_eq!(is_packed(&store), length <= LONG);
        }
    }
}
