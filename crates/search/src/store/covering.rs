//! The covering store: a state that another one covers is not stored.
//!
//! States have the form of [`bounds_suffix`]; all states with equal keys are found together, so
//! that a new state is compared with those alone. States that a later one covers keep their
//! numbers, but no new state is compared with them any more.
//!
//! Source: the passed list with inclusion of UPPAAL [BY04].
//! Promises: every state that was inserted is stored, or covered by a stored one.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
use std::ops::Range;

use beeline_kernel::{StateId, Successors};

use super::bounds_suffix::{self, Bounds, Comparison};
use super::hash::{FoldedMultiply, StateHash};
use super::probes::ProbeBatch;
use super::{Inserted, Prefetch, StateSet, StoreLimits};

/// Bytes of an entry of the map from keys to states.
const ENTRY: usize = 17;

/// No state.
const NONE: u32 = u32::MAX;

/// The hash of a key is a hash already.
#[derive(Clone, Copy, Debug, Default)]
struct KeyHasher(u64);

impl Hasher for KeyHasher {
    fn write(&mut self, _: &[u8]) {
        unreachable!("keys are numbers");
    }

    fn write_u64(&mut self, hash: u64) {
        self.0 = hash;
    }

    fn finish(&self) -> u64 {
        self.0
    }
}

/// A stored state.
#[derive(Clone, Copy, Debug)]
struct Stored {
    /// The end of its bytes.
    end: usize,
    /// The next state with the same hash of its key that no other one covers, or none; of a state
    /// that is covered, the one that covers it.
    next: u32,
    is_covered: bool,
}

/// A set of states in which none covers another that was inserted later.
#[derive(Clone, Debug)]
pub struct CoveringStore {
    limits: StoreLimits,
    bytes: Vec<u8>,
    states: Vec<Stored>,
    /// By hash of the key: the first of the states that no other one covers. Only looked up, so that
    /// its order has no influence.
    first: HashMap<u64, u32, BuildHasherDefault<KeyHasher>>,
    longest: usize,
}

impl CoveringStore {
    fn state(&self, at: usize) -> &[u8] {
        bytes_of(&self.bytes, &self.states, at)
    }

    fn id(at: usize) -> StateId {
        StateId::new(at).expect("a stored state has an id")
    }

    fn has_room(&self, state: &[u8]) -> bool {
        let grown = self.bytes() + state.len() + ENTRY + size_of::<Stored>();
        self.states.len() < self.limits.states.min(NONE as usize - 1) && grown <= self.limits.bytes
    }
}

fn bytes_of<'s>(bytes: &'s [u8], states: &[Stored], at: usize) -> &'s [u8] {
    let start = if at == 0 { 0 } else { states[at - 1].end };
    &bytes[start..states[at].end]
}

/// The key and the bounds. A state of another form is a key alone: only equal ones cover it.
fn parts(state: &[u8]) -> (&[u8], Bounds<'_>) {
    bounds_suffix::split(state).unwrap_or((state, Bounds::NONE))
}

impl StateSet for CoveringStore {
    fn new(limits: StoreLimits) -> Self {
        CoveringStore {
            limits,
            bytes: Vec::new(),
            states: Vec::new(),
            first: HashMap::default(),
            longest: 0,
        }
    }

    fn insert(&mut self, state: &[u8]) -> Inserted {
        let (key, bounds) = parts(state);
        let hash = FoldedMultiply::hash(key);
        let has_room = self.has_room(state);
        let new = self.states.len() as u32;
        let first = self.first.entry(hash).or_insert(NONE);
        let (mut before, mut at) = (NONE, *first);
        while at != NONE {
            let (other_key, other) = parts(bytes_of(&self.bytes, &self.states, at as usize));
            let next = self.states[at as usize].next;
            let is_comparable = other_key == key && other.len() == bounds.len();
            let comparison = if is_comparable {
                bounds_suffix::compare(other, bounds)
            } else {
                Comparison::Incomparable
            };
            match comparison {
                Comparison::Equal => return Inserted::Old(Self::id(at as usize)),
                Comparison::Covers => return Inserted::Covered,
                Comparison::IsCovered if has_room => {
                    let stored = &mut self.states[at as usize];
                    (stored.next, stored.is_covered) = (new, true);
                    match before {
                        NONE => *first = next,
                        before => self.states[before as usize].next = next,
                    }
                }
                Comparison::IsCovered | Comparison::Incomparable => before = at,
            }
            at = next;
        }
        if !has_room {
            return Inserted::Full;
        }
        self.bytes.extend_from_slice(state);
        self.longest = self.longest.max(state.len());
        let next = std::mem::replace(first, new);
        self.states.push(Stored { end: self.bytes.len(), next, is_covered: false });
        Inserted::New(Self::id(new as usize))
    }

    fn find(&self, state: &[u8]) -> Option<StateId> {
        let (key, _) = parts(state);
        let mut at = *self.first.get(&FoldedMultiply::hash(key))?;
        while at != NONE {
            if self.state(at as usize) == state {
                return Some(Self::id(at as usize));
            }
            at = self.states[at as usize].next;
        }
        None
    }

    fn open(&mut self, id: StateId) -> &[u8] {
        self.state(id.index())
    }

