//! The slots of a shared store: a hash table of atomic words, in buckets that are cache lines.
//!
//! A slot is `[tag | record]`, zero where vacant. The tag is a part of the hash that does not choose
//! the bucket. A lookup reads the slots of a bucket in a circle. A slot that was filled is never
//! changed again; so a lookup that has passed a slot need not return to it, and the first vacant slot
//! is the end of the search.
#![allow(unsafe_code, reason = "untyped zeros are used as atomic words")]

use std::sync::atomic::{AtomicU64, Ordering};

use super::super::bucket::Bucket;
use super::super::huge_page_buffer::HugePageBuffer;
use super::super::memory;
use super::chunks::RecordId;

/// Slots of a bucket.
const BUCKET: usize = 8;

/// A map from hashes to records.
#[derive(Debug)]
pub(crate) struct SlotTable {
    /// The memory, which is read and written through [`words`](SlotTable::words) only.
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
    fn words(&self) -> &[AtomicU64] {
        // SAFETY: the memory has this many words, aligned to buckets; zeros are atomic words.
        // Nothing else refers to it while the table lives.
        unsafe { std::slice::from_raw_parts(self.memory.start().cast(), self.length()) }
    }

    /// The slot at which a lookup of this hash starts.
    #[inline]
    pub(super) fn home(&self, hash: u64) -> usize {
        self.home_bucket(hash) * BUCKET + offset(hash)
    }

    #[inline]
    fn home_bucket(&self, hash: u64) -> usize {
        (((hash >> u32::BITS) * self.buckets as u64) >> u32::BITS) as usize
    }

    /// Prefetches a slot.
    #[inline]
    pub(super) fn prefetch(&self, slot: usize) {
        memory::prefetch(self.words(), slot);
    }

    /// The slot that a lookup reads after this one: the next in the bucket, in a circle, then the
    /// first one of the hash in the other bucket of the pair, which processors often fetch along,
    /// then in the next pair.
    #[inline(always)]
    fn next(&self, slot: usize, hash: u64) -> usize {
        let next = slot / BUCKET * BUCKET + (slot + 1) % BUCKET;
        if next % BUCKET == offset(hash) { self.next_bucket(slot / BUCKET, hash) } else { next }
    }

    #[cold]
    fn next_bucket(&self, bucket: usize, hash: u64) -> usize {
        let other = bucket ^ 1;
        let next = if (other ^ self.home_bucket(hash)) & 1 != 0 {
            other
        } else if other + 2 < self.buckets {
            other + 2
        } else {
            other & 1
        };
        next * BUCKET + offset(hash)
    }

    /// The record of this hash that `is_match` accepts, from a slot on, with its slot; or the first
    /// vacant slot.
    #[inline(always)]
    pub(super) fn find_from(
        &self,
        mut slot: usize,
        hash: u64,
        is_match: impl Fn(RecordId) -> bool,
    ) -> (usize, Option<RecordId>) {
        let words = self.words();
        loop {
            let entry = words[slot].load(Ordering::Acquire);
            if entry == 0 {
                return (slot, None);
            }
            if RecordId::has_tag(entry, hash) && is_match(RecordId::of_entry(entry)) {
                return (slot, Some(RecordId::of_entry(entry)));
            }
            slot = self.next(slot, hash);
        }
    }

    /// Publishes a written record in a slot. Returns whether the slot was vacant.
    #[inline]
    pub(super) fn publish(&self, slot: usize, hash: u64, id: RecordId) -> bool {
        self.words()[slot]
            .compare_exchange(0, id.entry(hash), Ordering::AcqRel, Ordering::Acquire)
            .is_ok()
    }

    /// Adds a record that is not in the table.
    #[inline]
    pub(super) fn add(&self, hash: u64, id: RecordId) {
        let mut slot = self.home(hash);
        loop {
            (slot, _) = self.find_from(slot, hash, |_| false);
            if self.publish(slot, hash, id) {
                return;
            }
        }
    }
}

/// Where in a bucket a lookup of this hash starts: bits that are neither in the tag nor choose the
/// bucket.
#[inline(always)]
fn offset(hash: u64) -> usize {
    (hash >> 24) as usize % BUCKET
}
