//! A universal family of hash functions, one for each seed.
//!
//! A state of words w₁ … wₙ is hashed to the upper half of m₀ + m₁·w₁ + … + mₙ·wₙ, modulo
//! 2¹²⁸, where the multipliers m are random numbers of 128 bits. Sums of states that differ in a
//! word differ by a random multiple of the difference, and have equal upper halves for one multiplier
//! in 2⁶⁴: any two states collide with that probability. The length of a state is its first word,
//! and the last word is padded with zeros.
//!
//! Source: multilinear hashing [CW79], with a shift instead of a prime. A final bijection mixes the
//! bits, so that similar states are not neighbours in a table; it neither adds nor removes
//! collisions.

use beeline_kernel::SplitMix64;

/// `LANES` hash functions of 64 bits.
#[derive(Clone, Debug)]
pub(super) struct Multilinear<const LANES: usize> {
    rng: SplitMix64,
    /// Multipliers for the longest state so far.
    multipliers: Vec<[u128; LANES]>,
}

/// Bytes of a word.
const WORD: usize = 8;

impl<const LANES: usize> Multilinear<LANES> {
    /// The hash functions of this seed.
    pub(super) fn new(seed: u64) -> Self {
        Multilinear { rng: SplitMix64::new(seed), multipliers: Vec::new() }
    }

    /// The hashes of a state.
    #[inline]
    pub(super) fn hash(&mut self, state: &[u8]) -> [u64; LANES] {
        // The constant, the length, the words.
        let needed = 2 + state.len().div_ceil(WORD);
        if self.multipliers.len() < needed {
            self.grow(needed);
        }
        let (first, rest) = self.multipliers.split_at(2);
        let length = state.len() as u128;
        let mut sums: [u128; LANES] = std::array::from_fn(|lane| {
            first[0][lane].wrapping_add(first[1][lane].wrapping_mul(length))
        });
        let (words, last) = state.as_chunks::<WORD>();
        let mut last_word = [0; WORD];
        last_word[..last.len()].copy_from_slice(last);
        let words = words.iter().chain((!last.is_empty()).then_some(&last_word));
        for (word, multipliers) in words.zip(rest) {
            let word = u128::from(u64::from_le_bytes(*word));
            for (sum, multiplier) in sums.iter_mut().zip(multipliers) {
                *sum = sum.wrapping_add(multiplier.wrapping_mul(word));
            }
        }
        sums.map(|sum| mixed((sum >> 64) as u64))
    }

    #[cold]
    fn grow(&mut self, needed: usize) {
        let rng = &mut self.rng;
        let more = needed - self.multipliers.len();
        self.multipliers.extend((0..more).map(|_| {
            std::array::from_fn(|_| u128::from(rng.next_u64()) << 64 | u128::from(rng.next_u64()))
        }));
    }
}

/// A bijection that separates neighbouring numbers.
#[inline]
fn mixed(number: u64) -> u64 {
    // The generator applies such a bijection to its counter.
    SplitMix64::new(number).next_u64()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn states_differ_by_every_byte_and_by_their_length() {
        let mut hash = Multilinear::<2>::new(1);
        let mut seen = Vec::new();
        for length in 0..40 {
            let mut state = vec![0; length];
            seen.push(hash.hash(&state));
            for at in 0..length {
                for bit in 0..8 {
                    state[at] = 1 << bit;
                    seen.push(hash.hash(&state));
                }
                state[at] = 0;
            }
        }
        let all = seen.len();
        seen.sort_unstable();
        seen.dedup();
        assert_eq!(seen.len(), all);
    }

    #[test]
    fn follows_its_seed_whatever_was_hashed_before() {
        let state = [7; 30];
        let (mut one, mut two) = (Multilinear::<1>::new(1), Multilinear::<1>::new(1));
        one.hash(&[0; 9]);
        assert_eq!(one.hash(&state), two.hash(&state));
        assert_ne!(Multilinear::<1>::new(2).hash(&state), two.hash(&state));
    }

    #[test]
    fn upper_bits_of_a_grid_are_as_even_as_chance() {
        const BITS: u32 = 16;
        let mut counts = vec![0_u32; 1 << BITS];
        let mut hash = Multilinear::<1>::new(3);
        for number in 0..1_u32 << BITS {
            let [x, y, ..] = number.to_le_bytes();
            counts[(hash.hash(&[x, 0, y, 0, 0])[0] >> (64 - BITS)) as usize] += 1;
        }
        // Of as many places as states, one in e stays empty.
        let empty = counts.iter().filter(|&&count| count == 0).count() as f64;
        let expected = f64::from(1 << BITS) / std::f64::consts::E;
        assert!((empty - expected).abs() < 0.02 * expected, "{empty} of {expected}");
        assert!(counts.iter().all(|&count| count < 12));
    }
}
