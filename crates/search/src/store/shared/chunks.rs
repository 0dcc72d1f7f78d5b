//! The records of a shared store: states after their lengths, in chunks that never move.
//!
//! A thread appends to a chunk of its own. Bytes after the end of the chunk belong to the thread;
//! bytes before it are those of published records, which are never changed. The length of a state
//! takes seven bits in each byte.
//!
//! After a state, there may be bytes for its sleep set, in which all threads may set bits. Each chunk
//! knows where the states of the level begin that its thread is filling.
#![allow(unsafe_code, reason = "threads read records while others are appended to the chunk")]

use std::sync::PoisonError;
use std::sync::atomic::AtomicU8;

use beeline_kernel::SleepSet;

use super::super::huge_page_buffer::HugePageBuffer;
use super::super::memory;
use crate::sync::Mutex;
use crate::sync::atomic::{AtomicPtr, AtomicU64, AtomicUsize, Ordering};

/// The bits of an offset in a chunk.
const OFFSET_BITS: u32 = 22;
/// The bits of an id: chunk and offset.
pub(super) const ID_BITS: u32 = 42;
/// The size of the first chunk of a thread.
const FIRST: usize = 1 << 16;
/// The size of large chunks.
const MOST: usize = 1 << OFFSET_BITS;
/// The chunks that ids can count.
const MOST_CHUNKS: usize = 1 << (ID_BITS - OFFSET_BITS);
/// The chunks of a store without a limit of memory.
const USUAL_CHUNKS: usize = 1 << 16;
/// Bytes of a cache line.
const LINE: usize = 64;
/// This many bytes after a record are prefetched.
const AHEAD: usize = 4 * LINE;
/// The most bytes of a length.
const PREFIX: usize = 4;

/// The place of a record: chunk and offset. No offset is 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct RecordId(u64);

impl RecordId {
    /// The slot of a record, given the other bits.
    #[inline]
    pub(super) fn entry(self, key: u64) -> u64 {
        key | self.0
    }

    /// The record of a slot that is not vacant.
    #[inline]
    pub(super) fn of_entry(entry: u64) -> RecordId {
        RecordId(entry & ((1 << ID_BITS) - 1))
    }

    #[inline]
    fn chunk(self) -> usize {
        (self.0 >> OFFSET_BITS) as usize
    }

    #[inline]
    fn offset(self) -> usize {
        self.0 as usize & (MOST - 1)
    }

    /// The bits of a number.
    pub(crate) const BITS: u32 = ID_BITS;

    /// The record as a number of [`BITS`](RecordId::BITS) bits, not 0.
    #[inline]
    pub(crate) fn number(self) -> u64 {
        self.0
    }

    /// The record of a number, unless that is 0.
    #[inline]
    pub(crate) fn of_number(number: u64) -> Option<RecordId> {
        (number != 0).then_some(RecordId(number))
    }

    /// Whether the chunks of two records are the same.
    #[inline]
    pub(crate) fn is_beside(self, other: RecordId) -> bool {
        self.chunk() == other.chunk()
    }
}

/// The end of the chunk of a thread, and the insertions that it has reserved.
#[derive(Debug)]
pub(crate) struct RecordWriter {
    chunk: usize,
    /// The start of the chunk.
    start: *mut u8,
    /// The end of the published records.
    at: usize,
    /// The end of the record that was written last.
    written: usize,
    capacity: usize,
    /// The memory of all chunks of this thread.
    bytes: usize,
    /// The level of the states that it writes.
    level: u32,
    /// Insertions that are reserved in the table.
    pub(super) credit: usize,
    /// The length of the longest state.
    pub(crate) longest: usize,
}

// SAFETY: the memory after the end of the chunk belongs to the writer.
unsafe impl Send for RecordWriter {}

impl RecordWriter {
    /// A writer without a chunk.
    pub(super) fn new() -> RecordWriter {
        let start = std::ptr::null_mut();
        let (chunk, at, written, capacity, bytes, credit, longest) = (0, 0, 0, 0, 0, 0, 0);
        RecordWriter { chunk, start, at, written, capacity, bytes, level: 0, credit, longest }
    }

    /// Keeps the record that was written last, since it is published.
    #[inline]
    pub(super) fn keep_written(&mut self) {
        self.at = self.written;
        self.credit -= 1;
    }

