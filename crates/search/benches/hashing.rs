//! Does incremental hashing pay? A successor differs from its state in a few bytes, so its hash
//! could be computed from that of the state and the changes, instead of from all its bytes.
//! `cargo bench -p beeline-search --bench hashing`; `docs/book/hashing.md` has the figures.
//!
//! Source: [EMJ05], State Compaction and Incremental Hashing, sections 5 and 6 (Rabin and Karp).
//!
//! Nanoseconds for each successor, the best of many rounds, with all states in the caches: hash of
//! the whole state by the function of the stores (`whole`) and by a multilinear one of 64 bits,
//! like that of the sets of fingerprints (`whole, linear`); comparison only (`compare`); update of
//! the multilinear and the polynomial hash by the differences of a comparison (`linear`,
//! `polynomial`), and by differences that are known without one (`told`).

use std::hint::black_box;
use std::time::Instant;

use beeline_search::store::{FoldedMultiply, StateHash};

const LENGTHS: [usize; 4] = [20, 60, 200, 1000];
/// Successors of each state.
const SUCCESSORS: usize = 4;
/// Bytes of all states together.
const TOTAL: usize = 200_000;
const ROUNDS: usize = 300;
/// The modulus of the polynomial: a prime.
const PRIME: u64 = (1 << 61) - 1;

/// Random numbers: Knuth's MMIX generator, with its upper half.
struct Dice(u64);

impl Dice {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(0xb5);
        self.0 >> 32
    }

    fn below(&mut self, bound: usize) -> usize {
        (self.next() as usize * bound) >> 32
    }
}

/// A state and a successor of it.
struct Pair {
    before: Vec<u8>,
    after: Vec<u8>,
    /// The bytes that changed.
    changed: Vec<usize>,
    linear: u128,
    polynomial: u64,
}

struct Functions {
    multipliers: Vec<u128>,
    powers: Vec<u64>,
}

/// The words of a state, the last one padded with zeros.
fn words(state: &[u8]) -> impl Iterator<Item = u64> {
    let (words, rest) = state.as_chunks::<8>();
    let mut last = [0; 8];
    last[..rest.len()].copy_from_slice(rest);
    let last = (!rest.is_empty()).then(|| u64::from_le_bytes(last));
    words.iter().map(|word| u64::from_le_bytes(*word)).chain(last)
}

fn word(state: &[u8], at: usize) -> u64 {
    match state[8 * at..].first_chunk::<8>() {
        Some(word) => u64::from_le_bytes(*word),
        None => words(&state[8 * at..]).next().unwrap_or(0),
    }
}

/// Reports each word that changed, with its index. Most blocks have not changed, so four words are
/// compared at a time.
#[inline]
fn compare(before: &[u8], after: &[u8], mut tell: impl FnMut(usize, u64, u64)) {
    const BLOCK: usize = 32;
    let (blocks, rest) = before.as_chunks::<BLOCK>();
    let (others, other_rest) = after.as_chunks::<BLOCK>();
    let mut tell_of = |first: usize, before: &[u8], after: &[u8]| {
        for (at, (before, after)) in words(before).zip(words(after)).enumerate() {
            if before != after {
                tell(first + at, before, after);
            }
        }
    };
    for (at, (block, other)) in blocks.iter().zip(others).enumerate() {
        if block != other {
            tell_of(at * BLOCK / 8, block, other);
        }
    }
    tell_of(blocks.len() * BLOCK / 8, rest, other_rest);
}

impl Functions {
    fn new(length: usize, dice: &mut Dice) -> Functions {
        let mut number = || u128::from(dice.next()) << 96 | u128::from(dice.next()) << 32;
        let multipliers = (0..length.div_ceil(8)).map(|_| number() | 1).collect();
        let mut powers = vec![1];
        for at in 1..length {
            powers.push(times(powers[at - 1], 257));
        }
        Functions { multipliers, powers }
    }

    fn linear(&self, state: &[u8]) -> u128 {
        let terms = words(state).zip(&self.multipliers);
        terms.fold(0, |sum, (word, m)| sum.wrapping_add(m.wrapping_mul(u128::from(word))))
    }

    fn polynomial(&self, state: &[u8]) -> u64 {
        let terms = state.iter().zip(&self.powers);
        terms.fold(0, |sum, (&byte, &power)| (sum + times(power, u64::from(byte))) % PRIME)
    }

