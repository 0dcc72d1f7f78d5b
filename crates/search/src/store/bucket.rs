//! A bucket of a hash table: eight entries in one cache line.
//!
//! The upper halves of hashes are adjacent, so that one vector instruction compares them all, and
//! the time of a lookup does not depend on the number of entries.

use super::memory;

/// Entries in a bucket.
pub(super) const BUCKET: usize = 8;

/// Entries, filled from the first to the last.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
pub(crate) struct Bucket {
    /// The upper halves of the hashes.
    pub(super) hashes: [u32; BUCKET],
    /// The numbers that belong to them, with the lower bits of the hashes; zero if vacant.
    pub(super) numbers: [u32; BUCKET],
}

impl Bucket {
    /// A bucket without entries.
    pub(super) const VACANT: Bucket = Bucket { hashes: [0; BUCKET], numbers: [0; BUCKET] };

    /// Bit set of the entries with this upper half of a hash. Vacant entries may be among them.
    #[inline]
    pub(super) fn alike(&self, hash: u32) -> u32 {
        memory::equal(&self.hashes, hash)
    }

    /// Whether no entry is vacant.
    #[inline]
    pub(super) fn is_full(&self) -> bool {
        self.numbers[BUCKET - 1] != 0
    }

    /// The first vacant entry of a bucket that is not full.
    #[inline]
    pub(super) fn gap(&self) -> usize {
        memory::equal(&self.numbers, 0).trailing_zeros() as usize % BUCKET
    }

    /// Fills the first vacant entry, which is at `gap`.
    #[inline]
    pub(super) fn set(&mut self, gap: usize, hash: u32, number: u32) {
        (self.hashes[gap], self.numbers[gap]) = (hash, number);
    }

    /// All entries that are not vacant, as upper half of the hash and number.
    #[inline]
    pub(super) fn entries(&self) -> impl Iterator<Item = (u32, u32)> {
        let all = self.hashes.iter().copied().zip(self.numbers.iter().copied());
        all.take_while(|&(_, number)| number != 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_fill_a_line_and_are_found() {
        let mut bucket = Bucket::VACANT;
        for at in 0..BUCKET as u32 {
            assert!(!bucket.is_full());
            assert_eq!(
                bucket.alike(7 + at % 3) & ((1 << at) - 1),
                (0..at).filter(|of| of % 3 == at % 3).map(|of| 1 << of).sum::<u32>()
            );
            bucket.set(bucket.gap(), 7 + at % 3, at + 1);
            assert_eq!(bucket.entries().count(), at as usize + 1);
        }
        assert!(bucket.is_full());
        assert_eq!(
            [7, 8, 9, 10].map(|hash| bucket.alike(hash)),
            [0b100_1001, 0b1001_0010, 0b10_0100, 0]
        );
        assert_eq!(bucket.entries().last(), Some((8, 8)));
    }
}
