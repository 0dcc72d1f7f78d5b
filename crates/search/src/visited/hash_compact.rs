//! Hash compaction: of each state, a fingerprint of 64 bits is kept.
//!
//! States with equal fingerprints are taken for one state. With n states in the set, a new one is
//! omitted with probability n/2⁶⁴, and of N states about N²/2⁶⁵ are omitted: of a thousand million,
//! one in thirty-seven runs.
//!
//! Fingerprints are in a table with open addressing. The home of a fingerprint is found by scaling
//! it to the length of the table. So a table may have any length, and takes the memory that is left
//! when it cannot double. While it grows, there are two tables: the new one is filled from the
//! fingerprints of the old one.
//!
//! Source: [WL93], without its ordering; [EMJ05], State Compaction and Incremental Hashing,
//! section 2 (partial compression).

use super::multilinear::Multilinear;
use super::{Omissions, Seen, Visited};
use crate::store::huge_page_buffer::HugePageBuffer;
use crate::store::{StoreLimits, memory};

/// Entries of the first table.
const FIRST: usize = 64;

/// A set of fingerprints.
#[derive(Clone, Debug)]
pub struct HashCompact {
    hash: Multilinear<1>,
    /// Fingerprints, zero where vacant.
    entries: HugePageBuffer<u64>,
    len: usize,
    /// The number of fingerprints at which the table should grow.
    enough: usize,
    limits: StoreLimits,
}

impl HashCompact {
    /// An empty set with these limits. The seed determines the hash function.
    pub fn new(seed: u64, limits: StoreLimits) -> HashCompact {
        let entries = HugePageBuffer::zeros(FIRST).expect("there is memory for a first table");
        HashCompact {
            hash: Multilinear::new(seed),
            enough: fullest(entries.len()),
            entries,
            len: 0,
            limits,
        }
    }

    /// The slot of a fingerprint, or the vacant slot for it.
    #[inline]
    fn find(&self, fingerprint: u64) -> usize {
        let mut at = home(fingerprint, self.entries.len());
        while self.entries[at] != 0 && self.entries[at] != fingerprint {
            at += 1;
            if at == self.entries.len() {
                at = 0;
            }
        }
        at
    }

    /// Grows if possible. Returns whether there is room for another fingerprint.
    #[cold]
    fn make_room(&mut self) -> bool {
        if self.len >= self.limits.states {
            return false;
        }
        let left = self.limits.bytes.saturating_sub(self.bytes()) / size_of::<u64>();
        let length = (2 * self.entries.len()).min(left);
        // Growing by less than a quarter does not pay.
        if length >= self.entries.len() / 4 * 5
            && let Some(entries) = HugePageBuffer::zeros(length)
        {
            let old = std::mem::replace(&mut self.entries, entries);
            for &fingerprint in old.iter().filter(|&&fingerprint| fingerprint != 0) {
                let at = self.find(fingerprint);
                self.entries[at] = fingerprint;
            }
            self.enough = fullest(length).min(self.limits.states);
        } else {
            self.enough = (self.entries.len() / 16 * 15).min(self.limits.states);
        }
        self.len < self.enough
    }
}

/// The home of a fingerprint in a table of this length.
#[inline]
pub(super) fn home(fingerprint: u64, length: usize) -> usize {
    ((u128::from(fingerprint) * length as u128) >> 64) as usize
}

/// The number of fingerprints up to which lookups in a table of this length are short.
pub(super) fn fullest(length: usize) -> usize {
    length / 4 * 3
}

impl Visited for HashCompact {
    type Fingerprint = u64;

    fn restart(&mut self, seed: u64) {
        self.hash = Multilinear::new(seed);
        self.entries.fill(0);
        self.len = 0;
    }

    #[inline]
    fn fingerprint(&mut self, state: &[u8]) -> u64 {
        let [fingerprint] = self.hash.hash(state);
        memory::prefetch(&self.entries, home(fingerprint, self.entries.len()));
        // Zero marks a vacant slot.
        fingerprint.max(1)
    }

    #[inline]
    fn add(&mut self, fingerprint: u64) -> Seen {
        let mut at = self.find(fingerprint);
        if self.entries[at] == fingerprint {
            return Seen::Old;
        }
        if self.len >= self.enough.min(self.limits.states) {
            if !self.make_room() {
                return Seen::Full;
            }
            at = self.find(fingerprint);
        }
        self.entries[at] = fingerprint;
        self.len += 1;
        Seen::New
    }

    #[inline]
    fn contains(&self, fingerprint: u64) -> bool {
        self.entries[self.find(fingerprint)] == fingerprint
    }

    fn omission_probability(&self) -> f64 {
        self.len as f64 / 2_f64.powi(64)
    }

    fn len(&self) -> usize {
        self.len
    }

    fn bytes(&self) -> usize {
        self.entries.len() * size_of::<u64>()
    }

    fn omissions(&self) -> Omissions {
        let pairs = self.len as f64 * self.len.saturating_sub(1) as f64 / 2.0;
        Omissions::new(self.len, pairs / 2_f64.powi(64))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn number(n: u32) -> [u8; 4] {
        n.to_le_bytes()
    }

    #[test]
    fn a_million_states_are_told_apart() {
        let mut set = HashCompact::new(1, StoreLimits::NONE);
        for n in 0..1_000_000 {
            assert_eq!(set.insert(&number(n)), Seen::New);
            assert_eq!(set.insert(&number(n / 2)), Seen::Old);
            let (there, not_there) = (set.fingerprint(&number(n)), set.fingerprint(&number(n + 1)));
            assert!(set.contains(there) && !set.contains(not_there));
        }
        assert_eq!(set.len(), 1_000_000);
        // 32 bits would have lost a hundred of them.
        assert!(set.omissions().probability() < 1e-7);
        assert!(set.bytes() <= 3 * 8 * 1_000_000);
    }

    #[test]
    fn takes_what_there_is_and_no_more() {
        for bytes in [512, 600, 1000, 4096, 10_000] {
            let mut set = HashCompact::new(1, StoreLimits { bytes, states: usize::MAX });
            let all = (0..5000).take_while(|&n| set.insert(&number(n)) == Seen::New).count();
            assert!(set.bytes() <= bytes.max(FIRST * 8));
            assert_eq!(set.len(), all);
            assert!(all >= bytes / 8 / 4, "{all} in {bytes}");
            assert_eq!(set.insert(&number(4999)), Seen::Full);
            assert_eq!(set.insert(&number(0)), Seen::Old);
        }
        let mut set = HashCompact::new(1, StoreLimits { bytes: usize::MAX, states: 3 });
        let seen = [1, 2, 1, 3, 4].map(|n| set.insert(&number(n)));
        assert_eq!(seen, [Seen::New, Seen::New, Seen::Old, Seen::New, Seen::Full]);
    }

    #[test]
    fn forgets_everything_when_it_begins_again() {
        let mut set = HashCompact::new(1, StoreLimits::NONE);
        let one = set.fingerprint(&number(1));
        set.add(one);
        set.restart(2);
        assert!(set.is_empty());
        assert_ne!(set.fingerprint(&number(1)), one);
        assert_eq!(set.insert(&number(1)), Seen::New);
    }
}
