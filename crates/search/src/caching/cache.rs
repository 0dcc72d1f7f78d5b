//! A bounded cache of states in full: a new state replaces another one when there is no room.
//!
//! The cache is set-associative: a state has its home in one of many sets of a few slots each, and
//! takes a free slot there, or replaces a random one. Before a state is replaced, the number of
//! sets doubles, as long as there is room.

use beeline_kernel::SplitMix64;

use crate::store::{FoldedMultiply, StateHash};

/// Slots of a set, unless there are fewer in total. With fewer slots, some sets would be full while
/// most others are nearly empty.
const PLACES: usize = 32;
/// The initial number of slots: two sets.
const FIRST: usize = 2 * PLACES;

/// A bounded set of states.
#[derive(Clone, Debug)]
pub(super) struct Cache {
    /// The lower bits of each hash, so that few states have to be compared.
    tags: Vec<u32>,
    /// For each slot its state; `None` if free.
    states: Vec<Option<Box<[u8]>>>,
    /// Memory of the states themselves.
    state_bytes: usize,
    /// The number of slots of a set.
    wide: usize,
    /// The greatest number of slots and of bytes.
    most_places: usize,
    most_bytes: usize,
    len: usize,
    /// The number of evicted states.
    pub(super) forgotten: u64,
    lots: SplitMix64,
}

/// Bytes of a slot beside the state.
const PLACE: usize = size_of::<u32>() + size_of::<Option<Box<[u8]>>>();

impl Cache {
    /// A cache for at most these states and bytes, with states of about this length.
    pub(super) fn new(states: usize, bytes: usize, length: usize) -> Cache {
        let most_places = states.min(bytes / (PLACE + length));
        let wide = most_places.clamp(1, PLACES);
        let most_places = most_places / wide * wide;
        let places = most_places.min(FIRST);
        Cache {
            tags: vec![0; places],
            states: vec![None; places],
            state_bytes: 0,
            wide,
            most_places,
            most_bytes: bytes,
            len: 0,
            forgotten: 0,
            lots: SplitMix64::new(1),
        }
    }

    /// Adds sets. Returns whether there was memory for them.
    #[cold]
    fn grow(&mut self) -> bool {
        let places = (2 * self.tags.len()).min(self.most_places);
        let (mut tags, mut states) = (Vec::new(), Vec::new());
        if places == self.tags.len()
            || self.state_bytes.saturating_add(places * PLACE) > self.most_bytes
            || tags.try_reserve_exact(places).is_err()
            || states.try_reserve_exact(places).is_err()
        {
            self.most_places = self.tags.len();
            return false;
        }
        tags.resize(places, 0);
        states.resize(places, None);
        self.tags = tags;
        let old = std::mem::replace(&mut self.states, states);
        (self.len, self.state_bytes) = (0, 0);
        old.into_iter().flatten().for_each(|state| self.put(state));
        true
    }

    /// The first slot of the set of a hash, and its tag.
    #[inline]
    fn shelf(&self, hash: u64) -> (usize, u32) {
        let shelves = self.tags.len() / self.wide;
        let shelf = ((u128::from(hash) * shelves as u128) >> 64) as usize;
        // The upper bits determine the set, so the tag has the lower ones.
        (shelf * self.wide, hash as u32)
    }

    /// Whether it contains a state.
    #[inline]
    pub(super) fn contains(&self, state: &[u8]) -> bool {
        if self.tags.is_empty() {
            return false;
        }
        let (first, tag) = self.shelf(FoldedMultiply::hash(state));
        let mut places = first..first + self.wide;
        places.any(|at| self.tags[at] == tag && self.states[at].as_deref() == Some(state))
    }

    /// Adds a state that it does not contain.
    pub(super) fn add(&mut self, state: &[u8]) {
        if self.tags.is_empty() {
            self.forgotten += 1;
            return;
        }
        let hash = FoldedMultiply::hash(state);
        while self.tags.len() < self.most_places && self.free(hash).is_none() && self.grow() {}
        self.put(state.into());
    }

    /// A free slot in the set of a hash.
    fn free(&self, hash: u64) -> Option<usize> {
        let (first, _) = self.shelf(hash);
        (first..first + self.wide).find(|&at| self.states[at].is_none())
    }

    /// Inserts a state into its set, where it may evict another one.
    fn put(&mut self, state: Box<[u8]>) {
        let hash = FoldedMultiply::hash(&state);
        let (first, tag) = self.shelf(hash);
        let at = self.free(hash).unwrap_or_else(|| first + self.lots.below(self.wide));
        if let Some(old) = self.states[at].take() {
            self.len -= 1;
            self.state_bytes -= old.len();
            self.forgotten += 1;
        }
        // Long states may exceed the memory before all slots are used.
        if self.bytes() + state.len() > self.most_bytes {
            self.forgotten += 1;
            return;
        }
        self.state_bytes += state.len();
        (self.tags[at], self.states[at]) = (tag, Some(state));
        self.len += 1;
    }

    /// The number of states.
    pub(super) fn len(&self) -> usize {
        self.len
    }

    /// Memory held.
    #[inline]
    pub(super) fn bytes(&self) -> usize {
        self.tags.len() * PLACE + self.state_bytes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn holds_what_there_is_room_for_and_nothing_else() {
        for states in [0, 1, 100, 5000] {
            let mut cache = Cache::new(states, usize::MAX, 4);
            for n in 0..1000_u32 {
                assert!(!cache.contains(&n.to_le_bytes()));
                cache.add(&n.to_le_bytes());
                assert!(states == 0 || cache.contains(&n.to_le_bytes()));
            }
            let kept = (0..1000_u32).filter(|n| cache.contains(&n.to_le_bytes())).count();
            assert_eq!((kept, kept as u64), (cache.len(), 1000 - cache.forgotten));
            assert!(kept <= states && kept >= states.min(1000) / 2);
            assert!(states < 5000 || kept == 1000);
        }
    }

    #[test]
    fn long_states_take_no_more_than_there_is() {
        let mut cache = Cache::new(usize::MAX, 10_000, 4);
        for n in 0..1000_usize {
            cache.add(&vec![1; n]);
            assert!(cache.bytes() <= 10_000);
        }
        assert!(cache.len() > 0);
    }
}
