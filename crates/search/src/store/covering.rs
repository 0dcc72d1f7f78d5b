//! The covering store: a state that another one covers is not stored.
//!
//! States have the form of [`bounds_suffix`]. A key is stored once, with the numbers and signatures
//! of all states that have it and that no other one covers: a new state is compared with those alone,
//! and with the bounds of few of them, since mostly the signatures tell that neither covers the
//! other. States that a later one covers keep their numbers, but no new state is compared with them
//! any more.
//!
//! Source: the passed list with inclusion of UPPAAL [BY04].
//! Promises: every state that was inserted is stored, or covered by a stored one.

use std::ops::Range;

use beeline_kernel::{StateId, Successors};

use super::bounds_suffix::{self, Bounds, Comparison, is_within};
use super::chunked_vec::ChunkedVec;
use super::hash::{FoldedMultiply, StateHash};
use super::number_lists::{Item, NumberList, NumberLists};
use super::probes::ProbeBatch;
use super::{Inserted, Prefetch, StateSet, StoreLimits, arena};
use crate::hash_index::HashIndex;

/// Chunks of 16 MiB; records have no format, only a length.
type Arena = arena::Arena<(), 24, 0>;

/// Marks the number of a [`Cover`] where that of a key is otherwise.
const COVERED: u32 = 1 << 31;

/// The number of bounds of a key that is a whole state of another form.
const NO_BOUNDS: u32 = u32::MAX;

/// A key that states have.
#[derive(Clone, Copy, Debug)]
struct Key {
    /// The number of bounds of its states.
    bounds: u32,
    /// Those of its states that no other one covers.
    states: NumberList,
}

/// What is known of a state that a later one covers.
#[derive(Clone, Copy, Debug)]
struct Cover {
    /// The number of its key.
    key: u32,
    /// The first state that covered it.
    by: u32,
}

/// A set of states in which none covers another that was inserted later.
#[derive(Clone, Debug)]
pub struct CoveringStore {
    limits: StoreLimits,
    /// The bytes of the keys.
    key_bytes: Arena,
    keys: ChunkedVec<Key>,
    /// The numbers of keys by hash.
    index: HashIndex,
    lists: NumberLists,
    /// By state: its bounds.
    bounds: Arena,
    /// By state: the number of its key or, if another one covers it, of its cover.
    of_key: ChunkedVec<u32>,
    covers: ChunkedVec<Cover>,
    longest: usize,
    /// The state that was opened last.
    opened: Vec<u8>,
}

/// Where a state belongs in a store.
#[derive(Clone, Copy)]
struct Entry<'s> {
    key: &'s [u8],
    bounds: Bounds<'s>,
    /// The number of its bounds.
    number: u32,
    hash: u64,
    /// The number of its key, if that is stored.
    known: Option<u32>,
    /// The states of its key that no other one covers, or that were stored although one did.
    list: NumberList,
}

impl CoveringStore {
    fn id(at: usize) -> StateId {
        StateId::new(at).expect("a stored state has an id")
    }

    /// The number of the key with these bytes, and so many bounds.
    fn key(&self, hash: u64, key: &[u8], number: u32) -> Option<u32> {
        self.index.find(hash, |at| {
            self.key_bytes.record(at as usize) == key && self.keys.at(at as usize).bounds == number
        })
    }

