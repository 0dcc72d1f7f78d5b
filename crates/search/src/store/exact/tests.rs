//! The exact store against a map, against bad hashes, and against its ceiling.

use std::collections::HashMap;

use super::*;
use crate::rng::SplitMix64;

fn id(index: usize) -> StateId {
    StateId::new(index).unwrap()
}

/// Inserts `count` random strings of fewer than `length` of the bytes `0..letters`.
fn check(mut store: ExactStore, seed: u64, count: usize, length: usize, letters: usize) {
    let mut rng = SplitMix64::new(seed);
    let mut model: HashMap<Vec<u8>, StateId> = HashMap::new();
    let mut order = Vec::new();
    for _ in 0..count {
        let length = rng.below(length);
        let state: Vec<u8> = (0..length).map(|_| rng.below(letters) as u8).collect();
        let expected = match model.get(&state) {
            Some(&known) => Inserted::Old(known),
            None => Inserted::New(id(model.len())),
        };
        assert_eq!(store.insert(&state), expected);
        if let Inserted::New(new) = expected {
            model.insert(state.clone(), new);
            order.push(state);
        }
        assert_eq!(store.len(), model.len());
    }
    for (index, state) in order.iter().enumerate() {
        assert_eq!(store.load(id(index)), state);
        assert_eq!(store.insert(state), Inserted::Old(id(index)));
    }
    assert!(store.table.len() > store.len());
}

#[test]
fn agrees_with_a_map_on_random_states() {
    check(ExactStore::new(Ceiling::NONE), 1, 200_000, 12, 4);
    check(ExactStore::new(Ceiling::NONE), 2, 100_000, 60, 256);
    check(ExactStore::new(Ceiling::NONE), 3, 3_000, 5_000, 256);
    check(ExactStore::new(Ceiling::NONE), 4, 1_000, 2, 2);
}

#[test]
fn compares_states_whose_hashes_collide() {
    let all_alike = |_: &[u8]| 0;
    check(ExactStore::with_hash(Ceiling::NONE, all_alike), 5, 2_000, 8, 3);
    // One tag for all, at the end of the table: probing goes round.
    let at_the_end = |state: &[u8]| u64::from(u32::MAX) - state.len() as u64;
    check(ExactStore::with_hash(Ceiling::NONE, at_the_end), 6, 2_000, 8, 3);
    let tags_differ = |state: &[u8]| (state.len() as u64) << 32;
    check(ExactStore::with_hash(Ceiling::NONE, tags_differ), 7, 2_000, 8, 3);
}

#[test]
fn a_prefix_or_an_added_zero_is_another_state() {
    let mut store = ExactStore::new(Ceiling::NONE);
    let states: [&[u8]; 4] = [&[], &[0], &[0, 0], &[0, 0, 1]];
    for (index, state) in states.into_iter().enumerate() {
        assert_eq!(store.insert(state), Inserted::New(id(index)));
    }
    assert_eq!(store.insert(&[0]), Inserted::Old(id(1)));
}

fn fill(store: &mut ExactStore) -> u32 {
    let mut states = 0_u32;
    while store.insert(&states.to_le_bytes()) != Inserted::Full {
        states += 1;
    }
    states
}

#[test]
fn stays_below_the_ceiling_and_uses_what_is_below() {
    for bytes in [0, 2_000, 100_000, 1_500_000, 5_000_000] {
        let mut store = ExactStore::new(Ceiling { bytes, ..Ceiling::NONE });
        let states = fill(&mut store);
        assert!(states == 0 || store.bytes() <= bytes, "{} of {bytes}", store.bytes());
        assert!(states as usize * 80 >= bytes.saturating_sub(2_000), "{states} in {bytes}");
        // Full is not broken: what is known is still known.
        for known in 0..states {
            let expected = Inserted::Old(id(known as usize));
            assert_eq!(store.insert(&known.to_le_bytes()), expected);
        }
        assert_eq!(store.insert(b"another state"), Inserted::Full);
    }
}

#[test]
fn holds_exactly_as_many_states_as_it_may() {
    for states in [0, 1, 47, 48, 49, 1_000] {
        let mut store = ExactStore::new(Ceiling { states, ..Ceiling::NONE });
        assert_eq!(fill(&mut store) as usize, states);
        assert_eq!(store.len(), states);
    }
}

#[test]
fn counts_all_of_its_memory() {
    let mut store = ExactStore::new(Ceiling::NONE);
    assert_eq!(store.bytes(), FIRST * 8);
    for n in 0..200_000_u32 {
        store.insert(&n.to_le_bytes());
    }
    let (states, starts) = (200_000 * 4, 200_000 * 8);
    let needed = store.table.len() * 8 + states + starts;
    assert!(store.bytes() >= needed);
    assert!(store.bytes() < needed + (1 << 20) + (1 << 19));
}
