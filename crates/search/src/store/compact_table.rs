//! A hash table from hashes to numbers in few bytes: four for an entry, and five entries for
//! four numbers when it is full.
//!
//! An entry is `[tag | number + 1]`, zero where free. The numbers get as many bits as the
//! table has places; the tag, which is what remains of the hash, keeps most looks at other
//! numbers away. It is probed linearly and grows by half, for which it needs all hashes
//! again: a [`BucketTable`](super::bucket_table::BucketTable), which is longer, does not.

use super::bucket_table::{FIRST, Lookup};
use super::huge_page_buffer::HugePageBuffer;
use super::memory;

/// The longest table: all numbers, and some places to spare, have to fit.
const LONGEST: usize = 1 << 32;

/// A set of numbers, found by their hashes.
#[derive(Clone, Debug)]
pub(crate) struct CompactTable {
    entries: HugePageBuffer<u32>,
    /// How many bits of an entry are a number.
    bits: u32,
    len: usize,
}

impl CompactTable {
    /// An empty table.
    pub(crate) fn new() -> CompactTable {
        let entries = HugePageBuffer::zeros(FIRST).expect("there is memory for a first table");
        CompactTable { entries, bits: bits_for(FIRST), len: 0 }
    }

    /// Looks for the number of this hash that is the `same`.
    #[inline]
    pub(crate) fn find(&self, hash: u64, same: impl Fn(usize) -> bool) -> Lookup {
        self.find_from(self.home(hash), hash, same)
    }

    /// The same, if there is nothing like it before this place.
    #[inline]
    pub(crate) fn find_from(
        &self,
        place: usize,
        hash: u64,
        same: impl Fn(usize) -> bool,
    ) -> Lookup {
        let tag = self.tag(hash);
        let mut slot = place;
        loop {
            let entry = self.entries[slot];
            if entry == 0 {
                return Lookup::Vacant(slot);
            }
            if self.tag(u64::from(entry)) == tag && same(self.number(entry)) {
                return Lookup::Present(self.number(entry));
            }
            slot += 1;
            if slot == self.entries.len() {
                slot = 0;
            }
        }
    }

    /// Asks for a place.
    #[inline]
    pub(crate) fn prefetch(&self, place: usize) {
        memory::prefetch(&self.entries, place);
    }

    /// Adds the next number, which is less than 2^32 - 1, at the place that was found for it.
    #[inline]
    pub(crate) fn put(&mut self, place: usize, hash: u64) {
        self.len += 1;
        let tag = self.tag(hash).checked_shl(self.bits).unwrap_or(0);
        self.entries[place] = tag | self.len as u32;
    }

    /// How many may be added before it should grow.
    #[inline]
    pub(crate) fn room(&self) -> usize {
        (self.entries.len() / 5 * 4).saturating_sub(self.len)
    }

    /// How many may be added when it cannot grow.
    #[inline]
    pub(crate) fn last_room(&self) -> usize {
        (self.entries.len() / 16 * 15).saturating_sub(self.len)
    }

    /// How many places there are.
    #[inline]
    pub(crate) fn length(&self) -> usize {
        self.entries.len()
    }

    /// How many bytes more the next longer table holds.
    pub(crate) fn growth(&self) -> usize {
        (self.longer() - self.entries.len()) * size_of::<u32>()
    }

    fn longer(&self) -> usize {
        (self.entries.len() + self.entries.len() / 2).min(LONGEST)
    }

    /// Becomes longer by half, from the hashes of all numbers, the old table being given back
    /// first. Says whether there was memory for it; if not, it is as before.
    pub(crate) fn grow(&mut self, hashes: impl Iterator<Item = u64>) -> bool {
        let (old, longer) = (self.entries.len(), self.longer());
        if longer == old {
            return false;
        }
        self.entries = HugePageBuffer::new();
        let entries = HugePageBuffer::zeros(longer).or_else(|| HugePageBuffer::zeros(old));
        self.entries = entries.expect("what was given back a moment ago can be had again");
        self.bits = bits_for(self.entries.len());
        self.fill(hashes);
        self.entries.len() == longer
    }

    /// Becomes empty and then takes the numbers of these hashes, as many as there were.
    pub(crate) fn refill(&mut self, hashes: impl Iterator<Item = u64>) {
        self.entries.fill(0);
        self.fill(hashes);
    }

    fn fill(&mut self, hashes: impl Iterator<Item = u64>) {
        self.len = 0;
        for hash in hashes {
            let Lookup::Vacant(place) = self.find(hash, |_| false) else {
                unreachable!("nothing is the same");
            };
            self.put(place, hash);
        }
    }

    /// Memory held.
    #[inline]
    pub(crate) fn bytes(&self) -> usize {
        self.entries.len() * size_of::<u32>()
    }

    /// Where a look for this hash begins: its upper half, scaled to the table.
    #[inline]
    pub(crate) fn home(&self, hash: u64) -> usize {
        ((u128::from(hash) * self.entries.len() as u128) >> 64) as usize
    }

    /// What identifies a hash or, in the same bits, an entry: lower bits of the hash,
    /// which have nothing to do with the place.
    #[inline]
    fn tag(&self, hash: u64) -> u32 {
        (hash as u32).checked_shr(self.bits).unwrap_or(0)
    }

    #[inline]
    fn number(&self, entry: u32) -> usize {
        (entry & (u64::MAX >> (64 - self.bits)) as u32) as usize - 1
    }
}

/// How many bits hold the number of any entry of a table this long.
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
                assert!(table.grow(hashes[..number].iter().copied()));
            }
            let Lookup::Vacant(place) = table.find(hash, |other| other == number) else {
                panic!("{number} is there too early");
            };
            table.put(place, hash);
        }
        for (number, &hash) in hashes.iter().enumerate() {
            assert_eq!(table.find(hash, |other| other == number), Lookup::Present(number));
        }
        table.refill(hashes.iter().copied());
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