    /// The bounds of a state, which are so many.
    fn bounds(&self, at: usize, number: u32) -> Bounds<'_> {
        Bounds::of_number(self.bounds.record(at), number)
    }

    /// Appends a state to an empty buffer.
    fn append(&self, at: usize, state: &mut Vec<u8>) {
        let number = self.of_key.at(at);
        let key = self.cover(number).map_or(number, |cover| cover.key) as usize;
        state.extend_from_slice(self.key_bytes.record(key));
        let number = self.keys.at(key).bounds;
        if number != NO_BOUNDS {
            self.bounds(at, number).append_to(state);
        }
    }

    /// The cover that is meant by the number at a state, if it is one.
    fn cover(&self, number: u32) -> Option<Cover> {
        (number & COVERED != 0).then(|| self.covers.at((number & !COVERED) as usize))
    }

    /// Where a state belongs.
    fn entry<'s>(&self, state: &'s [u8]) -> Entry<'s> {
        let (key, bounds, number) = parts(state);
        let hash = FoldedMultiply::hash(key);
        let known = self.key(hash, key, number);
        let list = known.map_or(NumberList::EMPTY, |at| self.keys.at(at as usize).states);
        Entry { key, bounds, number, hash, known, list }
    }

    /// Makes room for a state in the list of its key, or with a new key. Returns whether there is
    /// some.
    fn make_room(&mut self, entry: &Entry<'_>) -> bool {
        let Entry { key, bounds: Bounds { bytes: bounds, .. }, known, list, .. } = entry;
        let most = self.limits.states.min(COVERED as usize).min(HashIndex::MOST);
        let mut growth = self.bounds.growth(bounds.len()) + self.of_key.growth();
        growth += match known {
            Some(_) => self.lists.growth(*list) + self.covers.growth_by(list.len()),
            None => self.key_bytes.growth(key.len()) + self.keys.growth() + self.index.growth(),
        };
        self.len() < most
            && self.bytes() + growth <= self.limits.bytes
            && reserve(&mut self.bounds, bounds.len())
            && (known.is_some() || reserve(&mut self.key_bytes, key.len()))
    }

    /// Stores a state, for which there is room, of this length.
    fn push(&mut self, entry: Entry<'_>, length: usize) -> StateId {
        let Entry { key, bounds, number, hash, known, mut list } = entry;
        let new = self.len();
        self.lists.push(&mut list, Item { number: new as u32, signature: bounds.signature() });
        let key = known.unwrap_or_else(|| {
            let new = self.keys.len() as u32;
            self.key_bytes.push(key, ());
            self.keys.push(Key { bounds: number, states: NumberList::EMPTY });
            self.index.add(hash, new);
            new
        });
        self.keys.set(key as usize, Key { bounds: number, states: list });
        self.bounds.push(bounds.bytes, ());
        self.of_key.push(key);
        self.longest = self.longest.max(length);
        Self::id(new)
    }
}

fn reserve(arena: &mut Arena, length: usize) -> bool {
    arena.has_room(length) && arena.has_room_for_group() || arena.reserve(length)
}

/// The key, the bounds and their number. A state of another form is a key alone: only equal ones
/// cover it.
fn parts(state: &[u8]) -> (&[u8], Bounds<'_>, u32) {
    match bounds_suffix::split(state) {
        Some((key, bounds)) => (key, bounds, bounds.len() as u32),
        None => (state, Bounds::NONE, NO_BOUNDS),
    }
}

impl StateSet for CoveringStore {
    fn new(limits: StoreLimits) -> Self {
        CoveringStore {
            limits,
            key_bytes: Arena::new(),
            keys: ChunkedVec::new(),
            index: HashIndex::default(),
            lists: NumberLists::new(),
            bounds: Arena::new(),
            of_key: ChunkedVec::new(),
            covers: ChunkedVec::new(),
            longest: 0,
            opened: Vec::new(),
        }
    }

    fn insert(&mut self, state: &[u8]) -> Inserted {
        let mut entry = self.entry(state);
        let Entry { bounds, number, list, .. } = entry;
        let signature = bounds.signature();
        let mut covered = 0;
        let mut at = 0;
        while at < list.len() {
            let Item { number: other, signature: its } = self.lists.at(list, at);
            if !is_within(its, signature) && !is_within(signature, its) {
                at += 1;
                continue;
            }
            let other = other as usize;
            match bounds_suffix::compare(self.bounds(other, number), bounds) {
                Comparison::Equal => return Inserted::Old(Self::id(other)),
                Comparison::Covers => return Inserted::Covered,
                // Those that it covers come first. Mostly none of the others covers it, since it
                // would cover them, too.
                Comparison::IsCovered => {
                    self.lists.swap(list, covered, at);
                    covered += 1;
                }
                Comparison::Incomparable => {}
            }
            at += 1;
        }
        if !self.make_room(&entry) {
            return Inserted::Full;
        }
        let new = self.len();
        for at in (0..covered).rev() {
            let other = self.lists.at(list, at).number as usize;
            let cover = Cover { key: self.of_key.at(other), by: new as u32 };
            self.of_key.set(other, self.covers.len() as u32 | COVERED);
            self.covers.push(cover);
            let last = entry.list.len() - 1;
            self.lists.swap(entry.list, at, last);
            self.lists.pop(&mut entry.list);
        }
        Inserted::New(self.push(entry, state.len()))
    }