    /// The linear hash, from that of the previous state.
    #[inline]
    fn updated(&self, sum: u128, at: usize, before: u64, after: u64) -> u128 {
        let difference = u128::from(after).wrapping_sub(u128::from(before));
        sum.wrapping_add(self.multipliers[at].wrapping_mul(difference))
    }

    fn linear_by_comparing(&self, pair: &Pair) -> u128 {
        let mut sum = pair.linear;
        compare(&pair.before, &pair.after, |at, before, after| {
            sum = self.updated(sum, at, before, after);
        });
        sum
    }

    /// Updates each word once, at the first of its bytes that changed.
    fn linear_by_hearsay(&self, pair: &Pair) -> u128 {
        let mut last = usize::MAX;
        let mut sum = pair.linear;
        for &byte in &pair.changed {
            let at = byte / 8;
            if at != last {
                sum = self.updated(sum, at, word(&pair.before, at), word(&pair.after, at));
                last = at;
            }
        }
        sum
    }

    fn polynomial_by_comparing(&self, pair: &Pair) -> u64 {
        let mut sum = pair.polynomial;
        compare(&pair.before, &pair.after, |at, before, after| {
            let mut bits = before ^ after;
            while bits != 0 {
                let byte = bits.trailing_zeros() as usize / 8;
                bits &= !(0xff << (8 * byte));
                let (old, new) = (before >> (8 * byte) & 0xff, after >> (8 * byte) & 0xff);
                let power = self.powers[8 * at + byte];
                sum = (sum + PRIME - times(power, old) + times(power, new)) % PRIME;
            }
        });
        sum
    }
}

fn times(a: u64, b: u64) -> u64 {
    (u128::from(a) * u128::from(b) % u128::from(PRIME)) as u64
}

fn pairs(length: usize, functions: &Functions, dice: &mut Dice) -> Vec<Pair> {
    let mut pairs = Vec::new();
    for _ in 0..(TOTAL / length / (1 + SUCCESSORS)).max(1) {
        let before: Vec<u8> = (0..length).map(|_| dice.next() as u8).collect();
        for _ in 0..SUCCESSORS {
            let mut after = before.clone();
            let mut changed: Vec<usize> =
                (0..1 + dice.below(3)).map(|_| dice.below(length)).collect();
            changed.sort_unstable();
            changed.dedup();
            changed.iter().for_each(|&at| after[at] = after[at].wrapping_add(1));
            let (linear, polynomial) = (functions.linear(&before), functions.polynomial(&before));
            pairs.push(Pair { before: before.clone(), after, changed, linear, polynomial });
        }
    }
    pairs
}

/// Nanoseconds for each pair.
fn measure(pairs: &[Pair], mut one: impl FnMut(&Pair) -> u64) -> f64 {
    let mut best = f64::INFINITY;
    for _ in 0..ROUNDS {
        let start = Instant::now();
        for pair in pairs {
            black_box(one(black_box(pair)));
        }
        best = best.min(start.elapsed().as_secs_f64() * 1e9 / pairs.len() as f64);
    }
    best
}

fn main() {
    println!("| bytes | whole | whole, linear | compare | linear | polynomial | told |");
    println!("|---:|---:|---:|---:|---:|---:|---:|");
    for length in LENGTHS {
        let mut dice = Dice(length as u64);
        let functions = Functions::new(length, &mut dice);
        let pairs = pairs(length, &functions, &mut dice);
        for pair in &pairs {
            let linear = functions.linear(&pair.after);
            assert_eq!(functions.linear_by_comparing(pair), linear);
            assert_eq!(functions.linear_by_hearsay(pair), linear);
            assert_eq!(functions.polynomial_by_comparing(pair), functions.polynomial(&pair.after));
        }
        let upper = |sum: u128| (sum >> 64) as u64;
        let figures = [
            measure(&pairs, |pair| FoldedMultiply::hash(&pair.after)),
            measure(&pairs, |pair| upper(functions.linear(&pair.after))),
            measure(&pairs, |pair| {
                let mut count = 0;
                compare(&pair.before, &pair.after, |_, _, _| count += 1);
                count
            }),
            measure(&pairs, |pair| upper(functions.linear_by_comparing(pair))),
            measure(&pairs, |pair| functions.polynomial_by_comparing(pair)),
            measure(&pairs, |pair| upper(functions.linear_by_hearsay(pair))),
        ];
        let figures: Vec<String> = figures.iter().map(|ns| format!("{ns:.1}")).collect();
        println!("| {length} | {} |", figures.join(" | "));
    }
}
