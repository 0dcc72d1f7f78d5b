//! The slots of a shared store: a hash table of atomic words, in buckets that are cache lines.
//!
//! A slot is `[tag | displacement | record]`, zero where vacant. The home of a hash is a bucket, found
//! by scaling the upper bits of the hash to the length of the table; the lowest ones of these bits are
//! the tag. The displacement counts the buckets from the home to that of the slot, both included. The
//! slots of a bucket are filled from the first to the last, and a lookup [compares](compare) all of
//! them at once. A slot that was filled is never changed again; so a lookup that has passed a slot
//! need not return to it, and the first vacant slot is the end of the search.
//!
//! The bucket of a slot, its displacement and its tag determine the home in a longer table, too. So
//! a longer table is filled from the slots of the old one, in order, without the states. A part of
//! twelve buckets becomes a part of the longer table, which belongs to one thread: all growth factors
//! are multiples of a third or a half.
//!
//! A tag distinguishes the states of a bucket only by the bits that do not choose the bucket. When
//! too few of these are left, the tag moves down in the hash; the longer table is then filled from the
//! states. This happens once in eleven doublings.

use super::super::bucket::BUCKET;
use super::super::memory;
use super::buckets::{Buckets, Slots, compare};
use super::chunks::{ID_BITS, RecordId};
use crate::sync::atomic::{AtomicU64, Ordering};

/// The bits of a tag: all but those of record and displacement.
const TAG_BITS: u32 = u64::BITS - ID_BITS - DISPLACEMENT_BITS;
/// The bits of a displacement.
const DISPLACEMENT_BITS: u32 = 3;
/// The displacement of a slot in the home of its hash. It is not 0, so that no filled slot is 0 above
/// its record.
const AT_HOME: u32 = 1;
/// This displacement or a greater one.
const FAR: u32 = (1 << DISPLACEMENT_BITS) - 1;
/// The bits of the hash above the tag, in the order of the lengths of tables. No table has fewer
/// buckets than these bits can count. The first change is early, while it costs nothing.
const ABOVE: [u32; 4] = [if cfg!(loom) { 0 } else { 8 }, 14, 25, 36];
/// Bits of a tag that do not choose the bucket, at least.
const LEAST_TAG: u32 = 8;
/// Buckets of a part are a multiple of this number.
const PART: usize = if cfg!(loom) { 1 } else { 12 << 8 };

/// A map from hashes to records.
#[derive(Debug)]
pub(crate) struct SlotTable {
    buckets: Buckets,
    /// The bits of the hash above the tag.
    above: u32,
}

/// The position of a lookup.
#[derive(Clone, Copy, Debug)]
pub(super) struct SlotCursor {
    bucket: usize,
    /// The number of slots of this bucket that were read.
    read: u32,
    /// The number of buckets that were read, with this one, at most [`FAR`].
    displacement: u32,
}

/// What a slot says about the hash of its record: the home of the record and its tag, as a hash whose
/// lower bits are zero. These bits determine home and tag in longer tables with the same tag bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct PartialHash(u64);

impl SlotTable {
    /// Slots of the longest table.
    pub(super) const LONGEST: usize = BUCKET << (ABOVE[3] + TAG_BITS - LEAST_TAG);

    /// An empty table with this many slots, an even number of buckets, if there is memory for it.
    pub(super) fn new(length: usize) -> Option<SlotTable> {
        let buckets = Buckets::vacant(length / BUCKET)?;
        Some(SlotTable { above: above(buckets.len()), buckets })
    }

    /// A table without slots, which takes no memory.
    pub(super) fn empty() -> SlotTable {
        SlotTable::new(0).expect("no memory is needed")
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
        self.buckets.len() * BUCKET
    }

    /// The slots of a bucket.
    #[inline(always)]
    fn slots(&self, bucket: usize) -> &Slots {
        &self.buckets.all()[bucket]
    }

