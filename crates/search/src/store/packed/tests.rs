//! The packed store against the contract of stores, and with bad hashes.

use super::super::contract_tests::{self, AllAlike, AtTheEnd, Backwards, Draw, PlacesDiffer};
use super::super::hash::StateHash;
use super::super::{StateSet, StoreLimits};
use super::records::SHARE;
use super::*;

fn check<H: StateHash>(draw: Draw) {
    contract_tests::agrees_with_a_map(&mut PackedStore::<H>::new(StoreLimits::NONE), draw);
}

#[test]
fn agrees_with_a_map_on_random_states() {
    check::<FoldedMultiply>(Draw { seed: 1, count: 200_000, length: 12, letters: 4 });
    check::<FoldedMultiply>(Draw { seed: 2, count: 100_000, length: 60, letters: 256 });
    check::<FoldedMultiply>(Draw { seed: 3, count: 3_000, length: 5_000, letters: 256 });
    check::<FoldedMultiply>(Draw { seed: 4, count: 1_000, length: 2, letters: 2 });
}

#[test]
fn agrees_with_a_map_in_batches() {
    for (seed, length) in [(1, 0), (2, 30), (3, 64), (4, 700)] {
        let mut store = PackedStore::<FoldedMultiply>::new(StoreLimits::NONE);
        contract_tests::agrees_with_a_map_in_batches(&mut store, seed, length);
    }
}

#[test]
fn compares_states_whose_hashes_collide() {
    let draw = |seed| Draw { seed, count: 2_000, length: 8, letters: 3 };
    check::<AllAlike>(draw(5));
    check::<AtTheEnd>(draw(6));
    check::<PlacesDiffer>(draw(7));
    check::<Backwards>(draw(8));
    for (seed, length) in [(1, 0), (2, 30)] {
        let mut store = PackedStore::<AllAlike>::new(StoreLimits::NONE);
        contract_tests::agrees_with_a_map_in_batches(&mut store, seed, length);
    }
}

#[test]
fn a_prefix_or_an_added_zero_is_another_state() {
    let mut store = PackedStore::<FoldedMultiply>::new(StoreLimits::NONE);
    contract_tests::a_prefix_or_an_added_zero_is_another_state(&mut store);
}

#[test]
fn keeps_to_its_ceiling() {
    contract_tests::stays_below_the_ceiling_and_uses_what_is_below::<PackedStore>(4, 80);
    contract_tests::holds_exactly_as_many_states_as_it_may::<PackedStore>();
}

/// Two of the forty bytes of a state change: states take two bytes, and few are raw.
#[test]
fn what_never_changes_takes_no_room() {
    let mut store = PackedStore::<FoldedMultiply>::new(StoreLimits::NONE);
    for n in 0..60_000_u16 {
        let mut state = [7; 40];
        state[11..13].copy_from_slice(&n.to_le_bytes());
        store.insert(&state);
    }
    assert_eq!(store.records.most_bytes(), 2);
    assert!(store.records.raw_len() < 60_000 / SHARE);
    let needed = store.table_bytes() + 60_000 * 2;
    assert!(store.bytes() < needed + (1 << 20), "{} to {needed}", store.bytes());
}
