//! Trees against the contract of stores, with bad hashes, and their promise to store common parts
//! once.

use super::super::contract_tests::{self, Draw};
use super::*;

fn check(mut store: TreeStore, seed: u64, count: usize, length: usize, letters: usize) {
    contract_tests::agrees_with_a_map(&mut store, Draw { seed, count, length, letters });
}

#[test]
fn agrees_with_a_map_on_random_states() {
    check(TreeStore::new(StoreLimits::NONE), 1, 200_000, 12, 4);
    check(TreeStore::new(StoreLimits::NONE), 2, 50_000, 60, 256);
    check(TreeStore::new(StoreLimits::NONE), 3, 2_000, 5_000, 256);
    check(TreeStore::new(StoreLimits::NONE), 4, 1_000, 2, 2);
}

#[test]
fn agrees_with_a_map_in_batches() {
    for (seed, length) in [(1, 0), (2, 30), (3, 64), (4, 700)] {
        contract_tests::agrees_with_a_map_in_batches(
            &mut TreeStore::new(StoreLimits::NONE),
            seed,
            length,
        );
    }
}

#[test]
fn compares_pairs_whose_hashes_collide() {
    check(TreeStore::with_hash(StoreLimits::NONE, |_, _| 0), 5, 2_000, 12, 3);
    check(TreeStore::with_hash(StoreLimits::NONE, |_, _| u64::MAX), 6, 2_000, 12, 3);
    check(TreeStore::with_hash(StoreLimits::NONE, |pair, _| pair << 50), 7, 2_000, 12, 3);
}

#[test]
fn a_prefix_or_an_added_zero_is_another_state() {
    let mut store = TreeStore::new(StoreLimits::NONE);
    contract_tests::a_prefix_or_an_added_zero_is_another_state(&mut store);
    let mut store = TreeStore::with_hash(StoreLimits::NONE, |_, _| 0);
    contract_tests::a_prefix_or_an_added_zero_is_another_state(&mut store);
}

#[test]
fn keeps_to_its_ceiling() {
    contract_tests::stays_below_the_ceiling_and_uses_what_is_below::<TreeStore>(4, 80);
    contract_tests::stays_below_the_ceiling_and_uses_what_is_below::<TreeStore>(40, 80);
    contract_tests::holds_exactly_as_many_states_as_it_may::<TreeStore>();
}

#[test]
fn keeps_what_is_common_once() {
    let mut store = TreeStore::new(StoreLimits::NONE);
    let mut state = [0; 80];
    for n in 0..400_000_u32 {
        // Twenty counters, of which six change.
        for digit in 0..6 {
            state[12 * digit] = (n / 9_u32.pow(digit as u32) % 9) as u8;
        }
        store.insert(&state);
    }
    assert_eq!(store.len(), 400_000);
    assert!(store.inner.len() < 8_000, "{} inner nodes", store.inner.len());
    assert!(store.bytes() < 400_000 * 18, "{} bytes", store.bytes());
}
