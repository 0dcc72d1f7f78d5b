//! Bit-state hashing: each state sets a few bits of one array (a Bloom filter).
//!
//! A state whose bits are all set already is taken for a visited one. With a fraction f of all bits
//! set, a new state of k bits is omitted with probability q = fᵏ. So for each state found to be new,
//! q/(1-q) others are omitted on average, and the sum of these is the estimate. The array does not
//! grow and is never full: omissions become more frequent instead.
//!
//! Source: [EMJ05], State Compaction and Incremental Hashing, section 2 (single and multi bitstate
//! hashing). The bits are x + i·y for two hashes x and y, as in [DM04].

use super::multilinear::Multilinear;
use super::{Omissions, Seen, Visited};
use crate::store::memory;

/// Bits of a word.
const WORD: usize = 64;

/// A set of states, each some bits of an array.
#[derive(Clone, Debug)]
pub struct Bitstate {
    hash: Multilinear<2>,
    words: Vec<u64>,
    /// Bits for each state.
    bits: u32,
    /// The number of bits that are set.
    set: usize,
    len: usize,
    /// The words with bits set, as long as they are few: then clearing the array takes no longer
    /// than filling it did.
    touched: Vec<usize>,
    /// The expected number of omitted states.
    overlooked: f64,
}

impl Bitstate {
    /// An array of `bytes` bytes, at least a word, with `bits` bits for each state, at least one.
    /// `None` if there is no memory for it.
    pub fn new(seed: u64, bytes: usize, bits: u32) -> Option<Bitstate> {
        let length = (bytes / size_of::<u64>()).max(1);
        Some(Bitstate {
            hash: Multilinear::new(seed),
            words: memory::zeros(length)?,
            bits: bits.max(1),
            set: 0,
            len: 0,
            touched: Vec::new(),
            overlooked: 0.0,
        })
    }

    /// The fraction of bits that are set.
    pub fn filling(&self) -> f64 {
        self.set as f64 / (self.words.len() * WORD) as f64
    }

    /// The number of set bits up to which the touched words are noted.
    fn few(&self) -> usize {
        self.words.len() / 256
    }

    /// The word of a hash, and a mask for its bit.
    #[inline]
    fn place(&self, hash: u64) -> (usize, u64) {
        place_in(self.words.len(), hash)
    }
}

/// The word of a hash in an array of `words` words, and a mask for its bit.
#[inline]
pub(super) fn place_in(words: usize, hash: u64) -> (usize, u64) {
    let bits = words as u128 * WORD as u128;
    let bit = ((u128::from(hash) * bits) >> 64) as usize;
    (bit / WORD, 1 << (bit % WORD))
}

/// The hashes x + i·y of the bits of a state.
#[inline]
pub(super) fn hashes([x, y]: [u64; 2], bits: u32) -> impl Iterator<Item = u64> {
    (0..u64::from(bits)).map(move |i| x.wrapping_add(i.wrapping_mul(y)))
}

impl Visited for Bitstate {
    type Fingerprint = [u64; 2];

    fn restart(&mut self, seed: u64) {
        self.hash = Multilinear::new(seed);
        if self.set <= self.few() {
            for word in self.touched.drain(..) {
                self.words[word] = 0;
            }
        } else {
            self.words.fill(0);
            self.touched.clear();
        }
        (self.set, self.len, self.overlooked) = (0, 0, 0.0);
    }

    #[inline]
    fn fingerprint(&mut self, state: &[u8]) -> [u64; 2] {
        let fingerprint = self.hash.hash(state);
        for hash in hashes(fingerprint, self.bits) {
            memory::prefetch(&self.words, self.place(hash).0);
        }
        fingerprint
    }

    #[inline]
    fn add(&mut self, fingerprint: [u64; 2]) -> Seen {
        let q = self.omission_probability();
        let mut added = 0;
        for hash in hashes(fingerprint, self.bits) {
            let (word, bit) = self.place(hash);
            if self.words[word] & bit == 0 {
                self.words[word] |= bit;
                added += 1;
                if self.set + added <= self.few() {
                    self.touched.push(word);
                }
            }
        }
        if added == 0 {
            return Seen::Old;
        }
        self.overlooked += q / (1.0 - q);
        self.set += added;
        self.len += 1;
        Seen::New
    }

    #[inline]
    fn contains(&self, fingerprint: [u64; 2]) -> bool {
        hashes(fingerprint, self.bits).all(|hash| {
            let (word, bit) = self.place(hash);
            self.words[word] & bit != 0
        })
    }

    #[inline]
    fn omission_probability(&self) -> f64 {
        self.filling().powi(self.bits as i32)
    }

    fn len(&self) -> usize {
        self.len
    }

    fn bytes(&self) -> usize {
        self.words.len() * size_of::<u64>() + self.touched.capacity() * size_of::<usize>()
    }

    fn omissions(&self) -> Omissions {
        Omissions::new(self.len, self.overlooked)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn overlooked(bytes: usize, bits: u32, seed: u64) -> (usize, Omissions, f64) {
        const STATES: u32 = 100_000;
        let mut set = Bitstate::new(seed, bytes, bits).expect("there is memory");
        let old = (0..STATES).filter(|n| set.insert(&n.to_le_bytes()) == Seen::Old).count();
        assert_eq!(set.len() + old, STATES as usize);
        assert!((0..STATES).all(|n| set.insert(&n.to_le_bytes()) == Seen::Old));
        (old, set.omissions(), set.filling())
    }

    #[test]
    fn a_large_array_loses_nothing() {
        let (old, omissions, filling) = overlooked(64 << 20, 3, 1);
        assert_eq!(old, 0);
        assert!(omissions.probability() < 0.001, "{omissions}");
        assert!((filling - 300_000.0 / (512 << 20) as f64).abs() < 1e-6);
    }

    #[test]
    fn the_estimate_is_close_to_the_truth() {
        for bits in 1..=5 {
            for bytes in [10_000, 30_000, 100_000] {
                let (old, omissions, _) = overlooked(bytes, bits, u64::from(bits));
                let (old, expected) = (old as f64, omissions.expected);
                assert!((old - expected).abs() < 0.1 * old + 10.0, "{old}, {expected}");
                assert!((omissions.of - 100_000.0).abs() < 10_000.0);
            }
        }
    }

    #[test]
    fn what_is_overlooked_depends_on_the_seed() {
        assert_eq!(overlooked(30_000, 3, 1), overlooked(30_000, 3, 1));
        assert_ne!(overlooked(30_000, 3, 1), overlooked(30_000, 3, 2));
    }

    #[test]
    fn forgets_everything_when_it_begins_again() {
        // Few bits are cleared one by one, many all at once.
        for states in [10, 100_000_u32] {
            let mut set = Bitstate::new(1, 1 << 20, 2).expect("there is memory");
            for n in 0..states {
                let fingerprint = set.fingerprint(&n.to_le_bytes());
                assert!(set.add(fingerprint) == Seen::Old || set.contains(fingerprint));
            }
            set.restart(2);
            assert!(set.is_empty() && set.words.iter().all(|&word| word == 0));
            assert_eq!((set.filling(), set.omission_probability()), (0.0, 0.0));
            let fingerprint = set.fingerprint(&[1]);
            assert!(!set.contains(fingerprint) && set.add(fingerprint) == Seen::New);
        }
    }

    #[test]
    fn too_much_memory_cannot_be_had() {
        assert!(Bitstate::new(1, usize::MAX / 2, 3).is_none());
        assert_eq!(Bitstate::new(1, 0, 0).map(|set| set.bytes()), Some(8));
    }
}