    fn load(&self, id: StateId, state: &mut Vec<u8>) {
        state.clear();
        state.extend_from_slice(self.state(id.index()));
    }

    fn is_covered(&self, state: &[u8], counts: &dyn Fn(StateId) -> bool) -> bool {
        let (key, bounds) = parts(state);
        let mut at = self.first.get(&FoldedMultiply::hash(key)).copied().unwrap_or(NONE);
        while at != NONE {
            let (other_key, other) = parts(self.state(at as usize));
            let covers = || {
                let is_comparable = other_key == key && other.len() == bounds.len();
                let found = is_comparable.then(|| bounds_suffix::compare(other, bounds));
                matches!(found, Some(Comparison::Equal | Comparison::Covers))
            };
            if counts(Self::id(at as usize)) && covers() {
                return true;
            }
            at = self.states[at as usize].next;
        }
        false
    }

    fn insert_covered(&mut self, state: &[u8]) -> Inserted {
        if let Some(id) = self.find(state) {
            return Inserted::Old(id);
        }
        if !self.has_room(state) {
            return Inserted::Full;
        }
        let (key, _) = parts(state);
        let new = self.states.len() as u32;
        let first = self.first.entry(FoldedMultiply::hash(key)).or_insert(NONE);
        self.bytes.extend_from_slice(state);
        self.longest = self.longest.max(state.len());
        let next = std::mem::replace(first, new);
        self.states.push(Stored { end: self.bytes.len(), next, is_covered: false });
        Inserted::New(Self::id(new as usize))
    }

    fn covered_by(&self, id: StateId) -> Option<StateId> {
        let stored = self.states[id.index()];
        stored.is_covered.then(|| Self::id(stored.next as usize))
    }

    fn len(&self) -> usize {
        self.states.len()
    }

    fn longest(&self) -> usize {
        self.longest
    }

    fn bytes(&self) -> usize {
        let states = self.states.capacity() * size_of::<Stored>();
        self.bytes.capacity() + states + self.table_bytes()
    }

    fn table_bytes(&self) -> usize {
        self.first.capacity() * ENTRY
    }
}

impl Prefetch for CoveringStore {
    fn batch_size(&self) -> usize {
        1
    }

    fn prefetch_state(&self, _: StateId) {}

    fn prefetch_slots(&self, _: &Successors, _: &mut ProbeBatch) {}

    fn prefetch_candidates(&self, _: Range<usize>, _: &mut ProbeBatch) {}

    fn find_candidate(&self, _: usize, _: &mut ProbeBatch) -> Option<StateId> {
        None
    }

    fn confirm(&self, _: &[u8], _: usize, _: &ProbeBatch) -> bool {
        false
    }

    fn insert_probed(&mut self, state: &[u8], _: usize, _: &ProbeBatch) -> Inserted {
        self.insert(state)
    }

    fn insert_batch(
        &mut self,
        successors: &Successors,
        range: Range<usize>,
        _: &ProbeBatch,
        mut tell: impl FnMut(Inserted),
    ) {
        for state in successors.states_in(range) {
            let inserted = self.insert(state);
            tell(inserted);
            if inserted == Inserted::Full {
                return;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn state(key: &[u8], bounds: &[i32]) -> Vec<u8> {
        let mut state = key.to_vec();
        bounds_suffix::push(&mut state, bounds.iter().copied());
        state
    }

    #[test]
    fn a_state_is_stored_unless_one_with_its_key_covers_it() {
        let mut store = CoveringStore::new(StoreLimits::NONE);
        let id = |at| CoveringStore::id(at);
        let checks = [
            (state(b"a", &[3, 3]), Inserted::New(id(0))),
            (state(b"a", &[3, 3]), Inserted::Old(id(0))),
            (state(b"a", &[2, 3]), Inserted::Covered),
            (state(b"a", &[4, 1]), Inserted::New(id(1))),
            (state(b"b", &[2, 3]), Inserted::New(id(2))),
            (state(b"a", &[4, 4]), Inserted::New(id(3))),
            (state(b"a", &[3, 3]), Inserted::Covered),
            (state(b"a", &[-1, i32::MIN]), Inserted::Covered),
            (state(b"a", &[4, 4, 4]), Inserted::New(id(4))),
            (b"short".to_vec(), Inserted::New(id(5))),
            (b"short".to_vec(), Inserted::Old(id(5))),
        ];
        for (state, wanted) in checks {
            assert_eq!(store.insert(&state), wanted, "{state:?}");
        }
        assert_eq!(store.len(), 6);
        assert_eq!(store.covered_by(id(0)), Some(id(3)));
        assert_eq!(store.covered_by(id(1)), Some(id(3)));
        assert_eq!(store.covered_by(id(3)), None);
        let mut first = Vec::new();
        store.load(id(0), &mut first);
        assert_eq!(first, state(b"a", &[3, 3]), "a covered state can still be read");
    }

    #[test]
    fn a_full_store_refuses_new_states_and_knows_covered_ones() {
        let mut store = CoveringStore::new(StoreLimits { bytes: usize::MAX, states: 1 });
        assert!(matches!(store.insert(&state(b"a", &[3])), Inserted::New(_)));
        assert_eq!(store.insert(&state(b"b", &[3])), Inserted::Full);
        assert_eq!(store.insert(&state(b"a", &[2])), Inserted::Covered);
    }
}
