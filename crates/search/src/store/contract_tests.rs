//! The contract of all stores: they agree with a map, and respect their limits.

use std::collections::HashMap;

use beeline_kernel::{Expansion, SplitMix64, StateId};

use super::hash::StateHash;
use super::trees::TreeStore;
use super::{Inserted, Prefetch, ProbeBatch, StateSet, StoreLimits};

pub(super) fn id(index: usize) -> StateId {
    StateId::new(index).unwrap()
}

/// A store that inserts all successors of an expansion at once.
pub(super) trait BatchInsertion: StateSet {
    fn insert_whole(&mut self, expansion: &Expansion) -> Vec<Inserted>;
}

impl<T: Prefetch> BatchInsertion for T {
    fn insert_whole(&mut self, expansion: &Expansion) -> Vec<Inserted> {
        let (mut inserted, mut batch) = (Vec::new(), ProbeBatch::default());
        self.prefetch_slots(&expansion.successors, &mut batch);
        self.prefetch_candidates(0..expansion.len(), &mut batch);
        self.insert_batch(&expansion.successors, 0..expansion.len(), &batch, |one| {
            inserted.push(one)
        });
        inserted
    }
}

impl BatchInsertion for TreeStore {
    fn insert_whole(&mut self, expansion: &Expansion) -> Vec<Inserted> {
        let mut inserted = Vec::new();
        let all = 0..expansion.len();
        self.insert_batch(&expansion.successors, all, |one| inserted.push(one));
        inserted
    }
}

/// Parameters of random states.
#[derive(Clone, Copy)]
pub(super) struct Draw {
    pub(super) seed: u64,
    pub(super) count: usize,
    /// The length is less than this.
    pub(super) length: usize,
    /// All bytes are less than this.
    pub(super) letters: usize,
}

impl Draw {
    fn states(self) -> impl Iterator<Item = Vec<u8>> {
        let mut rng = SplitMix64::new(self.seed);
        (0..self.count).map(move |_| {
            let length = rng.below(self.length);
            (0..length).map(|_| rng.below(self.letters) as u8).collect()
        })
    }
}

/// Inserts random strings one by one.
pub(super) fn agrees_with_a_map<T: StateSet>(store: &mut T, draw: Draw) {
    let mut model: HashMap<Vec<u8>, StateId> = HashMap::new();
    let mut order = Vec::new();
    for state in draw.states() {
        let expected = match model.get(&state) {
            Some(&known) => Inserted::Old(known),
            None => Inserted::New(id(model.len())),
        };
        assert_eq!(store.find(&state), model.get(&state).copied());
        assert_eq!(store.len(), model.len());
        assert_eq!(store.insert(&state), expected);
        if let Inserted::New(new) = expected {
            model.insert(state.clone(), new);
            order.push(state);
        }
        assert_eq!(store.len(), model.len());
    }
    let mut loaded = Vec::new();
    for (index, state) in order.iter().enumerate() {
        store.load(id(index), &mut loaded);
        assert_eq!(&loaded, state);
        assert_eq!(store.open(id(index)), state);
        assert_eq!(store.insert(state), Inserted::Old(id(index)));
    }
}

/// Random walk: opens a state, changes some of its bytes or its length in several ways, inserts all
/// at once, and continues from a random state. In half of the batches, all states have one length.
pub(super) fn agrees_with_a_map_in_batches<T: BatchInsertion>(
    store: &mut T,
    seed: u64,
    length: usize,
) {
    let mut rng = SplitMix64::new(seed);
    let mut model: HashMap<Vec<u8>, StateId> = HashMap::new();
    let mut order = vec![vec![0; length]];
    assert_eq!(store.insert(&order[0]), Inserted::New(id(0)));
    model.insert(order[0].clone(), id(0));
    for _ in 0..4_000 {
        let from = rng.below(order.len());
        assert_eq!(store.open(id(from)), order[from]);
        let mut expansion = Expansion::default();
        let mut expected = Vec::new();
        let is_uniform = rng.below(2) == 0;
        for _ in 0..rng.below(9) {
            let mut state = order[from].clone();
            match rng.below(8) {
                _ if is_uniform => {}
                0 => state.resize(state.len() + rng.below(14), 0),
                1 => state.truncate(state.len() - rng.below(state.len().min(14) + 1)),
                _ => {}
            }
            for _ in 0..rng.below(4).min(state.len()) {
                let at = rng.below(state.len());
                state[at] = rng.below(3) as u8;
            }
            expansion.push(&state);
            let next = id(model.len());
            expected.push(match model.get(&state) {
                Some(&known) => Inserted::Old(known),
                None => Inserted::New(next),
            });
            if model.insert(state.clone(), next).is_none() {
                order.push(state);
            } else if let Some(Inserted::Old(known)) = expected.last() {
                model.insert(state, *known);
            }
        }
        for (state, &expected) in expansion.states().zip(&expected) {
            let stored = match expected {
                Inserted::Old(known) if known.index() < store.len() => Some(known),
                _ => None,
            };
            assert_eq!(store.find(state), stored);
        }
        assert_eq!(store.insert_whole(&expansion), expected);
    }
    assert_eq!(store.len(), order.len());
    let mut loaded = Vec::new();
    for (index, state) in order.iter().enumerate() {
        store.load(id(index), &mut loaded);
        assert_eq!(&loaded, state);
    }
}

