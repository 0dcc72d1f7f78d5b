//! A hash table from hashes to numbers, probed bucket by bucket.
//!
//! An entry of 64 bits is `[upper bits of the hash | number + 1]`, zero in a gap; the
//! number gets as many bits as the table is long, the hash all others. The home of a hash is
//! the [`Bucket`] that lies as far in the table as the hash among all hashes: one read for the
//! processor. Where that is full, the entry lies in the bucket beside it, or in a pair of buckets
//! behind. An entry knows its home in a longer table, too: growing needs nothing but the entries,
//! reads them from first to last, and writes them nearly so. A table grows to twice its length
//! while it is short, and then from a power of two to half as long again, and on to the next one.
//!
//! Source: Knuth, The Art of Computer Programming 3, 6.4, algorithm L, with the buckets of
//! its section on external searching.

use super::bucket::{BUCKET, Bucket};
use super::huge_page_buffer::HugePageBuffer;
use super::memory;

/// Entries of the first table: a power of two.
pub(crate) const FIRST: usize = 64;

/// A table as long as this takes memory that counts: it grows in smaller steps.
const LONG: usize = 1 << 20;

/// Entries of the longest table: for more, numbers and upper halves of hashes are too short.
const LONGEST: usize = 1 << u32::BITS;

/// Where to go on when a number is looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Lookup {
    /// It is there.
    Present(usize),
    /// It is not, and this is where it belongs.
    Vacant(usize),
}

/// A set of numbers, found by their hashes. A place is counted in entries.
#[derive(Clone, Debug)]
pub(crate) struct BucketTable {
    buckets: HugePageBuffer<Bucket>,
    /// Which bits of the lower half of an entry are a number: the lowest.
    mask: u32,
    len: usize,
}

impl BucketTable {
    /// An empty table.
    pub(crate) fn new() -> BucketTable {
        BucketTable::of(FIRST).expect("there is memory for a first table")
    }

    /// Looks for the number of this hash that is the `same`.
    #[inline]
    pub(crate) fn find(&self, hash: u64, same: impl Fn(usize) -> bool) -> Lookup {
        self.find_from(self.home(hash), hash, same)
    }

    /// The same, if there is nothing like it in the buckets before this place.
    #[inline]
    pub(crate) fn find_from(
        &self,
        place: usize,
        hash: u64,
        same: impl Fn(usize) -> bool,
    ) -> Lookup {
        let mut at = place / BUCKET;
        loop {
            let bucket = &self.buckets[at];
            let mut alike = bucket.alike(upper(hash));
            while alike != 0 {
                let entry = bucket.numbers[alike.trailing_zeros() as usize % BUCKET];
                // Above the number, both agree.
                if entry != 0 && entry ^ hash as u32 <= self.mask {
                    let number = (entry & self.mask) as usize - 1;
                    if same(number) {
                        return Lookup::Present(number);
                    }
                }
                alike &= alike - 1;
            }
            if !bucket.is_full() {
                return Lookup::Vacant(at * BUCKET);
            }
            at = self.next_bucket(at, upper(hash));
        }
    }

    /// Asks for a place.
    #[inline]
    pub(crate) fn prefetch(&self, place: usize) {
        memory::prefetch(&self.buckets, place / BUCKET);
    }

    /// Adds the next number at the place that was found for it.
    #[inline]
    pub(crate) fn put(&mut self, place: usize, hash: u64) {
        self.len += 1;
        let number = (hash as u32 & !self.mask) | self.len as u32;
        self.buckets[place / BUCKET].fill(upper(hash), number);
    }

    /// How many may be added before it should grow: its fullest, when most buckets have a gap,
    /// is 4/5.
    #[inline]
    pub(crate) fn room(&self) -> usize {
        let most = self.length() / 5 * 4;
        if self.length() < LONGEST { most.saturating_sub(self.len) } else { self.last_room() }
    }

    /// How many may be added when it cannot grow.
    #[inline]
    pub(crate) fn last_room(&self) -> usize {
        (self.length() / 16 * 15).saturating_sub(self.len)
    }

    /// How many places there are.
    #[inline]
    pub(crate) fn length(&self) -> usize {
        self.buckets.len() * BUCKET
    }

    /// What the next longer table will hold.
    pub(crate) fn grown_bytes(&self) -> usize {
        self.longer() / BUCKET * size_of::<Bucket>()
    }

    /// The next length.
    fn longer(&self) -> usize {
        let length = self.length();
        match length.is_power_of_two() {
            true if length >= LONG => length + length / 2,
            true => 2 * length,
            false => length.next_power_of_two(),
        }
    }

