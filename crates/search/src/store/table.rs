//! A hash table that is sorted by hash, with gaps.
//!
//! An entry of 64 bits is `[upper bits of the hash | number + 1]`, zero in a gap; the
//! number gets as many bits as the table is long, the hash all others. A hash has its
//! home where it would be if hashes were spread evenly; an entry lies there or behind,
//! with no gap in between. All entries together are in the order of their hashes. So
//!
//! - a look for a hash that is not there ends at the first larger one, and the table
//!   can be fuller than others;
//! - the entries alone, read from first to last, give a longer table, which is written
//!   from first to last: growing is cheap, and need not mean doubling.
//!
//! There is no way round: behind the last home there is some space, and the last place
//! of all is always a gap. Where that is used up, there is more of it.
//!
//! Source: linear probing in sorted order is Amble and Knuth, "Ordered hash tables",
//! The Computer Journal 17(2), 1974.

use super::memory;

/// Homes of the first table.
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
    entries: Vec<u64>,
    homes: usize,
    /// How many bits of an entry are a number.
    bits: u32,
    len: usize,
}

impl Table {
    /// An empty table.
    pub(crate) fn new() -> Table {
        let entries = vec![0; FIRST + space(FIRST)];
        Table { entries, homes: FIRST, bits: bits_for(FIRST), len: 0 }
    }

    /// Looks for the number of this hash that is the `same`.
    #[inline]
    pub(crate) fn find(&self, hash: u64, same: impl Fn(usize) -> bool) -> Found {
        let key = hash >> self.bits;
        let mut slot = self.home(hash);
        loop {
            let entry = self.entries[slot];
            let tag = entry >> self.bits;
            if entry == 0 || tag > key {
                return Found::Place(slot);
            }
            if tag == key && same(self.number(entry)) {
                return Found::Known(self.number(entry));
            }
            slot += 1;
        }
    }

    /// Asks for the place where a look for this hash begins.
    #[inline]
    pub(crate) fn prefetch(&self, hash: u64) {
        memory::prefetch(&self.entries, self.home(hash));
    }

    /// How much memory [`put`](Table::put) will ask for.
    #[inline]
    pub(crate) fn growth(&self) -> usize {
        // The last place is a gap; the next entry can only need it if the one before
        // is taken.
        let before = self.entries[self.entries.len() - 2];
        if before == 0 { 0 } else { space(self.homes) * size_of::<u64>() }
    }

    /// Adds the next number at the place that was found for it.
    #[inline]
    pub(crate) fn put(&mut self, place: usize, hash: u64) {
        self.len += 1;
        let entry = (hash >> self.bits << self.bits) | self.len as u64;
        self.make_room(place);
        self.entries[place] = entry;
    }

    /// Makes a gap of this place.
    #[inline]
    fn make_room(&mut self, place: usize) {
        if self.entries[place] != 0 {
            let mut gap = place + 1;
            while self.entries[gap] != 0 {
                gap += 1;
            }
            self.entries.copy_within(place..gap, place + 1);
        }
        if self.entries[self.entries.len() - 1] != 0 || place == self.entries.len() - 1 {
            self.lengthen();
        }
    }

    /// More space behind the last home.
    #[cold]
    fn lengthen(&mut self) {
        let length = self.entries.len() + space(self.homes);
        self.entries.reserve_exact(length - self.entries.len());
        self.entries.resize(length, 0);
    }

    /// Whether it should grow: its fullest, when looks are still short, is 7/8.
    #[inline]
    pub(crate) fn is_full(&self) -> bool {
        self.len >= self.homes / 8 * 7 && self.homes < longer(self.homes)
    }

    /// Whether nothing may be added any more.
    #[inline]
    pub(crate) fn is_stuffed(&self) -> bool {
        self.len >= self.homes / 64 * 63
    }

    /// What the next longer table will hold, with some space that is rarely needed.
    pub(crate) fn grown_bytes(&self) -> usize {
        let homes = longer(self.homes);
        (homes + 2 * space(homes)) * size_of::<u64>()
    }