    fn find(&self, state: &[u8]) -> Option<StateId> {
        let (key, bounds, number) = parts(state);
        let key = self.key(FoldedMultiply::hash(key), key, number)?;
        let list = self.keys.at(key as usize).states;
        let mut states = (0..list.len()).map(|at| self.lists.at(list, at).number as usize);
        states.find(|&at| self.bounds(at, number) == bounds).map(Self::id)
    }

    fn open(&mut self, id: StateId) -> &[u8] {
        let mut opened = std::mem::take(&mut self.opened);
        opened.clear();
        self.append(id.index(), &mut opened);
        self.opened = opened;
        &self.opened
    }

    fn load(&self, id: StateId, state: &mut Vec<u8>) {
        state.clear();
        self.append(id.index(), state);
    }

    /// A state that a later one covers is not asked: what it covers may be stored once more.
    fn is_covered(&self, state: &[u8], counts: &dyn Fn(StateId) -> bool) -> bool {
        let entry = self.entry(state);
        (0..entry.list.len()).any(|at| {
            let Item { number: other, signature } = self.lists.at(entry.list, at);
            let covers = || {
                let other = self.bounds(other as usize, entry.number);
                let found = bounds_suffix::compare(other, entry.bounds);
                matches!(found, Comparison::Equal | Comparison::Covers)
            };
            is_within(entry.bounds.signature(), signature)
                && counts(Self::id(other as usize))
                && covers()
        })
    }

    fn insert_covered(&mut self, state: &[u8]) -> Inserted {
        if let Some(id) = self.find(state) {
            return Inserted::Old(id);
        }
        let entry = self.entry(state);
        match self.make_room(&entry) {
            true => Inserted::New(self.push(entry, state.len())),
            false => Inserted::Full,
        }
    }

    fn covered_by(&self, id: StateId) -> Option<StateId> {
        self.cover(self.of_key.at(id.index())).map(|cover| Self::id(cover.by as usize))
    }

    fn covered(&self) -> usize {
        self.covers.len()
    }

    fn len(&self) -> usize {
        self.of_key.len()
    }

    fn longest(&self) -> usize {
        self.longest
    }

    fn bytes(&self) -> usize {
        let keys = self.key_bytes.bytes() + self.keys.bytes();
        let states = self.bounds.bytes() + self.of_key.bytes() + self.covers.bytes();
        keys + self.lists.bytes() + states + self.table_bytes()
    }