pub(super) fn a_prefix_or_an_added_zero_is_another_state<T: StateSet>(store: &mut T) {
    let states: [&[u8]; 7] = [&[], &[0], &[0; 2], &[0; 4], &[0; 5], &[0; 8], &[0, 0, 1]];
    for (index, state) in states.into_iter().enumerate() {
        assert_eq!(store.insert(state), Inserted::New(id(index)));
    }
    for (index, state) in states.into_iter().enumerate() {
        assert_eq!(store.insert(state), Inserted::Old(id(index)));
        assert_eq!(store.open(id(index)), state);
    }
}

/// Inserts different states of `length` bytes until there is no room.
fn fill<T: StateSet>(store: &mut T, length: usize) -> u32 {
    let mut states = 0_u32;
    while store.insert(&numbered(states, length)) != Inserted::Full {
        states += 1;
    }
    states
}

fn numbered(number: u32, length: usize) -> Vec<u8> {
    let mut state = number.to_le_bytes().to_vec();
    state.resize(length, 7);
    state
}

/// `least` is an upper bound on the bytes of a state, when there are many.
pub(super) fn stays_below_the_ceiling_and_uses_what_is_below<T: BatchInsertion>(
    length: usize,
    least: usize,
) {
    for bytes in [0, 2_000, 100_000, 1_500_000, 5_000_000] {
        let mut store = T::new(StoreLimits { bytes, ..StoreLimits::NONE });
        let states = fill(&mut store, length);
        assert!(states == 0 || store.bytes() <= bytes, "{} of {bytes}", store.bytes());
        assert!(states as usize * least >= bytes.saturating_sub(2_000), "{states} in {bytes}");
        // A full store still finds all stored states.
        for known in 0..states {
            let expected = Inserted::Old(id(known as usize));
            assert_eq!(store.insert(&numbered(known, length)), expected);
        }
        assert_eq!(store.insert(&[99; 1000]), Inserted::Full);
        // The batch ends at the first state without room.
        let mut batch = Expansion::default();
        (0..states.min(2)).for_each(|known| batch.push(&numbered(known, length)));
        (0..2).for_each(|n| batch.push(&[98 + n; 1000]));
        let inserted = store.insert_whole(&batch);
        assert_eq!(inserted.len(), states.min(2) as usize + 1);
        assert_eq!(inserted.last(), Some(&Inserted::Full));
    }
}

pub(super) fn holds_exactly_as_many_states_as_it_may<T: StateSet>() {
    for states in [0, 1, 47, 48, 49, 1_000] {
        let mut store = T::new(StoreLimits { states, ..StoreLimits::NONE });
        assert_eq!(fill(&mut store, 4) as usize, states);
        assert_eq!(store.len(), states);
    }
}

/// A bad hash: equal for all states.
pub(super) struct AllAlike;
/// Hashes at the end of the table, so that probing wraps around.
pub(super) struct AtTheEnd;
/// Few different hashes, which differ in their home slots only.
pub(super) struct PlacesDiffer;
/// Larger hashes come first.
pub(super) struct Backwards;

impl StateHash for AllAlike {
    fn hash(_: &[u8]) -> u64 {
        0
    }

    const SEED: u64 = 0;

    fn add(_: u64, _: u64) -> u64 {
        0
    }

    fn finish(_: u64) -> u64 {
        0
    }
}

impl StateHash for AtTheEnd {
    fn hash(state: &[u8]) -> u64 {
        u64::MAX - state.len() as u64
    }

    const SEED: u64 = u64::MAX;

    fn add(hash: u64, word: u64) -> u64 {
        hash - word % 4
    }

    fn finish(hash: u64) -> u64 {
        hash
    }
}

impl StateHash for PlacesDiffer {
    fn hash(state: &[u8]) -> u64 {
        (state.len() as u64) << 60
    }

    const SEED: u64 = 0;

    fn add(hash: u64, word: u64) -> u64 {
        hash ^ word
    }

    fn finish(hash: u64) -> u64 {
        hash << 60
    }
}

impl StateHash for Backwards {
    fn hash(state: &[u8]) -> u64 {
        (state.first().map_or(9, |&n| 8 - u64::from(n))) << 60
    }

    const SEED: u64 = 0;

    fn add(_: u64, word: u64) -> u64 {
        8 - word % 8
    }

    fn finish(hash: u64) -> u64 {
        hash << 60
    }
}