    /// The bucket where a lookup of this hash starts.
    #[inline(always)]
    fn home_bucket(&self, hash: u64) -> usize {
        let known = hash & !(u64::MAX >> (self.above + TAG_BITS));
        ((u128::from(known) * self.buckets.len() as u128) >> u64::BITS) as usize
    }

    /// The start of a lookup of this hash.
    #[inline(always)]
    pub(super) fn home(&self, hash: u64) -> SlotCursor {
        SlotCursor { bucket: self.home_bucket(hash), read: 0, displacement: AT_HOME }
    }

    /// The slot of a cursor.
    #[inline(always)]
    fn slot(&self, cursor: SlotCursor) -> &AtomicU64 {
        &self.slots(cursor.bucket)[cursor.read as usize % BUCKET]
    }

    /// The slot of a record with this hash, without the record.
    #[inline(always)]
    fn key(&self, cursor: SlotCursor, hash: u64) -> u64 {
        let tag = hash << self.above >> (u64::BITS - TAG_BITS);
        (tag << DISPLACEMENT_BITS | u64::from(cursor.displacement)) << ID_BITS
    }

    /// Prefetches a bucket.
    #[inline]
    pub(super) fn prefetch(&self, cursor: SlotCursor) {
        memory::prefetch(self.buckets.all(), cursor.bucket);
    }

    /// The slot that a lookup reads after this one: the next in the bucket, then the first one of the
    /// other bucket of the pair, which processors often fetch along, then of the next pair.
    #[inline(always)]
    pub(super) fn next(&self, mut cursor: SlotCursor, hash: u64) -> SlotCursor {
        cursor.read += 1;
        if cursor.read == BUCKET as u32 { self.next_bucket(cursor, hash) } else { cursor }
    }

    #[cold]
    fn next_bucket(&self, cursor: SlotCursor, hash: u64) -> SlotCursor {
        let SlotCursor { bucket, displacement, .. } = cursor;
        // Each pair is read in the order of the first one.
        let other = bucket ^ 1;
        let is_first = (bucket ^ self.home_bucket(hash)).is_multiple_of(2);
        let bucket = match is_first {
            true => other,
            false if other + 2 < self.buckets.len() => other + 2,
            false => other % 2,
        };
        SlotCursor { bucket, read: 0, displacement: FAR.min(displacement + 1) }
    }

    /// The home of a hash that has a slot in a bucket, given its displacement, which is not far.
    fn home_of(&self, bucket: usize, displacement: u32) -> usize {
        let passed = (displacement - AT_HOME) as usize;
        let first = bucket ^ (passed % 2);
        let before = passed / 2 * 2;
        if first >= before { first - before } else { first + self.buckets.len() - before }
    }

    /// The record of this hash that `is_match` accepts, from a slot on, with its slot; or the first
    /// vacant slot.
    #[inline(always)]
    pub(super) fn find_from(
        &self,
        mut cursor: SlotCursor,
        hash: u64,
        is_match: impl Fn(RecordId) -> bool,
    ) -> (SlotCursor, Option<RecordId>) {
        loop {
            let slots = self.slots(cursor.bucket);
            let compared = compare(slots, self.key(cursor, hash));
            let mut alike = compared.alike & u32::MAX << cursor.read;
            while alike != 0 {
                cursor.read = alike.trailing_zeros();
                let entry = self.slot(cursor).load(Ordering::Acquire);
                if is_match(RecordId::of_entry(entry)) {
                    return (cursor, Some(RecordId::of_entry(entry)));
                }
                alike &= alike - 1;
            }
            if compared.vacant != 0 {
                cursor.read = compared.vacant.trailing_zeros();
                return (cursor, None);
            }
            cursor = self.next_bucket(cursor, hash);
        }
    }

    /// Publishes a written record in a slot. Returns whether the slot was vacant.
    #[inline]
    pub(super) fn publish(&self, cursor: SlotCursor, hash: u64, id: RecordId) -> bool {
        let entry = id.entry(self.key(cursor, hash));
        let slot = self.slot(cursor);
        slot.compare_exchange(0, entry, Ordering::AcqRel, Ordering::Acquire).is_ok()
    }

