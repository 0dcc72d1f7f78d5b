//! The exact store against what every store has to do, and against bad hashes.

use super::super::checks::{self, Draw};
use super::*;

fn check<H: StateHash>(
    mut store: ExactStore<H>,
    seed: u64,
    count: usize,
    length: usize,
    letters: usize,
) {
    checks::agrees_with_a_map(&mut store, Draw { seed, count, length, letters });
}

#[test]
fn agrees_with_a_map_on_random_states() {
    check(ExactStore::<Folded>::new(Ceiling::NONE), 1, 200_000, 12, 4);
    check(ExactStore::<Folded>::new(Ceiling::NONE), 2, 100_000, 60, 256);
    check(ExactStore::<Folded>::new(Ceiling::NONE), 3, 3_000, 5_000, 256);
    check(ExactStore::<Folded>::new(Ceiling::NONE), 4, 1_000, 2, 2);
}

#[test]
fn agrees_with_a_map_in_batches() {
    for (seed, length) in [(1, 0), (2, 30), (3, 64), (4, 700)] {
        checks::agrees_with_a_map_in_batches(
            &mut ExactStore::<Folded>::new(Ceiling::NONE),
            seed,
            length,
        );
    }
}

struct AllAlike;
/// At the end of the table, and over it.
struct AtTheEnd;
struct PlacesDiffer;
struct Backwards;

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

#[test]
fn compares_states_whose_hashes_collide() {
    check(ExactStore::<AllAlike>::new(Ceiling::NONE), 5, 2_000, 8, 3);
    check(ExactStore::<AtTheEnd>::new(Ceiling::NONE), 6, 2_000, 8, 3);
    check(ExactStore::<PlacesDiffer>::new(Ceiling::NONE), 7, 2_000, 8, 3);
    check(ExactStore::<Backwards>::new(Ceiling::NONE), 8, 2_000, 8, 3);
    for (seed, length) in [(1, 0), (2, 30)] {
        let mut store = ExactStore::<AllAlike>::new(Ceiling::NONE);
        checks::agrees_with_a_map_in_batches(&mut store, seed, length);
    }
}

#[test]
fn a_prefix_or_an_added_zero_is_another_state() {
    let mut store = ExactStore::<Folded>::new(Ceiling::NONE);
    checks::a_prefix_or_an_added_zero_is_another_state(&mut store);
}

#[test]
fn keeps_to_its_ceiling() {
    checks::stays_below_the_ceiling_and_uses_what_is_below::<ExactStore>(4, 80);
    checks::holds_exactly_as_many_states_as_it_may::<ExactStore>();
}

#[test]
fn counts_all_of_its_memory() {
    let mut store = ExactStore::<Folded>::new(Ceiling::NONE);
    assert!(store.bytes() < 1_000);
    for n in 0..200_000_u32 {
        store.insert(&n.to_le_bytes());
    }
    let needed = store.table.bytes() + 200_000 * 4;
    assert!(store.bytes() >= needed);
    assert!(store.bytes() < needed + 300_000);
}

/// Flipping any bit of a state flips every bit of the hash about half of the time.
#[test]
fn the_hash_spreads_every_bit() {
    for length in [1, 7, 8, 15, 16, 17, 31, 32, 33, 60, 100] {
        let states: Vec<Vec<u8>> = (0..400_u32)
            .map(|n| (0..length).map(|at| (n.wrapping_mul(31 + at) >> 3) as u8).collect())
            .collect();
        for bit in 0..8 * length as usize {
            let mut flips = [0_u32; 64];
            for state in &states {
                let mut other = state.clone();
                other[bit / 8] ^= 1 << (bit % 8);
                let difference = Folded::hash(state) ^ Folded::hash(&other);
                for (at, count) in flips.iter_mut().enumerate() {
                    *count += (difference >> at & 1) as u32;
                }
            }
            // In a state of one byte there are 256 states only.
            let fair = if length == 1 { 80..=320 } else { 130..=270 };
            let biased = flips.iter().position(|count| !fair.contains(count));
            assert_eq!(biased, None, "length {length}, bit {bit}: {flips:?}");
        }
    }
}
