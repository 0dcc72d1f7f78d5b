//! An index from hashes to numbers with removal: a table with linear probing, without tombstones.
//!
//! An entry is `[upper half of the hash | number + 1]`, zero if empty, and so determines its home
//! slot in a longer table as well.
//!
//! Source: [Knu98] §6.4, algorithms L and R.

/// Entries of the first table.
const FIRST: usize = 64;

/// Numbers by hashes.
#[derive(Clone, Debug, Default)]
pub(crate) struct HashIndex {
    entries: Vec<u64>,
    len: usize,
}

impl HashIndex {
    /// Numbers are less than this.
    pub(crate) const MOST: usize = u32::MAX as usize;

    /// The slot where probing for an entry or a hash starts.
    #[inline]
    fn home(&self, entry: u64) -> usize {
        (((entry >> 32) * self.entries.len() as u64) >> 32) as usize
    }

    #[inline]
    fn next(&self, at: usize) -> usize {
        if at + 1 == self.entries.len() { 0 } else { at + 1 }
    }

    /// The slot of the first entry with this upper half whose number is the `same`, or of a gap.
    #[inline]
    fn place(&self, hash: u64, same: impl Fn(u32) -> bool) -> usize {
        let mut at = self.home(hash);
        while self.entries[at] != 0 {
            let entry = self.entries[at];
            if entry >> 32 == hash >> 32 && same(entry as u32 - 1) {
                break;
            }
            at = self.next(at);
        }
        at
    }

    /// The number with this hash that is the `same`.
    #[inline]
    pub(crate) fn find(&self, hash: u64, same: impl Fn(u32) -> bool) -> Option<u32> {
        if self.len == 0 {
            return None;
        }
        match self.entries[self.place(hash, same)] {
            0 => None,
            entry => Some(entry as u32 - 1),
        }
    }

    /// Adds a number that is not in the index.
    pub(crate) fn add(&mut self, hash: u64, number: u32) {
        if self.len >= self.entries.len() / 4 * 3 {
            let longer = vec![0; (2 * self.entries.len()).max(FIRST)];
            let old = std::mem::replace(&mut self.entries, longer);
            for entry in old.into_iter().filter(|&entry| entry != 0) {
                let at = self.place(entry, |_| false);
                self.entries[at] = entry;
            }
        }
        let at = self.place(hash, |_| false);
        self.entries[at] = hash >> 32 << 32 | (u64::from(number) + 1);
        self.len += 1;
    }

    /// Removes a number that is in the index.
    pub(crate) fn remove(&mut self, hash: u64, number: u32) {
        let mut gap = self.place(hash, |other| other == number);
        let mut at = gap;
        loop {
            at = self.next(at);
            let entry = self.entries[at];
            if entry == 0 {
                break;
            }
            // An entry whose home is after the gap stays in its slot.
            let length = self.entries.len();
            let behind = |from: usize| (at + length - from) % length;
            if behind(self.home(entry)) >= behind(gap) {
                self.entries[gap] = entry;
                gap = at;
            }
        }
        self.entries[gap] = 0;
        self.len -= 1;
    }

    /// The memory that the next [`add`](HashIndex::add) allocates, while it still holds the old one.
    #[inline]
    pub(crate) fn growth(&self) -> usize {
        let is_full = self.len >= self.entries.len() / 4 * 3;
        if is_full { (2 * self.entries.len()).max(FIRST) * size_of::<u64>() } else { 0 }
    }

    /// Memory held.
    #[inline]
    pub(crate) fn bytes(&self) -> usize {
        self.entries.len() * size_of::<u64>()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use beeline_kernel::SplitMix64;

    use super::*;

    #[test]
    fn holds_what_came_and_has_not_gone() {
        // Few different upper halves, so that many entries collide and cluster.
        for homes in [3, 1000, 1 << 30] {
            let hash = |number: u32| (u64::from(number) * 0x9e37_79b9 % homes) << 34;
            let mut rng = SplitMix64::new(homes);
            let (mut index, mut model) = (HashIndex::default(), BTreeSet::new());
            for _ in 0..20_000 {
                let number = rng.below(if homes == 3 { 90 } else { 2000 }) as u32;
                let found = index.find(hash(number), |other| other == number);
                assert_eq!(found.is_some(), model.contains(&number));
                if model.remove(&number) {
                    index.remove(hash(number), number);
                } else {
                    model.insert(number);
                    index.add(hash(number), number);
                }
                assert_eq!(index.len, model.len());
            }
        }
    }
}