    /// Becomes longer. For a moment there are two tables. Says whether there was memory for
    /// that.
    pub(crate) fn grow(&mut self) -> bool {
        let Some(mut grown) = BucketTable::of(self.longer()) else { return false };
        // How many entries each bucket has got, so that nobody has to look.
        let mut filled = vec![0_u8; grown.buckets.len()];
        for bucket in self.buckets.iter() {
            for (hash, entry) in bucket.entries() {
                let mut at = grown.bucket(hash);
                while usize::from(filled[at]) == BUCKET {
                    at = grown.next_bucket(at, hash);
                }
                let number = (entry & !grown.mask) | (entry & self.mask);
                grown.buckets[at].set(usize::from(filled[at]), hash, number);
                filled[at] += 1;
            }
        }
        grown.len = self.len;
        *self = grown;
        true
    }

    /// Becomes longer, from the hashes of all numbers. The old table is given back first,
    /// which is all that speaks for this way. When there is no memory even so, it stays as
    /// long as it was.
    pub(crate) fn rebuild(&mut self, hashes: impl Iterator<Item = u64>) {
        let (length, longer) = (self.length(), self.longer());
        self.buckets = HugePageBuffer::new();
        *self = BucketTable::of(longer)
            .or_else(|| BucketTable::of(length))
            .expect("what was given back a moment ago can be had again");
        for hash in hashes {
            let Lookup::Vacant(place) = self.find(hash, |_| false) else {
                unreachable!("nothing is the same");
            };
            self.put(place, hash);
        }
    }

    /// An empty table of this length, if there is memory for it.
    fn of(length: usize) -> Option<BucketTable> {
        let mask = (length.next_power_of_two() - 1) as u32;
        Some(BucketTable { buckets: HugePageBuffer::zeros(length / BUCKET)?, mask, len: 0 })
    }

    /// Memory held.
    #[inline]
    pub(crate) fn bytes(&self) -> usize {
        size_of_val(&self.buckets[..])
    }

    /// Where a look for this hash begins.
    #[inline]
    pub(crate) fn home(&self, hash: u64) -> usize {
        self.bucket(upper(hash)) * BUCKET
    }

    /// The bucket of a hash of which this is the upper half.
    #[inline]
    fn bucket(&self, hash: u32) -> usize {
        ((u64::from(hash) * self.buckets.len() as u64) >> u32::BITS) as usize
    }

    /// Where a look that has come to this bucket goes on, for a hash of which this is the upper
    /// half: in the other bucket of the pair, which the processor has often read along, and
    /// then in the next pair.
    #[inline]
    fn next_bucket(&self, bucket: usize, hash: u32) -> usize {
        let other = bucket ^ 1;
        if (other ^ self.bucket(hash)) & 1 != 0 {
            return other;
        }
        if other + 2 < self.buckets.len() { other + 2 } else { other & 1 }
    }
}

#[inline]
fn upper(hash: u64) -> u32 {
    (hash >> u32::BITS) as u32
}

#[cfg(test)]
mod tests {
    use beeline_kernel::SplitMix64;

    use super::*;

    /// Each number has its hash; all are found, whatever was done in between.
    fn check(hashes: &[u64]) {
        let mut table = BucketTable::new();
        for (number, &hash) in hashes.iter().enumerate() {
            if table.room() == 0 {
                if number % 3 == 0 {
                    table.rebuild(hashes[..number].iter().copied());
                } else {
                    assert!(table.grow());
                }
            }
            let Lookup::Vacant(place) = table.find(hash, |other| other == number) else {
                panic!("{number} is there too early");
            };
            table.put(place, hash);
        }
        for (number, &hash) in hashes.iter().enumerate() {
            assert_eq!(table.find(hash, |other| other == number), Lookup::Present(number));
        }
        assert_eq!(table.buckets.iter().flat_map(Bucket::entries).count(), hashes.len());
    }

    #[test]
    fn finds_everything() {
        let mut rng = SplitMix64::new(1);
        // So many that it has grown by half and by a third.
        check(&(0..5 * LONG / 4).map(|_| rng.next_u64()).collect::<Vec<u64>>());
        check(&(0..100_000).map(|_| rng.next_u64()).collect::<Vec<u64>>());
        check(&(0..5_000).map(|_| rng.next_u64() | u64::MAX << 40).collect::<Vec<u64>>());
        check(&(0..5_000).map(|_| rng.next_u64() >> 40).collect::<Vec<u64>>());
        check(&(0..5_000).rev().map(|n| n << 50).collect::<Vec<u64>>());
        check(&[u64::MAX; 2_000]);
        check(&[0; 2_000]);
    }
}
