//! The covering store: a state that another one covers is not stored.
//!
//! States have the form of [`bounds_suffix`]; all states with equal keys are found together, so
//! that a new state is compared with those alone. States that a later one covers keep their
//! numbers, but no new state is compared with them any more.
//!
//! Source: the passed list with inclusion of UPPAAL [BY04].
//! Promises: every state that was inserted is stored, or covered by a stored one.

use std::collections::HashMap;
use std::ops::Range;

use beeline_kernel::{StateId, Successors};

use super::bounds_suffix::{self, Comparison};
use super::hash::{FoldedMultiply, StateHash};
use super::probes::ProbeBatch;
use super::{Inserted, Prefetch, StateSet, StoreLimits};

/// Bytes of an entry of the map from keys to states, with its vector.
const ENTRY: usize = 56;

/// A set of states in which none covers another that was inserted later.
#[derive(Clone, Debug)]
pub struct CoveringStore {
    limits: StoreLimits,
    bytes: Vec<u8>,
    /// By state: its end.
    ends: Vec<usize>,
    /// By hash of the key: the states that no other one covers. Only looked up, so that its order
    /// has no influence.
    groups: HashMap<u64, Vec<u32>>,
    /// The numbers in all groups.
    grouped: usize,
    longest: usize,
}

impl CoveringStore {
    fn state(&self, at: usize) -> &[u8] {
        let start = if at == 0 { 0 } else { self.ends[at - 1] };
        &self.bytes[start..self.ends[at]]
    }

    fn id(at: usize) -> StateId {
        StateId::new(at).expect("a stored state has an id")
    }

    fn has_room(&self, state: &[u8]) -> bool {
        let grown = self.bytes() + state.len() + ENTRY;
        self.ends.len() < self.limits.states.min(u32::MAX as usize - 1)
            && grown <= self.limits.bytes
    }
}

/// The key and the bounds. A state of another form is a key alone: only equal ones cover it.
fn parts(state: &[u8]) -> (&[u8], &[u8]) {
    bounds_suffix::split(state).unwrap_or((state, &[]))
}

impl StateSet for CoveringStore {
    fn new(limits: StoreLimits) -> Self {
        CoveringStore {
            limits,
            bytes: Vec::new(),
            ends: Vec::new(),
            groups: HashMap::new(),
            grouped: 0,
            longest: 0,
        }
    }

    fn insert(&mut self, state: &[u8]) -> Inserted {
        let (key, bounds) = parts(state);
        let hash = FoldedMultiply::hash(key);
        let mut group = self.groups.remove(&hash).unwrap_or_default();
        self.grouped -= group.len();
        let mut result = None;
        group.retain(|&at| {
            if result.is_some() {
                return true;
            }
            let (other_key, other) = parts(self.state(at as usize));
            if other_key != key || other.len() != bounds.len() {
                return true;
            }
            match bounds_suffix::compare(other, bounds) {
                Comparison::Covers => {
                    let is_equal = other == bounds;
                    let id = Self::id(at as usize);
                    result = Some(if is_equal { Inserted::Old(id) } else { Inserted::Covered });
                    true
                }
                Comparison::IsCovered => false,
                Comparison::Incomparable => true,
            }
        });
        let result = match result {
            Some(result) => result,
            None if !self.has_room(state) => Inserted::Full,
            None => {
                let at = self.ends.len();
                self.bytes.extend_from_slice(state);
                self.ends.push(self.bytes.len());
                self.longest = self.longest.max(state.len());
                group.push(at as u32);
                Inserted::New(Self::id(at))
            }
        };
        self.grouped += group.len();
        self.groups.insert(hash, group);
        result
    }

    fn find(&self, state: &[u8]) -> Option<StateId> {
        let (key, _) = parts(state);
        let group = self.groups.get(&FoldedMultiply::hash(key))?;
        let found = group.iter().find(|&&at| self.state(at as usize) == state)?;
        Some(Self::id(*found as usize))
    }

    fn open(&mut self, id: StateId) -> &[u8] {
        self.state(id.index())
    }

    fn load(&self, id: StateId, state: &mut Vec<u8>) {
        state.clear();
        state.extend_from_slice(self.state(id.index()));
    }

    fn len(&self) -> usize {
        self.ends.len()
    }

    fn longest(&self) -> usize {
        self.longest
    }

    fn bytes(&self) -> usize {
        self.bytes.capacity() + self.ends.capacity() * size_of::<usize>() + self.table_bytes()
    }

    fn table_bytes(&self) -> usize {
        self.groups.capacity() * ENTRY + self.grouped * size_of::<u32>()
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
        bounds_suffix::push(&mut state, bounds);
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