    /// Returns the reserved insertions.
    pub(crate) fn return_credit(&mut self) {
        self.credit = 0;
    }
}

/// The chunks of all threads.
#[derive(Debug)]
pub(super) struct RecordChunks {
    /// The start of each chunk.
    starts: Box<[AtomicPtr<u8>]>,
    /// By chunk: the last level whose states are there, and the offset of the first of them.
    levels: Box<[AtomicU64]>,
    /// Bytes of a sleep set, or of other marks.
    pub(super) sleep_bytes: usize,
    opened: AtomicUsize,
    bytes: AtomicUsize,
    limit: usize,
    memory: Mutex<Vec<HugePageBuffer<u8>>>,
    #[cfg(loom)]
    races: races::RaceWatch,
}

impl RecordChunks {
    /// No chunks yet.
    pub(super) fn new(limit: usize, threads: usize) -> RecordChunks {
        let small = threads * (MOST / FIRST).ilog2() as usize;
        let most = if limit == usize::MAX { USUAL_CHUNKS } else { limit / MOST };
        let chunks = (most + 2 * small + 64).min(MOST_CHUNKS);
        #[cfg(loom)]
        let chunks = chunks.min(races::CHUNKS);
        RecordChunks {
            starts: (0..chunks).map(|_| AtomicPtr::new(std::ptr::null_mut())).collect(),
            levels: (0..chunks).map(|_| AtomicU64::new(0)).collect(),
            sleep_bytes: 0,
            opened: AtomicUsize::new(0),
            bytes: AtomicUsize::new(0),
            limit,
            memory: Mutex::default(),
            #[cfg(loom)]
            races: races::RaceWatch::new(),
        }
    }

    /// Memory held.
    pub(super) fn bytes(&self) -> usize {
        self.bytes.load(Ordering::Relaxed)
    }

    /// Writes a state after the records of a thread, where the next call overwrites it unless it
    /// [is kept](RecordWriter::keep_written). `None` without memory; other parts of the store hold
    /// `others` bytes.
    #[inline]
    pub(super) fn write(
        &self,
        writer: &mut RecordWriter,
        state: &[u8],
        others: usize,
    ) -> Option<RecordId> {
        let most = state.len() + PREFIX + self.sleep_bytes;
        if most > writer.capacity - writer.at && !self.open_chunk(writer, most, others) {
            return None;
        }
        let mut at = writer.at;
        let mut length = state.len();
        #[cfg(loom)]
        self.races.write(writer.chunk, at);
        // SAFETY: `most` bytes after the end of the chunk lie in it. They belong to the writer,
        // since no published record is there, and no other writer has this chunk.
        unsafe {
            while length >= 0x80 {
                writer.start.add(at).write(length as u8 | 0x80);
                length >>= 7;
                at += 1;
            }
            writer.start.add(at).write(length as u8);
            at += 1;
            copy(state, writer.start.add(at));
            writer.start.add(at + state.len()).write_bytes(0, self.sleep_bytes);
        }
        writer.written = at + state.len() + self.sleep_bytes;
        // The publication of a record waits until it is written.
        memory::prefetch(nothing_at(writer.start), writer.written + AHEAD);
        writer.longest = writer.longest.max(state.len());
        Some(RecordId(((writer.chunk as u64) << OFFSET_BITS) | writer.at as u64))
    }

    /// Opens the next chunk of a thread, for a record of `most` bytes.
    #[cold]
    fn open_chunk(&self, writer: &mut RecordWriter, most: usize, others: usize) -> bool {
        let Some(needed) = most.checked_add(1).filter(|&needed| needed <= MOST) else {
            return false;
        };
        let capacity = writer.bytes.next_power_of_two().clamp(FIRST, MOST);
        let capacity = capacity.max(needed.next_power_of_two());
        let before = self.bytes.fetch_add(capacity, Ordering::Relaxed);
        let is_allowed = before.saturating_add(capacity).saturating_add(others) <= self.limit;
        let chunk = if is_allowed { HugePageBuffer::with_room(capacity) } else { None };
        let Some(chunk) = chunk else {
            self.bytes.fetch_sub(capacity, Ordering::Relaxed);
            return false;
        };
        let number = self.opened.fetch_add(1, Ordering::Relaxed);
        let Some(start) = self.starts.get(number) else {
            self.bytes.fetch_sub(capacity, Ordering::Relaxed);
            return false;
        };
        let memory: *mut u8 = chunk.start();
        start.store(memory, Ordering::Release);
        (writer.chunk, writer.start, writer.capacity) = (number, memory, capacity);
        // No record has id 0, which stands for a vacant slot.
        (writer.at, writer.written) = (1, 1);
        self.begin_level(writer, writer.level);
        writer.bytes += capacity;
        self.memory.lock().unwrap_or_else(PoisonError::into_inner).push(chunk);
        true
    }