    /// Publishes a record without an order between its bytes and the slot, which is wrong.
    #[cfg(all(test, loom))]
    pub(super) fn publish_without_order(&self, cursor: SlotCursor, hash: u64, id: RecordId) {
        self.slot(cursor).store(id.entry(self.key(cursor, hash)), Ordering::Relaxed);
    }

    /// Adds a record that is not in the table.
    #[inline]
    pub(super) fn add(&self, hash: u64, id: RecordId) {
        let mut cursor = self.home(hash);
        loop {
            (cursor, _) = self.find_from(cursor, hash, |_| false);
            if self.publish(cursor, hash, id) {
                return;
            }
        }
    }

    /// Adds a record of which a slot of a shorter table tells this much of the hash.
    pub(super) fn add_partial(&self, PartialHash(hash): PartialHash, id: RecordId) {
        self.add(hash, id);
    }

    /// Whether the slots of this table determine those of a table of another length.
    pub(super) fn determines(&self, length: usize) -> bool {
        self.above == above(length / BUCKET)
    }

    /// The number of parts.
    pub(super) fn parts(&self) -> usize {
        self.buckets.len().div_ceil(PART)
    }

    /// Adds the records of a part of a shorter table, in which no insertion takes place. Nothing else
    /// may happen to the corresponding part of this table. Those whose slots lie outside of it
    /// are returned. `hash_of` computes the hash of a record.
    pub(super) fn copy_part(
        &self,
        old: &SlotTable,
        part: usize,
        hash_of: impl Fn(RecordId) -> u64,
    ) -> Vec<(PartialHash, RecordId)> {
        let (length, length_of_old) = (self.buckets.len(), old.buckets.len());
        let of_old = part * PART..length_of_old.min((part + 1) * PART);
        // The factor of growth makes these quotients integers, except at the end.
        let image =
            |bucket: usize| (bucket as u128 * length as u128 / length_of_old as u128) as usize;
        let first = image(of_old.start);
        let mut own = OwnPart { first, filled: vec![0; image(of_old.end) - first] };
        let mut rest = Vec::new();
        for bucket in of_old {
            let least = old.least_hash(bucket);
            let slots = old.slots(bucket);
            let filled = (compare(slots, 0).vacant | 1 << BUCKET).trailing_zeros() as usize;
            for slot in &slots[..filled] {
                let entry = slot.load(Ordering::Relaxed);
                let id = RecordId::of_entry(entry);
                let displacement = (entry >> ID_BITS) as u32 & FAR;
                let hash = match displacement {
                    AT_HOME => old.hash_after(least, entry),
                    FAR => PartialHash(hash_of(id)),
                    _ => {
                        let home = old.home_of(bucket, displacement);
                        old.hash_after(old.least_hash(home), entry)
                    }
                };
                if !self.put_in(&mut own, hash, id) {
                    rest.push((hash, id));
                }
            }
        }
        rest
    }

    /// The least hash whose home is a bucket.
    fn least_hash(&self, bucket: usize) -> u64 {
        let below = u64::BITS - self.above - TAG_BITS;
        let scaled = (bucket as u128) << (self.above + TAG_BITS);
        let known = match u64::try_from(scaled) {
            Ok(scaled) => scaled.div_ceil(self.buckets.len() as u64),
            Err(_) => scaled.div_ceil(self.buckets.len() as u128) as u64,
        };
        known << below
    }

    /// The hash of an entry: the first one with its tag that is not less than this one.
    fn hash_after(&self, least: u64, entry: u64) -> PartialHash {
        let below = u64::BITS - self.above - TAG_BITS;
        let tag = entry >> (ID_BITS + DISPLACEMENT_BITS);
        let known = least >> below;
        PartialHash((known + (tag.wrapping_sub(known) & ((1 << TAG_BITS) - 1))) << below)
    }