    fn table_bytes(&self) -> usize {
        self.index.bytes()
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
        bounds_suffix::push(&mut state, bounds, bounds_suffix::Width::One);
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
            // Other forms: one ends as if it had no bounds of two bytes, one has no bounds.
            (b"a\x01\0\0\0".to_vec(), Inserted::New(id(6))),
            (state(b"a", &[]), Inserted::New(id(7))),
            (b"a\x01\0\0\0".to_vec(), Inserted::Old(id(6))),
        ];
        for (state, wanted) in checks {
            assert_eq!(store.insert(&state), wanted, "{state:?}");
            if let Inserted::New(id) = wanted {
                assert_eq!(store.open(id), state);
            }
        }
        assert_eq!(store.len(), 8);
        assert_eq!(store.covered_by(id(0)), Some(id(3)));
        assert_eq!(store.covered_by(id(1)), Some(id(3)));
        assert_eq!(store.covered_by(id(3)), None);
        let mut first = Vec::new();
        store.load(id(0), &mut first);
        assert_eq!(first, state(b"a", &[3, 3]), "a covered state can still be read");
    }

    #[test]
    fn keeps_all_states_that_none_covers() {
        // Random boxes: compared with a plain list.
        let mut rng = beeline_kernel::SplitMix64::new(11);
        let (mut store, mut all) = (CoveringStore::new(StoreLimits::NONE), Vec::new());
        let (mut new, mut covered) = (0, 0);
        for _ in 0..4_000 {
            let key = rng.below(8) as u8;
            let mut bounds: Vec<i32> = (0..key as usize).map(|_| rng.below(9) as i32).collect();
            if let (Some(first), 0) = (bounds.first_mut(), rng.below(50)) {
                *first += 500;
            }
            let covers = |one: &(u8, Vec<i32>), other: &(u8, Vec<i32>)| {
                one.0 == other.0 && one.1.iter().zip(&other.1).all(|(one, other)| one >= other)
            };
            let this = (key, bounds);
            let inserted = store.insert(&state(&[b'k', key], &this.1));
            let before = all.iter().rposition(|one| covers(one, &this));
            match inserted {
                Inserted::New(id) => {
                    assert_eq!((before, id.index()), (None, all.len()));
                    all.push(this);
                    new += 1;
                }
                Inserted::Old(id) => assert_eq!(all[id.index()], this),
                Inserted::Covered => {
                    assert!(before.is_some());
                    covered += 1;
                }
                Inserted::Full => panic!("there is room"),
            }
        }
        assert!(new > 100 && covered > 100, "{new} {covered}");
        let kept = (0..new).filter(|&at| store.covered_by(CoveringStore::id(at)).is_none());
        assert_eq!(kept.count() + store.covered(), store.len());
        let mut loaded = Vec::new();
        for (at, (key, bounds)) in all.iter().enumerate() {
            let wanted = state(&[b'k', *key], bounds);
            store.load(CoveringStore::id(at), &mut loaded);
            assert_eq!(loaded, wanted);
            assert_eq!(store.open(CoveringStore::id(at)), wanted);
            let later = all[at + 1..].iter().any(|(other, its)| {
                other == key && its.iter().zip(bounds).all(|(one, other)| one >= other)
            });
            let covering = store.covered_by(CoveringStore::id(at));
            assert_eq!(covering.is_some(), later);
            if let Some(by) = covering {
                let (other, its) = &all[by.index()];
                assert!(by.index() > at && other == key);
                assert!(its.iter().zip(bounds).all(|(one, other)| one >= other));
                let first = all[at + 1..by.index()].iter().any(|(other, its)| {
                    other == key && its.iter().zip(bounds).all(|(one, other)| one >= other)
                });
                assert!(!first, "it is the first one that covers it");
            }
            let found = store.find(&wanted);
            assert_eq!(found, (!later).then(|| CoveringStore::id(at)));
        }
    }

    #[test]
    fn a_covered_state_is_stored_when_asked() {
        let mut store = CoveringStore::new(StoreLimits::NONE);
        let id = |at| CoveringStore::id(at);
        assert_eq!(store.insert(&state(b"a", &[5, 5])), Inserted::New(id(0)));
        let small = state(b"a", &[3, 3]);
        assert_eq!(store.insert(&small), Inserted::Covered);
        assert!(store.is_covered(&small, &|_| true) && !store.is_covered(&small, &|_| false));
        assert_eq!(store.insert_covered(&small), Inserted::New(id(1)));
        assert_eq!(store.insert_covered(&small), Inserted::Old(id(1)));
        assert!(store.is_covered(&small, &|at| at == id(1)));
        assert!(store.is_covered(&state(b"a", &[3, 2]), &|at| at == id(1)));
        assert!(!store.is_covered(&state(b"a", &[4, 3]), &|at| at == id(1)));
        assert_eq!(store.insert(&state(b"a", &[3, 4])), Inserted::Covered);
        // A state that covers both.
        assert_eq!(store.insert(&state(b"a", &[6, 6])), Inserted::New(id(2)));
        assert_eq!(store.covered_by(id(0)), Some(id(2)));
        assert_eq!(store.covered_by(id(1)), Some(id(2)));
        assert_eq!((store.len(), store.covered()), (3, 2));
    }

    #[test]
    fn memory_is_limited_to_the_byte() {
        for limit in [20_000, 200_000, 2_000_000] {
            let mut store = CoveringStore::new(StoreLimits { bytes: limit, ..StoreLimits::NONE });
            let mut number = 0_i32;
            while store.insert(&state(&number.to_le_bytes()[..2], &[number; 4])) != Inserted::Full {
                number += 7;
                assert!(store.bytes() <= limit);
            }
            assert!(number > 7);
        }
    }

    #[test]
    fn a_full_store_refuses_new_states_and_knows_covered_ones() {
        let mut store = CoveringStore::new(StoreLimits { bytes: usize::MAX, states: 1 });
        assert!(matches!(store.insert(&state(b"a", &[3])), Inserted::New(_)));
        assert_eq!(store.insert(&state(b"b", &[3])), Inserted::Full);
        assert_eq!(store.insert(&state(b"a", &[2])), Inserted::Covered);
    }
}
