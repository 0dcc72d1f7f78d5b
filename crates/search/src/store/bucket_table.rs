//! A hash table whose buckets are cache lines.
//!
//! An entry of 64 bits is `[upper bits of the hash | number + 1]`, zero where vacant. The number
//! has as many bits as the length of the table needs, the hash has the others. The home of a hash
//! is a [`Bucket`], found by scaling the hash to the length of the table: one cache line to read.
//! When that is full, the entry goes to the other bucket of its pair, then to the next pair.
//!
//! An entry determines its home in a longer table, too. So growing needs the entries only, reads
//! them in order, and writes them nearly in order. A short table doubles; a long one grows from a
//! power of two by half, and from there by a third to the next power of two.
//!
//! Source: [Knu98] §6.4, Algorithm L (linear probing), with buckets as in external searching.

use super::bucket::{BUCKET, Bucket};
use super::hash_table::{FIRST_LENGTH, HashTable, Lookup};
use super::huge_page_buffer::HugePageBuffer;
use super::memory;

/// A table of this length or more grows in smaller steps, since its memory counts.
const LONG: usize = 1 << 20;

/// Entries of the longest table: in a longer one, an entry has too few bits for number and hash.
const LONGEST: usize = 1 << u32::BITS;

/// A map from hashes to numbers. Slots are entries.
#[derive(Clone, Debug)]
pub struct BucketTable {
    buckets: HugePageBuffer<Bucket>,
    /// The bits of the lower half of an entry that hold the number.
    mask: u32,
    len: usize,
}

impl HashTable for BucketTable {
    const IS_SELECTIVE: bool = true;

    fn new() -> BucketTable {
        BucketTable::of(FIRST_LENGTH).expect("there is memory for a first table")
    }

    #[inline]
    fn home(&self, hash: u64) -> usize {
        self.bucket(upper(hash)) * BUCKET
    }

    #[inline(always)]
    fn find_from(&self, slot: usize, hash: u64, is_match: impl Fn(usize) -> bool) -> Lookup {
        let mut at = slot / BUCKET;
        loop {
            let bucket = &self.buckets[at];
            let mut alike = bucket.alike(upper(hash));
            while alike != 0 {
                let entry = bucket.numbers[alike.trailing_zeros() as usize % BUCKET];
                // Above the number, entry and hash agree.
                if entry != 0 && entry ^ hash as u32 <= self.mask {
                    let number = (entry & self.mask) as usize - 1;
                    if is_match(number) {
                        return Lookup::Present(number);
                    }
                }
                alike &= alike - 1;
            }
            if !bucket.is_full() {
                return Lookup::Vacant(at * BUCKET + bucket.gap());
            }
            at = self.next_bucket(at, upper(hash));
        }
    }

    /// A bucket is filled from its first entry to its last.
    #[inline]
    fn is_vacant(&self, slot: usize) -> bool {
        self.buckets[slot / BUCKET].numbers[slot % BUCKET] == 0
    }

    #[inline]
    fn prefetch(&self, slot: usize) {
        memory::prefetch(&self.buckets, slot / BUCKET);
    }

    #[inline(always)]
    fn put_number(&mut self, slot: usize, hash: u64, number: usize) {
        let entry = (hash as u32 & !self.mask) | (number as u32 + 1);
        self.buckets[slot / BUCKET].set(slot % BUCKET, upper(hash), entry);
    }

    #[inline]
    fn count(&mut self, numbers: usize) {
        self.len += numbers;
    }

    #[inline]
    fn len(&self) -> usize {
        self.len
    }

    /// A load factor of 4/5, at which most buckets have a vacant entry.
    #[inline]
    fn room(&self) -> usize {
        let most = self.length() / 5 * 4;
        if self.length() < LONGEST { most.saturating_sub(self.len) } else { self.last_room() }
    }

    #[inline]
    fn last_room(&self) -> usize {
        (self.length() / 16 * 15).saturating_sub(self.len)
    }

