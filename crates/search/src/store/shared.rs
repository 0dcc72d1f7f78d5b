//! The shared store: an exact set of states that several threads fill and read at once.
//!
//! A state is a record in one of many [chunks](chunks): bytes after their length. Each thread
//! appends to chunks of its own through a [`RecordWriter`]. A [table](slots) of 64-bit slots maps
//! hashes to records. An insertion writes the record first, after the end of the thread's chunk,
//! and publishes it by one compare-and-swap of a vacant slot; if the slot was taken meanwhile, the
//! insertion continues after it, and the record is overwritten by the next one.
//!
//! Contract:
//!
//! - Insertions are linearizable: of all insertions of one state, exactly one returns
//!   [`SharedInsertion::New`], and all others return [`SharedInsertion::Old`] with the same id.
//! - An id that an insertion returned is valid in every thread that receives it, and names the same
//!   state for the life of the store. Ids depend on the order in which threads insert.
//! - A table never becomes longer while a thread uses it. A thread that finds no room is told so by
//!   [`SharedInsertion::TableFull`]. When all threads have returned the table, one of them calls
//!   [`lengthen`](SharedStore::lengthen), and all of them help: they [copy](SharedStore::copy_part)
//!   the slots of the old table to the new one, without reading a state. Where the memory limit
//!   forbids both tables, or tags have to be made anew, the old one is freed before, and they
//!   [fill](SharedStore::refill) the new one from the records.
//!
//! `models/shared_store.pml` is a model of this protocol.
//!
//! Source: the usual design of shared tables in explicit-state model checkers, with buckets as in
//! the [exact store](super::bucket_table); lengthening: ours.

mod buckets;
mod chunks;
pub(crate) mod compact;
pub(crate) mod credit;
pub(crate) mod nodes;
mod slots;
pub(crate) mod words;

use std::sync::PoisonError;
use std::sync::atomic::AtomicU8;

use beeline_kernel::{SleepSet, Successors};

use super::StoreLimits;
use super::blocks::{blocks, with_blocks};
use super::equality::equal;
use super::hash::{FoldedMultiply, StateHash};
use crate::sync::atomic::{AtomicUsize, Ordering};
use crate::sync::{Arc, Mutex};
use chunks::{RecordChunks, Records};
pub(crate) use chunks::{RecordId, RecordWriter};
use credit::Credit;
pub(crate) use slots::SlotTable;
use slots::{PartialHash, SlotCursor};

/// Slots of the first table.
const FIRST_LENGTH: usize = if cfg!(loom) { 16 } else { 1 << 12 };
/// A shorter table grows to its fourfold length.
const SHORT: usize = 1 << 18;
/// A table of this length or more grows in smaller steps, since its memory counts: from a power of
/// two by half, and from there by a third.
const LONG: usize = 1 << 20;

/// The result of an insertion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SharedInsertion {
    /// The state was not stored, and is now.
    New(RecordId),
    /// The state was stored before.
    Old(RecordId),
    /// The state is not stored; the table has to be lengthened.
    TableFull,
    /// The state is not stored, and there is no memory for it.
    MemoryFull,
}

/// A set of states for several threads.
#[derive(Debug)]
pub(crate) struct SharedStore {
    records: RecordChunks,
    table: Mutex<Arc<SlotTable>>,
    table_bytes: AtomicUsize,
    credit: Credit,
    limits: StoreLimits,
}

/// Probes of a batch of successors.
#[derive(Debug, Default)]
pub(crate) struct SharedProbes(Vec<SharedProbe>);

/// The hash of a successor, the slot where its insertion continues, and the record in that slot, which
/// is probably the successor.
#[derive(Clone, Copy, Debug)]
struct SharedProbe {
    hash: u64,
    cursor: SlotCursor,
    /// The number of the record, or 0.
    candidate: u64,
}

impl SharedStore {
    /// An empty store for this many threads.
    pub(crate) fn new(limits: StoreLimits, threads: usize) -> SharedStore {
        let table = SlotTable::new(FIRST_LENGTH).expect("there is memory for a first table");
        SharedStore {
            records: RecordChunks::new(limits.bytes, threads),
            table_bytes: AtomicUsize::new(table.bytes()),
            credit: Credit::new(room(&table, limits, 0), threads),
            table: Mutex::new(Arc::new(table)),
            limits,
        }
    }

