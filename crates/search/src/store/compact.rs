//! The compact store: few bytes for each state, and nothing is lost.
//!
//! There are two ways to be compact. Leaving out the bits that are the same in all states is
//! the faster one, and leaves little of short states and of those with small values. Keeping
//! parts that states have in common only once is the better one for long states, which mostly
//! differ from others in a few places. So it begins with the first way, and changes to the
//! second when states turn out to need more than those.
//!
//! Measured (`bench/run`): most models there need 3 to 15 bytes packed, and 9 to 20 as trees,
//! which take twice the time; states of 200 bytes need 40 packed, and 12 to 15 as trees.

use std::ops::Range;

use beeline_kernel::{StateId, Successors};

use super::packed::PackedStore;
use super::trees::TreeStore;
use super::{Inserted, ProbeBatch, StateStore, StoreLimits};

/// States longer than this are kept as trees from the start.
const LONG: usize = 256;
/// When a packed state takes more bytes than this, trees are better.
const MUCH: usize = 15;
/// What they take is looked at when there are so many, and when there are twice as many.
const FIRST_LOOK: usize = 1 << 14;

/// A set of states, numbered in the order of storing, in little memory.
#[derive(Clone, Debug)]
pub struct CompactStore {
    held: Held,
    limits: StoreLimits,
    /// When there are so many states, someone looks how much they take.
    next_look: usize,
}

#[derive(Clone, Debug)]
enum Held {
    Packed(Box<PackedStore>),
    Trees(Box<TreeStore>),
}

/// Asks the store that holds the states.
macro_rules! ask {
    ($held:expr, $store:ident => $answer:expr) => {
        match $held {
            Held::Packed($store) => $answer,
            Held::Trees($store) => $answer,
        }
    };
}

impl StateStore for CompactStore {
    fn new(limits: StoreLimits) -> CompactStore {
        let held = Held::Packed(Box::new(PackedStore::new(limits)));
        CompactStore { held, limits, next_look: FIRST_LOOK }
    }

    fn batch(&self) -> usize {
        ask!(&self.held, store => store.batch())
    }

    fn insert(&mut self, state: &[u8]) -> Inserted {
        self.weigh(state.len());
        ask!(&mut self.held, store => store.insert(state))
    }

    fn find(&self, state: &[u8]) -> Option<StateId> {
        ask!(&self.held, store => store.find(state))
    }

    fn prefetch_slots(&self, successors: &Successors, ahead: &mut ProbeBatch) {
        ask!(&self.held, store => store.prefetch_slots(successors, ahead));
    }

    fn prefetch_candidates(&self, range: Range<usize>, ahead: &mut ProbeBatch) {
        ask!(&self.held, store => store.prefetch_candidates(range, ahead));
    }

    fn insert_batch(
        &mut self,
        successors: &Successors,
        range: Range<usize>,
        ahead: &ProbeBatch,
        tell: impl FnMut(Inserted),
    ) {
        let length = range.clone().next().map_or(0, |first| successors.state(first).len());
        self.weigh(length);
        ask!(&mut self.held, store => store.insert_batch(successors, range, ahead, tell));
    }

    fn prefetch_state(&self, id: StateId) {
        ask!(&self.held, store => store.prefetch_state(id));
    }

    fn open(&mut self, id: StateId) -> &[u8] {
        ask!(&mut self.held, store => store.open(id))
    }

    fn load(&self, id: StateId, state: &mut Vec<u8>) {
        ask!(&self.held, store => store.load(id, state));
    }

    fn len(&self) -> usize {
        ask!(&self.held, store => store.len())
    }

    fn longest(&self) -> usize {
        ask!(&self.held, store => store.longest())
    }

    fn bytes(&self) -> usize {
        ask!(&self.held, store => store.bytes())
    }

    fn table_bytes(&self) -> usize {
        ask!(&self.held, store => store.table_bytes())
    }
}

impl CompactStore {
    /// Changes to trees when it is time, before a state of this length is stored.
    #[inline]
    fn weigh(&mut self, length: usize) {
        let Held::Packed(packed) = &self.held else { return };
        let is_time = packed.len() >= self.next_look || packed.is_empty() && length > LONG;
        if is_time {
            self.look(length);
        }
    }

    #[cold]
    fn look(&mut self, length: usize) {
        self.next_look = self.next_look.saturating_mul(2);
        let Held::Packed(packed) = &self.held else { return };
        let is_much = packed.most_bytes() > MUCH || packed.is_empty() && length > LONG;
        if is_much && let Some(trees) = as_trees(packed, self.limits) {
            self.held = Held::Trees(Box::new(trees));
        }
    }
}

/// The same states with the same numbers as trees, if there is memory for both.
fn as_trees(packed: &PackedStore, limits: StoreLimits) -> Option<TreeStore> {
    let room = limits.bytes.saturating_sub(packed.bytes());
    let mut trees = TreeStore::new(StoreLimits { bytes: room, ..limits });
    let mut state = Vec::new();
    for index in 0..packed.len() {
        let id = StateId::new(index).expect("it is stored, so it has an id");
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
        matches!(store.held, Held::Packed(_))
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