    /// Adds a record to a part of the table that no other thread uses. Returns whether it has its place
    /// there.
    #[inline]
    fn put_in(&self, own: &mut OwnPart, PartialHash(hash): PartialHash, id: RecordId) -> bool {
        let mut cursor = self.home(hash);
        while let Some(filled) = own.filled.get_mut(cursor.bucket.wrapping_sub(own.first)) {
            if usize::from(*filled) < BUCKET {
                cursor.read = u32::from(*filled);
                *filled += 1;
                self.slot(cursor).store(id.entry(self.key(cursor, hash)), Ordering::Relaxed);
                return true;
            }
            cursor = self.next_bucket(cursor, hash);
        }
        false
    }
}

/// Consecutive buckets of a table that one thread fills.
struct OwnPart {
    /// The first bucket.
    first: usize,
    /// The number of filled slots of each bucket, so that none of them has to be read.
    filled: Vec<u8>,
}

/// The bits above the tag in a table with this many buckets.
fn above(buckets: usize) -> u32 {
    let is_enough = |above: u32| buckets.next_power_of_two() >= 2 << above;
    ABOVE.into_iter().rfind(|&above| is_enough(above)).unwrap_or(ABOVE[0])
}

#[cfg(test)]
mod tests {
    use beeline_kernel::SplitMix64;

    use super::*;

    /// Ids count from 1.
    fn id(number: usize) -> RecordId {
        RecordId::of_entry(number as u64 + 1)
    }

    /// Adds each hash, in a table that grows when it is full, and checks that all are found.
    fn check(hashes: &[u64], factors: &[(usize, usize)]) {
        let mut table = SlotTable::new(1 << 12).expect("there is memory");
        let mut factors = factors.iter().cycle();
        for (number, &hash) in hashes.iter().enumerate() {
            if number == table.length() / 16 * 15 {
                let (multiple, part) = factors.next().expect("they are repeated");
                let longer = table.length() * multiple / part;
                let grown = SlotTable::new(longer).expect("there is memory");
                assert!(table.determines(longer));
                let hash_of = |id: RecordId| hashes[id.entry(0) as usize - 1];
                let parts = (0..table.parts()).map(|part| grown.copy_part(&table, part, hash_of));
                let rest: Vec<_> = parts.flatten().collect();
                rest.into_iter().for_each(|(hash, id)| grown.add_partial(hash, id));
                table = grown;
            }
            table.add(hash, id(number));
        }
        for (number, &hash) in hashes.iter().enumerate() {
            let (_, found) = table.find_from(table.home(hash), hash, |other| other == id(number));
            assert_eq!(found, Some(id(number)));
        }
        let words = table.buckets.all().iter().flatten();
        let used = words.filter(|word| word.load(Ordering::Relaxed) != 0).count();
        assert_eq!(used, hashes.len());
    }

    #[test]
    fn the_slots_of_a_table_determine_those_of_a_longer_one() {
        let mut rng = SplitMix64::new(1);
        let factors: [&[(usize, usize)]; 3] = [&[(3, 2), (4, 3)], &[(2, 1)], &[(4, 1), (2, 1)]];
        for factors in factors {
            check(&(0..100_000).map(|_| rng.next_u64()).collect::<Vec<u64>>(), factors);
            // Many hashes with the same home.
            check(
                &(0..4_500).map(|_| rng.next_u64() | u64::MAX << 48).collect::<Vec<u64>>(),
                factors,
            );
            check(&(0..4_500).map(|_| rng.next_u64() >> 48).collect::<Vec<u64>>(), factors);
            check(&(0..4_500).map(|n| n << 53).collect::<Vec<u64>>(), factors);
            check(&[u64::MAX; 4_000], factors);
            check(&[0; 4_000], factors);
        }
    }

    #[test]
    fn tags_tell_states_of_a_bucket_apart_at_any_length() {
        for exponent in 9..=46 {
            for buckets in [1_u64 << exponent, 3 << exponent >> 1] {
                let above = above(buckets as usize);
                assert!(buckets >= 1 << above, "the home and the tag overlap");
                assert!(buckets <= 1 << (above + TAG_BITS - LEAST_TAG));
            }
        }
    }
}