    /// The store with this many [marks](SharedStore::marks) for each state, and without sleep sets.
    /// It has to be empty.
    pub(crate) fn with_marks(mut self, bytes: usize) -> SharedStore {
        self.records.sleep_bytes = bytes;
        self
    }

    /// The store with a sleep set of this many bytes for each state. It has to be empty.
    pub(crate) fn with_sleep_sets(mut self, bytes: usize) -> SharedStore {
        self.records.sleep_bytes = bytes;
        self
    }

    /// The current table. It is to be dropped before [`lengthen`](SharedStore::lengthen).
    pub(crate) fn table(&self) -> Arc<SlotTable> {
        Arc::clone(&self.table.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// A writer for a thread.
    pub(crate) fn writer(&self) -> RecordWriter {
        RecordWriter::new()
    }

    /// A stored state.
    #[inline]
    pub(crate) fn state(&self, id: RecordId) -> &[u8] {
        self.records.state(id)
    }

    /// Begins to write states of a level with this writer.
    pub(crate) fn begin_level(&self, writer: &mut RecordWriter, level: u32) {
        self.records.begin_level(writer, level);
    }

    /// Whether a state belongs to this level, which is the last one that threads write.
    #[inline]
    pub(crate) fn is_of_level(&self, id: RecordId, level: u32) -> bool {
        self.records.is_of_level(id, level)
    }

    /// Bytes that belong to a stored state of a store [with marks](SharedStore::with_marks), zero at
    /// first. All threads may change them at any time.
    #[inline]
    pub(crate) fn marks(&self, id: RecordId) -> &[AtomicU8] {
        self.records.sleep_bytes(id)
    }

    /// The sleep set of a state.
    #[inline]
    pub(crate) fn sleep_set(&self, id: RecordId) -> SleepSet {
        self.records.sleep_set(id)
    }

    /// Adds processes to the sleep set of a state; only those that
    /// [can be there](SharedStore::can_sleep).
    #[inline]
    pub(crate) fn put_asleep(&self, id: RecordId, asleep: SleepSet) {
        self.records.put_asleep(id, asleep);
    }

    /// The processes that can be in a sleep set.
    #[inline]
    pub(crate) fn can_sleep(&self) -> SleepSet {
        self.records.can_sleep()
    }

    /// As many consecutive records from this one on.
    #[inline]
    pub(crate) fn records(&self, first: RecordId, count: u32) -> Records<'_> {
        self.records.consecutive(first, count)
    }

    /// Memory held.
    pub(crate) fn bytes(&self) -> usize {
        self.records.bytes() + self.table_bytes()
    }

    /// Memory held by the table.
    pub(crate) fn table_bytes(&self) -> usize {
        self.table_bytes.load(Ordering::Relaxed)
    }

    /// Hashes successors, and prefetches their slots.
    #[inline]
    pub(crate) fn prefetch_slots(
        &self,
        table: &SlotTable,
        successors: &Successors,
        probes: &mut SharedProbes,
    ) {
        let start = |hash| {
            let cursor = table.home(hash);
            table.prefetch(cursor);
            SharedProbe { hash, cursor, candidate: 0 }
        };
        let length = successors.common_length();
        probes.0.clear();
        match blocks(length) {
            Some(blocks) => with_blocks!(blocks, N => {
                let states = successors.buffer().chunks_exact(length);
                let hash = |state| FoldedMultiply::hash_blocks::<N>(state);
                probes.0.extend(states.map(hash).map(start));
            }),
            None => probes.0.extend(successors.states().map(FoldedMultiply::hash).map(start)),
        }
    }

    /// Reads the slots of successors, and prefetches the records found there.
    #[inline]
    pub(crate) fn prefetch_candidates(
        &self,
        table: &SlotTable,
        successors: &Successors,
        probes: &mut SharedProbes,
    ) {
        for (state, probe) in successors.states().zip(&mut probes.0) {
            let found;
            (probe.cursor, found) = table.find_from(probe.cursor, probe.hash, |_| true);
            if let Some(id) = found {
                probe.candidate = id.number();
                self.records.prefetch(id, state.len());
            }
        }
    }

    /// Starts the probes from `at` on again, in another table.
    pub(crate) fn restart(&self, table: &SlotTable, at: usize, probes: &mut SharedProbes) {
        for probe in &mut probes.0[at..] {
            (probe.cursor, probe.candidate) = (table.home(probe.hash), 0);
        }
    }

    /// Inserts a successor that was probed in this table.
    #[inline]
    pub(crate) fn insert_probed(
        &self,
        table: &SlotTable,
        writer: &mut RecordWriter,
        state: &[u8],
        (at, probes): (usize, &SharedProbes),
    ) -> SharedInsertion {
        let SharedProbe { hash, mut cursor, candidate } = probes.0[at];
        if let Some(id) = RecordId::of_number(candidate) {
            if equal(self.records.state(id), state) {
                return SharedInsertion::Old(id);
            }
            cursor = table.next(cursor, hash);
        }
        self.insert_from(table, writer, state, hash, cursor)
    }

    /// Inserts a state, unless it is stored.
    pub(crate) fn insert(
        &self,
        table: &SlotTable,
        writer: &mut RecordWriter,
        state: &[u8],
    ) -> SharedInsertion {
        let hash = FoldedMultiply::hash(state);
        self.insert_from(table, writer, state, hash, table.home(hash))
    }

    #[inline]
    fn insert_from(
        &self,
        table: &SlotTable,
        writer: &mut RecordWriter,
        state: &[u8],
        hash: u64,
        cursor: SlotCursor,
    ) -> SharedInsertion {
        let is_match = |id| equal(self.records.state(id), state);
        match table.find_from(cursor, hash, is_match) {
            (_, Some(id)) => SharedInsertion::Old(id),
            (cursor, None) => self.insert_new(table, writer, state, hash, cursor),
        }
    }

    /// Inserts a state that was not found, from the first vacant slot on.
    fn insert_new(
        &self,
        table: &SlotTable,
        writer: &mut RecordWriter,
        state: &[u8],
        hash: u64,
        mut cursor: SlotCursor,
    ) -> SharedInsertion {
        // Room for a new record is made before it is known whether the record is needed.
        if writer.credit == 0 {
            writer.credit = self.credit.reserve();
            if writer.credit == 0 {
                return SharedInsertion::TableFull;
            }
        }
        let Some(id) = self.records.write(writer, state, self.table_bytes()) else {
            return SharedInsertion::MemoryFull;
        };
        while !table.publish(cursor, hash, id) {
            let found;
            let is_match = |id| equal(self.records.state(id), state);
            (cursor, found) = table.find_from(cursor, hash, is_match);
            if let Some(id) = found {
                return SharedInsertion::Old(id);
            }
        }
        writer.keep_written();
        SharedInsertion::New(id)
    }

    /// Replaces the table by a longer, empty one, which has to be filled: by
    /// [copying](SharedStore::copy_part) or [refilling](SharedStore::refill) it. No thread may hold
    /// the old one. Without memory, the table is as before; some slots may still be vacant, which
    /// threads had reserved and returned, or which are used in this case only.
    pub(crate) fn lengthen(&self, stored: usize) -> Lengthening {
        let mut table = self.table.lock().unwrap_or_else(PoisonError::into_inner);
        let length = table.length();
        let room = room(&table, self.limits, stored);
        if room > length / 8 {
            // Other threads had reserved the rest.
            self.credit.renew(room);
            return Lengthening::LastSlots;
        }
        let longer = match length {
            ..SHORT => 4 * length,
            SHORT..LONG => 2 * length,
            _ if length.is_power_of_two() => length + length / 2,
            _ => length.next_power_of_two(),
        };
        let mut lengthening = Lengthening::Impossible;
        let may_grow = self.credit.may_lengthen() && longer <= SlotTable::LONGEST;
        if stored < self.limits.states && may_grow {
            let others = self.records.bytes().saturating_add(SlotTable::bytes_of(longer));
            let is_allowed = |bytes: usize| others.saturating_add(bytes) <= self.limits.bytes;
            let grown = match table.determines(longer) && is_allowed(table.bytes()) {
                true => SlotTable::new(longer),
                false => None,
            };
            if let Some(grown) = grown {
                let old = std::mem::replace(&mut *table, Arc::new(grown));
                self.table_bytes.store(old.bytes() + table.bytes(), Ordering::Relaxed);
                lengthening = Lengthening::Copy(TableCopy::of(old));
            } else if is_allowed(0) {
                *table = Arc::new(SlotTable::empty());
                let grown = SlotTable::new(longer).or_else(|| {
                    self.credit.refuse_longer();
                    SlotTable::new(length)
                });
                *table =
                    Arc::new(grown.expect("memory that was just freed can be allocated again"));
                self.table_bytes.store(table.bytes(), Ordering::Relaxed);
                lengthening = Lengthening::Refill;
            }
        }
        if table.length() > length {
            self.credit.renew(self::room(&table, self.limits, stored));
            return lengthening;
        }
        // Every insertion needs a vacant slot after the last entry, so some slots stay vacant.
        let last = (length / 16 * 15).min(self.limits.states).saturating_sub(stored);
        self.credit.renew(last);
        match lengthening {
            Lengthening::Impossible if last > 0 => Lengthening::LastSlots,
            lengthening => lengthening,
        }
    }

    /// Copies the slots of the next part of the old table. Returns whether there was one.
    pub(crate) fn copy_part(&self, table: &SlotTable, copy: &TableCopy) -> bool {
        let part = copy.taken.fetch_add(1, Ordering::Relaxed);
        if part >= copy.old.parts() {
            return false;
        }
        let hash_of = |id| FoldedMultiply::hash(self.records.state(id));
        let rest = table.copy_part(&copy.old, part, hash_of);
        if !rest.is_empty() {
            copy.rest.lock().unwrap_or_else(PoisonError::into_inner).extend(rest);
        }
        true
    }

    /// Completes a copy, when all parts are copied and no thread uses the table.
    pub(crate) fn end_copy(&self, copy: &TableCopy) {
        let table = self.table();
        for (hash, id) in copy.rest.lock().unwrap_or_else(PoisonError::into_inner).drain(..) {
            table.add_partial(hash, id);
        }
        self.table_bytes.store(table.bytes(), Ordering::Relaxed);
    }

    /// Adds consecutive records, which are not in the table yet.
    pub(crate) fn refill(&self, table: &SlotTable, first: RecordId, count: u32) {
        const BATCH: usize = 16;
        let mut batch = [(0, first); BATCH];
        let mut records = self.records(first, count);
        loop {
            let mut filled = 0;
            while filled < BATCH
                && let Some((id, state)) = records.next()
            {
                let hash = FoldedMultiply::hash(state);
                table.prefetch(table.home(hash));
                batch[filled] = (hash, id);
                filled += 1;
            }
            for &(hash, id) in &batch[..filled] {
                table.add(hash, id);
            }
            if filled < BATCH {
                return;
            }
        }
    }
}

/// The insertions for which a table has room, when `stored` states are stored.
fn room(table: &SlotTable, limits: StoreLimits, stored: usize) -> usize {
    (table.length() / 5 * 4).min(limits.states).saturating_sub(stored)
}

/// A table that is copied to a longer one in parts.
#[derive(Debug)]
pub(crate) struct TableCopy {
    old: Arc<SlotTable>,
    /// The parts that threads have taken.
    taken: AtomicUsize,
    /// Records whose slots are in another part than they were.
    rest: Mutex<Vec<(PartialHash, RecordId)>>,
}

impl TableCopy {
    fn of(old: Arc<SlotTable>) -> TableCopy {
        TableCopy { old, taken: AtomicUsize::new(0), rest: Mutex::default() }
    }
}

/// The result of lengthening a table.
#[derive(Debug)]
pub(crate) enum Lengthening {
    /// The table is empty, and has to be filled from the old one.
    Copy(TableCopy),
    /// The table is empty, and has to be filled from all records.
    Refill,
    /// The table is as before, and some insertions are possible.
    LastSlots,
    /// The table is as before, and full.
    Impossible,
}

#[cfg(all(test, loom))]
mod loom_tests;
#[cfg(test)]
mod tests;
