//! The exact store against the contract of stores, and with bad hashes.

use beeline_kernel::SplitMix64;

use super::super::contract_tests::{self, AllAlike, AtTheEnd, Backwards, Draw, PlacesDiffer};
use super::super::hash::StateHash;
use super::super::{Inserted, StateSet, StoreLimits};
use super::*;

fn check<H: StateHash>(
    mut store: ExactStore<H>,
    seed: u64,
    count: usize,
    length: usize,
    letters: usize,
) {
    contract_tests::agrees_with_a_map(&mut store, Draw { seed, count, length, letters });
}

#[test]
fn agrees_with_a_map_on_random_states() {
    check(ExactStore::<FoldedMultiply>::new(StoreLimits::NONE), 1, 200_000, 12, 4);
    check(ExactStore::<FoldedMultiply>::new(StoreLimits::NONE), 2, 100_000, 60, 256);
    check(ExactStore::<FoldedMultiply>::new(StoreLimits::NONE), 3, 3_000, 5_000, 256);
    check(ExactStore::<FoldedMultiply>::new(StoreLimits::NONE), 4, 1_000, 2, 2);
}

#[test]
fn long_states_are_kept_without_what_is_zero_in_all_of_them() {
    for length in [200, 1_000] {
        let mut store = ExactStore::<FoldedMultiply>::new(StoreLimits::NONE);
        let (mut rng, mut states) = (SplitMix64::new(length as u64), Vec::new());
        let used: Vec<usize> = (0..20).map(|_| rng.below(length / 2)).collect();
        for number in 0..20_000 {
            // Some states are longer, and some later ones have more nonzero bytes.
            let mut state = vec![0; length + rng.below(2) * 24];
            (0..10).for_each(|_| state[used[rng.below(20)]] = 1 + rng.below(3) as u8);
            if number > 10_000 && rng.below(500) == 0 {
                state[rng.below(length)] = 7;
            }
            states.push(state);
        }
        let ids: Vec<Inserted> = states.iter().map(|state| store.insert(state)).collect();
        let bytes = (store.bytes() - store.table_bytes()) / store.len();
        assert!(bytes < length / 4 * 3, "{bytes} of {length}");
        assert_eq!(store.longest(), length + 24);
        let mut loaded = Vec::new();
        for (state, inserted) in states.iter().zip(ids) {
            let (Inserted::New(id) | Inserted::Old(id)) = inserted else { panic!("it is full") };
            assert_eq!(store.insert(state), Inserted::Old(id));
            store.load(id, &mut loaded);
            assert_eq!((store.open(id), &loaded), (state.as_slice(), state));
        }
    }
}

#[test]
fn agrees_with_a_map_in_batches() {
    for (seed, length) in [(1, 0), (2, 30), (3, 64), (4, 700)] {
        contract_tests::agrees_with_a_map_in_batches(
            &mut ExactStore::<FoldedMultiply>::new(StoreLimits::NONE),
            seed,
            length,
        );
    }
}

#[test]
fn compares_states_whose_hashes_collide() {
    check(ExactStore::<AllAlike>::new(StoreLimits::NONE), 5, 2_000, 8, 3);
    check(ExactStore::<AtTheEnd>::new(StoreLimits::NONE), 6, 2_000, 8, 3);
    check(ExactStore::<PlacesDiffer>::new(StoreLimits::NONE), 7, 2_000, 8, 3);
    check(ExactStore::<Backwards>::new(StoreLimits::NONE), 8, 2_000, 8, 3);
    for (seed, length) in [(1, 0), (2, 30)] {
        let mut store = ExactStore::<AllAlike>::new(StoreLimits::NONE);
        contract_tests::agrees_with_a_map_in_batches(&mut store, seed, length);
    }
}

#[test]
fn a_prefix_or_an_added_zero_is_another_state() {
    let mut store = ExactStore::<FoldedMultiply>::new(StoreLimits::NONE);
    contract_tests::a_prefix_or_an_added_zero_is_another_state(&mut store);
}

#[test]
fn keeps_to_its_ceiling() {
    contract_tests::stays_below_the_ceiling_and_uses_what_is_below::<ExactStore>(4, 80);
    contract_tests::holds_exactly_as_many_states_as_it_may::<ExactStore>();
}

#[test]
fn counts_all_of_its_memory() {
    let mut store = ExactStore::<FoldedMultiply>::new(StoreLimits::NONE);
    assert!(store.bytes() < 1_000);
    for n in 0..200_000_u32 {
        store.insert(&n.to_le_bytes());
    }
    let needed = store.table_bytes() + 200_000 * 4;
    assert!(store.bytes() >= needed);
    assert!(store.bytes() < needed + 300_000);
}