    /// Becomes half as long again. For a moment there are two tables. Says whether
    /// there was memory for that.
    pub(crate) fn grow(&mut self) -> bool {
        let Some(mut grown) = Table::of(longer(self.homes)) else { return false };
        let mut next = 0;
        for &entry in self.entries.iter().filter(|&&entry| entry != 0) {
            let place = grown.home(entry).max(next);
            if place == grown.entries.len() - 1 {
                grown.lengthen();
            }
            let hash = entry >> grown.bits << grown.bits;
            grown.entries[place] = hash | (self.number(entry) as u64 + 1);
            next = place + 1;
        }
        grown.len = self.len;
        *self = grown;
        true
    }

    /// Becomes half as long again, from the hashes of all numbers. The old table is
    /// given back first, which is all that speaks for this way. When there is no
    /// memory even so, it stays as long as it was.
    pub(crate) fn rebuild(&mut self, hashes: impl Iterator<Item = u64>) {
        let homes = self.homes;
        self.entries = Vec::new();
        *self = Table::of(longer(homes))
            .or_else(|| Table::of(homes))
            .expect("what was given back a moment ago can be had again");
        for hash in hashes {
            let Found::Place(place) = self.find(hash, |_| false) else {
                unreachable!("nothing is the same");
            };
            self.put(place, hash);
        }
    }

    /// An empty table with so many homes, if there is memory for it.
    fn of(homes: usize) -> Option<Table> {
        let mut entries = Vec::new();
        let length = homes + space(homes);
        entries.try_reserve_exact(length).ok()?;
        memory::welcome_huge_pages(&mut entries);
        entries.resize(length, 0);
        Some(Table { entries, homes, bits: bits_for(homes), len: 0 })
    }

    /// Memory held.
    #[inline]
    pub(crate) fn bytes(&self) -> usize {
        self.entries.len() * size_of::<u64>()
    }

    /// Where a hash would be if all were spread evenly. The upper half of it decides,
    /// which is in each entry, too.
    #[inline]
    fn home(&self, hash: u64) -> usize {
        (((hash >> 32) * self.homes as u64) >> 32) as usize
    }

    #[inline]
    fn number(&self, entry: u64) -> usize {
        (entry & ((1 << self.bits) - 1)) as usize - 1
    }
}

/// Places behind the last home, to begin with.
fn space(homes: usize) -> usize {
    16 + (homes / 64).min(240)
}

/// The number of homes after this one. More than there are ids are of no use.
fn longer(homes: usize) -> usize {
    (homes + homes / 2).min(u32::MAX as usize)
}

/// How many bits hold any number, plus one, of a table with so many homes.
fn bits_for(homes: usize) -> u32 {
    usize::BITS - homes.leading_zeros()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::SplitMix64;

    /// Each number has its hash; all are found, in order, whatever was done in between.
    fn check(hashes: &[u64]) {
        let mut table = Table::new();
        for (number, &hash) in hashes.iter().enumerate() {
            if table.is_full() {
                if number % 3 == 0 {
                    table.rebuild(hashes[..number].iter().copied());
                } else {
                    assert!(table.grow());
                }
            }
            let Found::Place(place) = table.find(hash, |other| other == number) else {
                panic!("{number} is there too early");
            };
            let (before, growth) = (table.bytes(), table.growth());
            table.put(place, hash);
            assert!(table.bytes() <= before + growth);
        }
        for (number, &hash) in hashes.iter().enumerate() {
            assert_eq!(table.find(hash, |other| other == number), Found::Known(number));
        }
        let tags = table.entries.iter().filter(|&&entry| entry != 0).map(|e| e >> table.bits);
        assert!(tags.is_sorted());
        assert_eq!(table.entries.iter().filter(|&&entry| entry != 0).count(), hashes.len());
        assert_eq!(table.entries.last(), Some(&0));
    }

    #[test]
    fn finds_everything_in_sorted_order() {
        let mut rng = SplitMix64::new(1);
        check(&(0..100_000).map(|_| rng.next()).collect::<Vec<u64>>());
        check(&(0..5_000).map(|_| rng.next() | u64::MAX << 40).collect::<Vec<u64>>());
        check(&(0..5_000).map(|_| rng.next() >> 40).collect::<Vec<u64>>());
        check(&(0..5_000).rev().map(|n| n << 50).collect::<Vec<u64>>());
        check(&[u64::MAX; 2_000]);
        check(&[0; 2_000]);
    }
}