    #[inline]
    fn length(&self) -> usize {
        self.buckets.len() * BUCKET
    }

    /// Copies the entries if there is room for two tables. Otherwise frees the old table first.
    fn grow(&mut self, room: usize, hashes: impl Iterator<Item = u64>) -> bool {
        let grown = self.longer() / BUCKET * size_of::<Bucket>();
        if grown <= room && self.copy_to_longer() {
            return true;
        }
        let fits = grown.saturating_sub(self.bytes()) <= room;
        if fits {
            self.rebuild(hashes);
        }
        fits
    }

    fn clear(&mut self) {
        self.buckets.fill(Bucket::VACANT);
        self.len = 0;
    }

    #[inline]
    fn bytes(&self) -> usize {
        size_of_val(&self.buckets[..])
    }
}

impl BucketTable {
    /// An empty table of this length, if there is memory for it.
    fn of(length: usize) -> Option<BucketTable> {
        let mask = (length.next_power_of_two() - 1) as u32;
        Some(BucketTable { buckets: HugePageBuffer::zeros(length / BUCKET)?, mask, len: 0 })
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

    /// Copies all entries to a longer table. Returns whether there was memory for both.
    fn copy_to_longer(&mut self) -> bool {
        let Some(mut grown) = BucketTable::of(self.longer()) else { return false };
        // How many entries each bucket has, so that none of them has to be read.
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

    /// Frees the table, and builds a longer one from the hashes of all numbers. When the memory
    /// does not suffice even for that, the table keeps its length.
    fn rebuild(&mut self, hashes: impl Iterator<Item = u64>) {
        let (length, longer) = (self.length(), self.longer());
        self.buckets = HugePageBuffer::new();
        *self = BucketTable::of(longer)
            .or_else(|| BucketTable::of(length))
            .expect("memory that was just freed can be allocated again");
        self.fill(hashes);
    }

    /// The home bucket of a hash, given its upper half.
    #[inline]
    fn bucket(&self, hash: u32) -> usize {
        ((u64::from(hash) * self.buckets.len() as u64) >> u32::BITS) as usize
    }

    /// The bucket that a lookup reads after this one, for a hash given by its upper half: first
    /// the other bucket of the pair, which processors often fetch along, then the next pair.
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

    /// Inserts each number with its hash, and checks that all are found at any time.
    fn check(hashes: &[u64]) {
        let mut table = BucketTable::new();
        for (number, &hash) in hashes.iter().enumerate() {
            if table.room() == 0 {
                if number % 3 == 0 {
                    table.rebuild(hashes[..number].iter().copied());
                } else {
                    assert!(table.copy_to_longer());
                }
            }
            let Lookup::Vacant(slot) = table.find(hash, |other| other == number) else {
                panic!("{number} is there too early");
            };
            table.put(slot, hash);
        }
        for (number, &hash) in hashes.iter().enumerate() {
            assert_eq!(table.find(hash, |other| other == number), Lookup::Present(number));
        }
        assert_eq!(table.buckets.iter().flat_map(Bucket::entries).count(), hashes.len());
    }

    #[test]
    fn finds_everything() {
        let mut rng = SplitMix64::new(1);
        // Enough numbers that the table grows by half and by a third.
        check(&(0..5 * LONG / 4).map(|_| rng.next_u64()).collect::<Vec<u64>>());
        check(&(0..100_000).map(|_| rng.next_u64()).collect::<Vec<u64>>());
        check(&(0..5_000).map(|_| rng.next_u64() | u64::MAX << 40).collect::<Vec<u64>>());
        check(&(0..5_000).map(|_| rng.next_u64() >> 40).collect::<Vec<u64>>());
        check(&(0..5_000).rev().map(|n| n << 50).collect::<Vec<u64>>());
        check(&[u64::MAX; 2_000]);
        check(&[0; 2_000]);
    }
}
