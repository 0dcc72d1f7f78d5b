//! A hash table from hashes to numbers, probed line by line.
//!
//! An entry of 64 bits is `[upper bits of the hash | number + 1]`, zero in a gap; the
//! number gets as many bits as the table is long, the hash all others. A hash has its
//! home at its own upper bits. A look begins there, goes round in the cache line of the
//! home, which is one read for the processor, and then round in the next line; an entry
//! lies on this way, with no gap before it. An entry knows its home in a longer table,
//! too: growing needs nothing but the entries, reads them from first to last, and writes
//! them nearly so.
//!
//! Source: Knuth, The Art of Computer Programming 3, 6.4, algorithm L, with the buckets of
//! its section on external searching.

use super::block::Block;
use super::memory;

/// Entries in what the processor reads at once.
const LINE: usize = 8;

/// Entries of the first table: a power of two.
pub(crate) const FIRST: usize = 64;

/// Where to go on when a number is looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Found {
    /// It is there.
    Known(usize),
    /// It is not, and this is where it belongs.
    Place(usize),
}

/// A set of numbers, found by their hashes.
#[derive(Clone, Debug)]
pub(crate) struct Table {
    /// As many as a power of two.
    entries: Block<u64>,
    /// How many bits of an entry are a number.
    bits: u32,
    len: usize,
}

impl Table {
    /// An empty table.
    pub(crate) fn new() -> Table {
        Table::of(FIRST).expect("there is memory for a first table")
    }

    /// Looks for the number of this hash that is the `same`.
    #[inline]
    pub(crate) fn find(&self, hash: u64, same: impl Fn(usize) -> bool) -> Found {
        self.find_from(self.home(hash), hash, same)
    }

    /// The same, if there is nothing like it before this place on the way.
    #[inline]
    pub(crate) fn find_from(&self, place: usize, hash: u64, same: impl Fn(usize) -> bool) -> Found {
        let (mask, numbers) = (self.entries.len() - 1, (1 << self.bits) - 1);
        let (home, mut slot) = (self.home(hash), place);
        loop {
            let entry = self.entries[slot & mask];
            if entry == 0 {
                return Found::Place(slot & mask);
            }
            // Above the number, both agree.
            if entry ^ hash <= numbers && same((entry & numbers) as usize - 1) {
                return Found::Known((entry & numbers) as usize - 1);
            }
            slot = (slot & !(LINE - 1)) | ((slot + 1) & (LINE - 1));
            if (slot ^ home) & (LINE - 1) == 0 {
                slot += LINE;
            }
        }
    }

    /// Asks for a place.
    #[inline]
    pub(crate) fn prefetch(&self, place: usize) {
        memory::prefetch(&self.entries, place);
    }

    /// Adds the next number at the place that was found for it.
    #[inline]
    pub(crate) fn put(&mut self, place: usize, hash: u64) {
        self.len += 1;
        self.entries[place] = (hash >> self.bits << self.bits) | self.len as u64;
    }

    /// How many may be added before it should grow: its fullest, when looks are still
    /// short, is 3/4.
    #[inline]
    pub(crate) fn room(&self) -> usize {
        let most = self.entries.len() / 4 * 3;
        if self.bits < u32::BITS { most.saturating_sub(self.len) } else { self.last_room() }
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

    /// What the next longer table will hold.
    pub(crate) fn grown_bytes(&self) -> usize {
        2 * self.bytes()
    }

    /// Becomes twice as long. For a moment there are two tables. Says whether there was
    /// memory for that.
    pub(crate) fn grow(&mut self) -> bool {
        let Some(mut grown) = Table::of(2 * self.entries.len()) else { return false };
        for &entry in self.entries.iter().filter(|&&entry| entry != 0) {
            let Found::Place(place) = grown.find(entry, |_| false) else {
                unreachable!("nothing is the same");
            };
            let hash = entry >> grown.bits << grown.bits;
            grown.entries[place] = hash | (self.number(entry) as u64 + 1);
        }
        grown.len = self.len;
        *self = grown;
        true
    }

    /// Becomes twice as long, from the hashes of all numbers. The old table is given
    /// back first, which is all that speaks for this way. When there is no memory even
    /// so, it stays as long as it was.
    pub(crate) fn rebuild(&mut self, hashes: impl Iterator<Item = u64>) {
        let length = self.entries.len();
        self.entries = Block::new();
        *self = Table::of(2 * length)
            .or_else(|| Table::of(length))
            .expect("what was given back a moment ago can be had again");
        for hash in hashes {
            let Found::Place(place) = self.find(hash, |_| false) else {
                unreachable!("nothing is the same");
            };
            self.put(place, hash);
        }
    }

    /// An empty table of this length, if there is memory for it.
    fn of(length: usize) -> Option<Table> {
        Some(Table { entries: Block::zeros(length)?, bits: length.ilog2(), len: 0 })
    }

    /// Memory held.
    #[inline]
    pub(crate) fn bytes(&self) -> usize {
        self.entries.len() * size_of::<u64>()
    }

    /// Where a look for this hash begins.
    #[inline]
    pub(crate) fn home(&self, hash: u64) -> usize {
        (hash >> (u64::BITS - self.bits)) as usize
    }

    #[inline]
    fn number(&self, entry: u64) -> usize {
        (entry & ((1 << self.bits) - 1)) as usize - 1
    }
}

#[cfg(test)]
mod tests {
    use beeline_kernel::SplitMix64;

    use super::*;

    /// Each number has its hash; all are found, whatever was done in between.
    fn check(hashes: &[u64]) {
        let mut table = Table::new();
        for (number, &hash) in hashes.iter().enumerate() {
            if table.room() == 0 {
                if number % 3 == 0 {
                    table.rebuild(hashes[..number].iter().copied());
                } else {
                    assert!(table.grow());
                }
            }
            let Found::Place(place) = table.find(hash, |other| other == number) else {
                panic!("{number} is there too early");
            };
            table.put(place, hash);
        }
        for (number, &hash) in hashes.iter().enumerate() {
            assert_eq!(table.find(hash, |other| other == number), Found::Known(number));
        }
        assert_eq!(table.entries.iter().filter(|&&entry| entry != 0).count(), hashes.len());
    }

    #[test]
    fn finds_everything() {
        let mut rng = SplitMix64::new(1);
        check(&(0..100_000).map(|_| rng.next_u64()).collect::<Vec<u64>>());
        check(&(0..5_000).map(|_| rng.next_u64() | u64::MAX << 40).collect::<Vec<u64>>());
        check(&(0..5_000).map(|_| rng.next_u64() >> 40).collect::<Vec<u64>>());
        check(&(0..5_000).rev().map(|n| n << 50).collect::<Vec<u64>>());
        check(&[u64::MAX; 2_000]);
        check(&[0; 2_000]);
    }
}
