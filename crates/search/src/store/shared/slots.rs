//! The slots of a shared store: a hash table of atomic words, in buckets that are cache lines.
//!
//! A slot is `[tag | record]`, zero where vacant. The tag is a part of the hash that does not choose
//! the bucket. The slots of a bucket are filled in order, and never changed again; so a lookup that
//! has passed a slot need not return to it, and the first vacant slot is the end of the search.
#![allow(unsafe_code, reason = "untyped zeros are used as atomic words")]

use std::sync::atomic::{AtomicU64, Ordering};

use super::super::bucket::Bucket;
use super::super::huge_page_buffer::HugePageBuffer;
use super::super::memory;
use super::chunks::RecordId;

/// Slots of a bucket.
const BUCKET: usize = 8;

/// Slots of one cache line.
type Line = [AtomicU64; BUCKET];

/// A map from hashes to records.
#[derive(Debug)]
pub(crate) struct SlotTable {
    /// The memory, which is read and written through [`lines`](SlotTable::lines) only.
    memory: HugePageBuffer<Bucket>,
    buckets: usize,
}

impl SlotTable {
    /// Slots of the longest table: a home is computed from 32 bits.
    pub(super) const LONGEST: usize = BUCKET << u32::BITS;

    /// An empty table with this many slots, an even number of buckets, if there is memory for it.
    pub(super) fn new(length: usize) -> Option<SlotTable> {
        let buckets = length / BUCKET;
        Some(SlotTable { memory: HugePageBuffer::zeros(buckets)?, buckets })
    }

    /// A table without slots, which takes no memory.
    pub(super) fn empty() -> SlotTable {
        SlotTable { memory: HugePageBuffer::new(), buckets: 0 }
    }

    /// The memory of a table.
    pub(super) fn bytes_of(length: usize) -> usize {
        length * size_of::<AtomicU64>()
    }

    /// Memory held.
    pub(super) fn bytes(&self) -> usize {
        SlotTable::bytes_of(self.length())
    }

    /// The number of slots.
    pub(super) fn length(&self) -> usize {
        self.buckets * BUCKET
    }

    #[inline(always)]
    fn lines(&self) -> &[Line] {
        // SAFETY: the memory has this many buckets, each with the size and the alignment of a line
        // at least; zeros are atomic words. Nothing else refers to it while the table lives.
        unsafe { std::slice::from_raw_parts(self.memory.start().cast::<Line>(), self.buckets) }
    }

    /// The slot at which a lookup of this hash starts.
    #[inline]
    pub(super) fn home(&self, hash: u64) -> usize {
        self.home_bucket(hash) * BUCKET
    }

    #[inline]
    fn home_bucket(&self, hash: u64) -> usize {
        (((hash >> u32::BITS) * self.buckets as u64) >> u32::BITS) as usize
    }

    /// Prefetches a slot.
    #[inline]
    pub(super) fn prefetch(&self, slot: usize) {
        memory::prefetch(self.lines(), slot / BUCKET);
    }

    /// The bucket that a lookup reads after this one: first the other bucket of the pair, which
    /// processors often fetch along, then the next pair.
    #[inline]
    fn next_bucket(&self, bucket: usize, hash: u64) -> usize {
        let other = bucket ^ 1;
        if (other ^ self.home_bucket(hash)) & 1 != 0 {
            return other;
        }
        if other + 2 < self.buckets { other + 2 } else { other & 1 }
    }

    /// The first slot of this bucket, from `slot` on, that is vacant or has the tag of the hash,
    /// with its record. Without one, the first slot of the next bucket.
    #[inline]
    pub(super) fn first_alike(&self, slot: usize, hash: u64) -> (usize, Option<RecordId>) {
        let bucket = slot / BUCKET;
        let line = &self.lines()[bucket];
        for (at, word) in line.iter().enumerate().skip(slot % BUCKET) {
            let entry = word.load(Ordering::Acquire);
            if entry == 0 {
                return (bucket * BUCKET + at, None);
            }
            if RecordId::has_tag(entry, hash) {
                return (bucket * BUCKET + at, Some(RecordId::of_entry(entry)));
            }
        }
        (self.next_bucket(bucket, hash) * BUCKET, None)
    }

    /// The record of this hash that `is_match` accepts, from a slot on; or the first vacant slot.
    #[inline]
    pub(super) fn find_from(
        &self,
        mut slot: usize,
        hash: u64,
        is_match: impl Fn(RecordId) -> bool,
    ) -> Result<RecordId, usize> {
        loop {
            let bucket = slot / BUCKET;
            let line = &self.lines()[bucket];
            for (at, word) in line.iter().enumerate().skip(slot % BUCKET) {
                let entry = word.load(Ordering::Acquire);
                if entry == 0 {
                    return Err(bucket * BUCKET + at);
                }
                if RecordId::has_tag(entry, hash) && is_match(RecordId::of_entry(entry)) {
                    return Ok(RecordId::of_entry(entry));
                }
            }
            slot = self.next_bucket(bucket, hash) * BUCKET;
        }
    }

    /// Publishes a written record in a slot. Returns whether the slot was vacant.
    #[inline]
    pub(super) fn publish(&self, slot: usize, hash: u64, id: RecordId) -> bool {
        let word = &self.lines()[slot / BUCKET][slot % BUCKET];
        word.compare_exchange(0, id.entry(hash), Ordering::AcqRel, Ordering::Acquire).is_ok()
    }

    /// Adds a record that is not in the table.
    #[inline]
    pub(super) fn add(&self, hash: u64, id: RecordId) {
        let mut slot = self.home(hash);
        loop {
            match self.find_from(slot, hash, |_| false) {
                Err(vacant) if self.publish(vacant, hash, id) => return,
                Err(vacant) => slot = vacant,
                Ok(_) => unreachable!("no record matches"),
            }
        }
    }
}
