//! The exact store against what every store has to do, and against bad hashes.

use super::super::checks::{self, Draw};
use super::*;

fn check(mut store: ExactStore, seed: u64, count: usize, length: usize, letters: usize) {
    checks::agrees_with_a_map(&mut store, Draw { seed, count, length, letters });
}

#[test]
fn agrees_with_a_map_on_random_states() {
    check(ExactStore::new(Ceiling::NONE), 1, 200_000, 12, 4);
    check(ExactStore::new(Ceiling::NONE), 2, 100_000, 60, 256);
    check(ExactStore::new(Ceiling::NONE), 3, 3_000, 5_000, 256);
    check(ExactStore::new(Ceiling::NONE), 4, 1_000, 2, 2);
}

#[test]
fn agrees_with_a_map_in_batches() {
    for (seed, length) in [(1, 0), (2, 30), (3, 64), (4, 700)] {
        checks::agrees_with_a_map_in_batches(&mut ExactStore::new(Ceiling::NONE), seed, length);
    }
}

#[test]
fn compares_states_whose_hashes_collide() {
    let all_alike = |_: &[u8]| 0;
    check(ExactStore::with_hash(Ceiling::NONE, all_alike), 5, 2_000, 8, 3);
    // At the end of the table, and over it.
    let at_the_end = |state: &[u8]| u64::MAX - state.len() as u64;
    check(ExactStore::with_hash(Ceiling::NONE, at_the_end), 6, 2_000, 8, 3);
    let places_differ = |state: &[u8]| (state.len() as u64) << 60;
    check(ExactStore::with_hash(Ceiling::NONE, places_differ), 7, 2_000, 8, 3);
    let backwards = |state: &[u8]| (state.first().map_or(9, |&n| 8 - u64::from(n))) << 60;
    check(ExactStore::with_hash(Ceiling::NONE, backwards), 8, 2_000, 8, 3);
}

#[test]
fn a_prefix_or_an_added_zero_is_another_state() {
    let mut store = ExactStore::new(Ceiling::NONE);
    checks::a_prefix_or_an_added_zero_is_another_state(&mut store);
}

#[test]
fn keeps_to_its_ceiling() {
    checks::stays_below_the_ceiling_and_uses_what_is_below::<ExactStore>(4, 80);
    checks::holds_exactly_as_many_states_as_it_may::<ExactStore>();
}

#[test]
fn counts_all_of_its_memory() {
    let mut store = ExactStore::new(Ceiling::NONE);
    assert!(store.bytes() < 1_000);
    for n in 0..200_000_u32 {
        store.insert(&n.to_le_bytes());
    }
    let needed = store.table.bytes() + 200_000 * 4;
    assert!(store.bytes() >= needed);
    assert!(store.bytes() < needed + 300_000);
}
