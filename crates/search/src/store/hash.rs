//! Hash functions for states, in full or word by word.

use super::blocks;

/// A hash function for states.
pub trait StateHash {
    /// The hash of a full state.
    fn hash(state: &[u8]) -> u64;

    /// The same hash of a state of `N` blocks of sixteen bytes.
    #[inline(always)]
    fn hash_blocks<const N: usize>(state: &[u8]) -> u64 {
        Self::hash(state)
    }

    /// The hash to which the first word is added.
    const SEED: u64;

    /// Adds a word to a hash.
    fn add(hash: u64, word: u64) -> u64;

    /// The final hash of all words that were added.
    fn finish(hash: u64) -> u64;
}

/// Folded multiplication: sixteen bytes at a time, or a word and the hash so far, are multiplied to
/// 128 bits, whose halves are combined by exclusive or.
///
/// Source: wyhash and its successor rapidhash; the constants are those of rapidhash, version 3.
/// Written here so that it is inlined into the loop that hashes successors.
#[derive(Clone, Copy, Debug)]
pub struct FoldedMultiply;

const SECRETS: [u64; 3] = [0x2d35_8dcc_aa6c_78a5, 0x8bb8_4b93_962e_acc9, 0x4b33_a62e_d433_d4a3];

#[inline]
fn fold(a: u64, b: u64) -> u64 {
    let product = u128::from(a) * u128::from(b);
    product as u64 ^ (product >> 64) as u64
}

/// Bytes of one multiplication.
const BLOCK: usize = 16;

/// The word of eight bytes at an offset.
#[inline]
pub(super) fn word(bytes: &[u8], at: usize) -> u64 {
    u64::from_le_bytes(bytes[at..at + 8].try_into().expect("a word has eight bytes"))
}

impl StateHash for FoldedMultiply {
    #[inline(always)]
    fn hash(state: &[u8]) -> u64 {
        let length = state.len();
        let mut seed = SECRETS[2] ^ length as u64;
        // The last sixteen bytes may overlap the block before.
        let (a, b) = if length > BLOCK {
            for block in state[..length - 1].as_chunks::<BLOCK>().0 {
                seed = fold(word(block, 0) ^ SECRETS[0], word(block, 8) ^ seed);
            }
            (word(state, length - BLOCK), word(state, length - 8))
        } else if length >= 8 {
            (word(state, 0), word(state, length - 8))
        } else {
            let mut short = [0; 8];
            short[..length].copy_from_slice(state);
            (u64::from_le_bytes(short), SECRETS[0])
        };
        let mixed = fold(a ^ SECRETS[1], b ^ seed);
        fold(mixed ^ SECRETS[0], SECRETS[1] ^ length as u64)
    }

    #[inline(always)]
    fn hash_blocks<const N: usize>(state: &[u8]) -> u64 {
        blocks::check::<N>(state.len());
        FoldedMultiply::hash(state)
    }

    const SEED: u64 = SECRETS[2];

    #[inline(always)]
    fn add(hash: u64, word: u64) -> u64 {
        fold(word ^ SECRETS[0], hash ^ SECRETS[1])
    }

    #[inline(always)]
    fn finish(hash: u64) -> u64 {
        fold(hash ^ SECRETS[0], SECRETS[1])
    }
}

#[cfg(test)]
mod tests {
    use super::blocks::with_blocks;
    use super::*;

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
                    let difference = FoldedMultiply::hash(state) ^ FoldedMultiply::hash(&other);
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

    #[test]
    fn the_hash_of_blocks_is_the_same() {
        struct Check(Vec<u8>);
        impl Check {
            fn check<const N: usize>(&self) {
                let hash = FoldedMultiply::hash_blocks::<N>(&self.0);
                assert_eq!(hash, FoldedMultiply::hash(&self.0), "length {}", self.0.len());
            }
        }
        for length in 8..150_u8 {
            let check = Check((0..length).map(|at| at.wrapping_mul(37)).collect());
            let blocks = blocks::blocks(usize::from(length)).expect("it has a word");
            with_blocks!(blocks, N => check.check::<N>());
        }
    }

    /// The same, word by word.
    #[test]
    fn words_are_spread() {
        let hash = |word: u64| {
            FoldedMultiply::finish(FoldedMultiply::add(
                FoldedMultiply::add(FoldedMultiply::SEED, 7),
                word,
            ))
        };
        for bit in 0..64 {
            let mut flips = [0_u32; 64];
            for word in 0..400_u64 {
                let difference = hash(word << 20) ^ hash(word << 20 ^ 1 << bit);
                for (at, count) in flips.iter_mut().enumerate() {
                    *count += (difference >> at & 1) as u32;
                }
            }
            let biased = flips.iter().position(|count| !(130..=270).contains(count));
            assert_eq!(biased, None, "bit {bit}: {flips:?}");
        }
    }
}