    /// Begins to write states of a level: from now on, a thread writes states of this level only.
    pub(super) fn begin_level(&self, writer: &mut RecordWriter, level: u32) {
        writer.level = level;
        if writer.capacity > 0 {
            let stamp = u64::from(level) << u32::BITS | writer.at as u64;
            self.levels[writer.chunk].store(stamp, Ordering::Relaxed);
        }
    }

    /// Whether a published state belongs to this level, which is the last one.
    #[inline]
    pub(super) fn is_of_level(&self, id: RecordId, level: u32) -> bool {
        // The slot through which the id came orders this read.
        let stamp = self.levels[id.chunk()].load(Ordering::Relaxed);
        stamp >> u32::BITS == u64::from(level) && id.offset() >= stamp as u32 as usize
    }

    /// The bytes of a sleep set, or others that all threads may change.
    #[inline]
    pub(super) fn sleep_bytes(&self, id: RecordId) -> &[AtomicU8] {
        self.bytes_after(self.state(id))
    }

    /// The bytes after a state, which is a record of this store.
    #[inline]
    fn bytes_after<'r>(&self, state: &'r [u8]) -> &'r [AtomicU8] {
        let after = state.as_ptr_range().end;
        // SAFETY: these bytes of the record are written before it is published, and accessed as
        // atomic bytes from then on.
        unsafe { std::slice::from_raw_parts(after.cast(), self.sleep_bytes) }
    }

    /// The sleep set of a state.
    #[inline]
    pub(super) fn sleep_set(&self, id: RecordId) -> SleepSet {
        self.sleep_set_after(self.state(id))
    }

    /// The sleep set after a state, which is a record of this store.
    #[inline]
    fn sleep_set_after(&self, state: &[u8]) -> SleepSet {
        let bytes = self.bytes_after(state).iter().rev();
        let bits = bytes.fold(0, |bits, byte| bits << 8 | u32::from(byte.load(Ordering::Relaxed)));
        SleepSet(bits)
    }

    /// Adds processes to the sleep set of a state.
    #[inline]
    pub(super) fn put_asleep(&self, id: RecordId, asleep: SleepSet) {
        for (byte, bits) in self.sleep_bytes(id).iter().zip(asleep.0.to_le_bytes()) {
            if bits != 0 {
                byte.fetch_or(bits, Ordering::Relaxed);
            }
        }
    }

    /// The processes that can be in a sleep set.
    #[inline]
    pub(super) fn can_sleep(&self) -> SleepSet {
        SleepSet(((1_u64 << (8 * self.sleep_bytes)) - 1) as u32)
    }

    /// The start of a record.
    #[inline]
    fn start(&self, id: RecordId) -> *const u8 {
        // The slot or the lock through which the id came orders this read.
        self.starts[id.chunk()].load(Ordering::Relaxed).wrapping_add(id.offset())
    }

    /// A record.
    #[inline]
    pub(super) fn state(&self, id: RecordId) -> &[u8] {
        #[cfg(loom)]
        self.races.read(id.chunk(), id.offset());
        // SAFETY: ids are made by `write`, and leave the store when the record is published; the
        // reader has the id from there. Published records are not changed, and live as long as the
        // chunks.
        unsafe { record(self.start(id)) }
    }

    /// Prefetches a record of about this length.
    #[inline]
    pub(super) fn prefetch(&self, id: RecordId, length: usize) {
        let at = nothing_at(self.start(id));
        memory::prefetch(at, 0);
        memory::prefetch(at, length.min(LINE));
        if length > 2 * LINE {
            memory::prefetch(at, 2 * LINE);
        }
    }

    /// As many consecutive records from this one on, all published.
    #[inline]
    pub(super) fn consecutive(&self, first: RecordId, count: u32) -> Records<'_> {
        Records { chunks: self, next: first, left: count }
    }
}

