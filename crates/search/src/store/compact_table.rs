//! A hash table with entries of four bytes.
//!
//! An entry is `[tag | number + 1]`, zero where vacant. The number has as many bits as the length
//! of the table needs. The tag consists of lower bits of the hash, and rules out most comparisons
//! with other records. Lookups probe linearly. The table grows by half; since entries do not
//! determine their home in a longer table, that takes the hashes of all numbers.
//!
//! Compare [`BucketTable`](super::bucket_table::BucketTable), which is faster and takes twice the
//! memory. Source: [Knu98] §6.4, Algorithm L.

use super::hash_table::{FIRST_LENGTH, HashTable, Lookup};
use super::huge_page_buffer::HugePageBuffer;
use super::memory;

/// The longest table: entries have 32 bits for a number.
const LONGEST: usize = 1 << 32;

/// A map from hashes to numbers. The numbers are less than 2^32 - 1.
#[derive(Clone, Debug)]
pub(crate) struct CompactTable {
    entries: HugePageBuffer<u32>,
    /// The number of bits of an entry for the number.
    bits: u32,
    len: usize,
}

impl HashTable for CompactTable {
    const IS_SELECTIVE: bool = false;

    fn new() -> CompactTable {
        let entries = HugePageBuffer::zeros(FIRST_LENGTH);
        let entries = entries.expect("there is memory for a first table");
        CompactTable { entries, bits: bits_for(FIRST_LENGTH), len: 0 }
    }

    #[inline]
    fn home(&self, hash: u64) -> usize {
        ((u128::from(hash) * self.entries.len() as u128) >> 64) as usize
    }

    #[inline(always)]
    fn find_from(&self, slot: usize, hash: u64, is_match: impl Fn(usize) -> bool) -> Lookup {
        let tag = self.tag(hash);
        let mut slot = slot;
        loop {
            let entry = self.entries[slot];
            if entry == 0 {
                return Lookup::Vacant(slot);
            }
            if self.tag(u64::from(entry)) == tag && is_match(self.number(entry)) {
                return Lookup::Present(self.number(entry));
            }
            slot += 1;
            if slot == self.entries.len() {
                slot = 0;
            }
        }
    }

    #[inline]
    fn is_vacant(&self, slot: usize) -> bool {
        self.entries[slot] == 0
    }

    #[inline]
    fn prefetch(&self, slot: usize) {
        memory::prefetch(&self.entries, slot);
    }

    #[inline]
    fn put_number(&mut self, slot: usize, hash: u64, number: usize) {
        let tag = self.tag(hash).checked_shl(self.bits).unwrap_or(0);
        self.entries[slot] = tag | (number as u32 + 1);
    }

    #[inline]
    fn count(&mut self, numbers: usize) {
        self.len += numbers;
    }

    #[inline]
    fn len(&self) -> usize {
        self.len
    }

    #[inline]
    fn room(&self) -> usize {
        (self.entries.len() / 5 * 4).saturating_sub(self.len)
    }

    #[inline]
    fn last_room(&self) -> usize {
        (self.entries.len() / 16 * 15).saturating_sub(self.len)
    }

    #[inline]
    fn length(&self) -> usize {
        self.entries.len()
    }

    /// Frees the old table first.
    fn grow(&mut self, room: usize, hashes: impl Iterator<Item = u64>) -> bool {
        let (old, longer) = (self.entries.len(), self.longer());
        if longer == old || self.growth() > room {
            return false;
        }
        self.entries = HugePageBuffer::new();
        let entries = HugePageBuffer::zeros(longer).or_else(|| HugePageBuffer::zeros(old));
        self.entries = entries.expect("memory that was just freed can be allocated again");
        (self.bits, self.len) = (bits_for(self.entries.len()), 0);
        self.fill(hashes);
        self.entries.len() == longer
    }

    fn clear(&mut self) {
        self.entries.fill(0);
        self.len = 0;
    }

    #[inline]
    fn bytes(&self) -> usize {
        self.entries.len() * size_of::<u32>()
    }
}

impl CompactTable {
    /// The additional bytes of the next longer table.
    pub(crate) fn growth(&self) -> usize {
        (self.longer() - self.entries.len()) * size_of::<u32>()
    }

    fn longer(&self) -> usize {
        (self.entries.len() + self.entries.len() / 2).min(LONGEST)
    }

    /// The tag of a hash or, in the same bits, of an entry. Homes come from the upper bits of a
    /// hash, so that tag and home are independent.
    #[inline]
    fn tag(&self, hash: u64) -> u32 {
        (hash as u32).checked_shr(self.bits).unwrap_or(0)
    }

    #[inline]
    fn number(&self, entry: u32) -> usize {
        (entry & (u64::MAX >> (64 - self.bits)) as u32) as usize - 1
    }
}

/// The number of bits for the numbers of a table of this length.
fn bits_for(length: usize) -> u32 {
    (usize::BITS - length.leading_zeros()).min(32)
}

#[cfg(test)]
mod tests {
    use beeline_kernel::SplitMix64;

    use super::*;

    fn check(hashes: &[u64]) {
        let mut table = CompactTable::new();
        for (number, &hash) in hashes.iter().enumerate() {
            if table.room() == 0 {
                assert!(table.grow(usize::MAX, hashes[..number].iter().copied()));
            }
            let Lookup::Vacant(slot) = table.find(hash, |other| other == number) else {
                panic!("{number} is there too early");
            };
            table.put(slot, hash);
        }
        for (number, &hash) in hashes.iter().enumerate() {
            assert_eq!(table.find(hash, |other| other == number), Lookup::Present(number));
        }
        table.clear();
        table.fill(hashes.iter().copied());
        for (number, &hash) in hashes.iter().enumerate() {
            assert_eq!(table.find(hash, |other| other == number), Lookup::Present(number));
        }
    }

    #[test]
    fn finds_everything() {
        let mut rng = SplitMix64::new(1);
        check(&(0..100_000).map(|_| rng.next_u64()).collect::<Vec<u64>>());
        check(&(0..5_000).map(|_| rng.next_u64() | u64::MAX << 40).collect::<Vec<u64>>());
        check(&(0..5_000).map(|_| rng.next_u64() >> 40).collect::<Vec<u64>>());
        check(&[u64::MAX; 2_000]);
        check(&[0; 2_000]);
    }
}