/// An empty slice at an address, for prefetching.
#[inline(always)]
fn nothing_at<'a>(start: *const u8) -> &'a [u8] {
    // SAFETY: an empty slice may be anywhere but at address 0.
    unsafe { std::slice::from_raw_parts(start, 0) }
}

/// Copies a state. Most states are short, so that a few inlined moves are faster than a call.
///
/// # Safety
///
/// `to` has to be the start of memory that takes the state and does not overlap it.
#[inline(always)]
unsafe fn copy(state: &[u8], to: *mut u8) {
    const BLOCK: usize = 16;
    // SAFETY: all blocks lie in the state.
    unsafe {
        let Some(last) = state.last_chunk::<BLOCK>() else {
            return to.copy_from_nonoverlapping(state.as_ptr(), state.len());
        };
        if state.len() > 8 * BLOCK {
            return to.copy_from_nonoverlapping(state.as_ptr(), state.len());
        }
        for (block, at) in state.as_chunks::<BLOCK>().0.iter().zip((0..).step_by(BLOCK)) {
            to.add(at).cast::<[u8; BLOCK]>().write_unaligned(*block);
        }
        // It may overlap the block before.
        to.add(state.len() - BLOCK).cast::<[u8; BLOCK]>().write_unaligned(*last);
    }
}

/// The state of a record.
///
/// # Safety
///
/// `start` has to be the start of a record that is not changed during the lifetime.
#[inline]
unsafe fn record<'r>(start: *const u8) -> &'r [u8] {
    // SAFETY: a record starts with its length, whose last byte is less than 0x80, and the state is
    // after it.
    unsafe {
        let first = start.read();
        if first < 0x80 {
            return std::slice::from_raw_parts(start.add(1), usize::from(first));
        }
        let (mut length, mut at) = (usize::from(first & 0x7f), 1);
        loop {
            let byte = start.add(at).read();
            length |= usize::from(byte & 0x7f) << (7 * at);
            at += 1;
            if byte < 0x80 {
                return std::slice::from_raw_parts(start.add(at), length);
            }
        }
    }
}

/// Consecutive records.
#[derive(Clone, Debug)]
pub(crate) struct Records<'a> {
    chunks: &'a RecordChunks,
    next: RecordId,
    left: u32,
}

impl<'a> Iterator for Records<'a> {
    type Item = (RecordId, &'a [u8]);

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        self.left = self.left.checked_sub(1)?;
        let (id, state) = (self.next, self.chunks.state(self.next));
        let length = state.as_ptr_range().end.addr() - self.chunks.start(id).addr();
        self.next = RecordId(id.0 + (length + self.chunks.sleep_bytes) as u64);
        Some((id, state))
    }
}

impl<'a> Records<'a> {
    /// The next record, if there is one.
    #[inline]
    pub(crate) fn next_id(&self) -> Option<RecordId> {
        (self.left > 0).then_some(self.next)
    }

    /// The next record with its sleep set.
    #[inline]
    pub(crate) fn next_with_sleep_set(&mut self) -> Option<(RecordId, &'a [u8], SleepSet)> {
        let (id, state) = self.next()?;
        Some((id, state, self.chunks.sleep_set_after(state)))
    }
}

/// Tells loom which records threads write and read, so that it finds races.
#[cfg(loom)]
mod races {
    use loom::cell::UnsafeCell;

    /// The chunks that are watched.
    pub(super) const CHUNKS: usize = 4;
    /// The first bytes of a chunk that are watched.
    const BYTES: usize = 40;

    /// A cell for each byte where a record may start.
    #[derive(Debug)]
    pub(super) struct RaceWatch([[UnsafeCell<()>; BYTES]; CHUNKS]);

    // SAFETY: the cells hold nothing.
    unsafe impl Sync for RaceWatch {}

    impl RaceWatch {
        pub(super) fn new() -> RaceWatch {
            RaceWatch(std::array::from_fn(|_| std::array::from_fn(|_| UnsafeCell::new(()))))
        }

        /// A thread writes the record there.
        pub(super) fn write(&self, chunk: usize, offset: usize) {
            self.0[chunk][offset].with_mut(|_| ());
        }

        /// A thread reads the record there.
        pub(super) fn read(&self, chunk: usize, offset: usize) {
            self.0[chunk][offset].with(|_| ());
        }
    }
}
