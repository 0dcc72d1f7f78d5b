//! Records of all states, one after the other, in chunks that never move.
//!
//! A record lies in one chunk. Records are grouped in the order of insertion. Neighbours mostly
//! have the same length and format, since few steps create processes: such a uniform group is
//! described by the start of its first record, one length and one format. In a mixed group, whose
//! records differ or lie in several chunks, each record has a start of four bytes and a format.
//!
//! Both hashed stores use it: the exact store without formats, the packed store with the number of
//! the packing as the format. Design: ours.

use super::byte_chunks::{ByteChunks, FIRST};
use super::chunked_vec::ChunkedVec;
use super::huge_page_buffer::HugePageBuffer;
use super::memory;

/// Bytes of a cache line.
const LINE: usize = 64;

/// The `length` of a mixed group.
const MIXED: u32 = u32::MAX;

/// Records with consecutive numbers.
#[derive(Clone, Copy, Debug)]
struct Group<F> {
    /// Chunk of the first record.
    chunk: u32,
    /// Uniform: offset of the first record in its chunk. Mixed: index of its start in `starts`.
    at: u32,
    /// Length of every record, or [`MIXED`].
    length: u32,
    /// Format of every record, if uniform.
    format: F,
}

/// The start of a record in a mixed group. Packed, so that no byte is padding.
#[derive(Clone, Copy, Debug)]
#[repr(Rust, packed)]
struct Start<F: Copy> {
    /// Upper bits: chunk, counted from the chunk of the group. Lower bits: offset.
    offset: u32,
    format: F,
}

/// The start of a record.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place<F> {
    chunk: usize,
    at: usize,
    pub(super) format: F,
}

/// Append-only records, numbered from 0, each with a format of type `F`.
///
/// A chunk holds 2^`CHUNK_BITS` bytes, and ends with `TAIL` zero bytes, so that a reader of whole
/// words may read beyond a record.
#[derive(Clone, Debug)]
pub struct Arena<F: Copy, const CHUNK_BITS: u32, const TAIL: usize> {
    chunks: ByteChunks<CHUNK_BITS>,
    groups: Vec<Group<F>>,
    /// Starts of all records in mixed groups.
    starts: ChunkedVec<Start<F>>,
    len: usize,
    longest: usize,
}

impl<F: Copy + PartialEq, const CHUNK_BITS: u32, const TAIL: usize> Arena<F, CHUNK_BITS, TAIL> {
    /// Records of a group. A start has `32 - CHUNK_BITS` bits for the chunk, which suffice for as
    /// many chunks as a group has records.
    const GROUP: usize = 1 << (u32::BITS - CHUNK_BITS);

    /// Bytes that a record of a mixed group takes beside itself.
    pub(super) const MIXED_BYTES: usize = size_of::<Start<F>>();

    /// An empty arena.
    pub(super) fn new() -> Self {
        let (groups, starts) = (Vec::new(), ChunkedVec::new());
        Arena { chunks: ByteChunks::new(), groups, starts, len: 0, longest: 0 }
    }

    /// An upper bound on the memory of `records` records of at most `length` bytes.
    pub(super) fn most_bytes(records: usize, length: usize) -> usize {
        // Chunks and groups grow by doubling at most.
        let chunks = 2 * records * length + FIRST;
        let groups = 2 * (records / Self::GROUP + 4) * size_of::<Group<F>>();
        chunks + groups + ChunkedVec::<Start<F>>::new().growth_by(records)
    }

    /// An upper bound on the memory that a [`push`](Arena::push) of `length` bytes allocates.
    #[inline]
    pub(super) fn growth(&self, length: usize) -> usize {
        let is_full = self.groups.len() == self.groups.capacity();
        let groups = if is_full { self.groups.len().max(4) * size_of::<Group<F>>() } else { 0 };
        groups + self.starts.growth_by(Self::GROUP) + self.chunks.growth(length + TAIL)
    }

    /// Whether the last chunk has room for `length` bytes.
    #[inline]
    pub(super) fn has_room(&self, length: usize) -> bool {
        self.chunks.has_room(length + TAIL)
    }

    /// Whether another group fits into the memory that is allocated for groups.
    #[inline]
    pub(super) fn has_room_for_group(&self) -> bool {
        self.groups.len() < self.groups.capacity()
    }

    /// Whether the next record begins a group.
    #[inline]
    pub(super) fn is_at_group_start(&self) -> bool {
        self.len.is_multiple_of(Self::GROUP)
    }

    /// Allocates memory for a record of `length` bytes and its group. Returns whether there was
    /// enough.
    #[cold]
    pub(super) fn reserve(&mut self, length: usize) -> bool {
        if !self.has_room_for_group()
            && self.groups.try_reserve_exact(self.groups.len().max(4)).is_err()
        {
            return false;
        }
        self.chunks.reserve(length + TAIL)
    }

    /// Appends a record, for which memory is reserved.
    #[inline(always)]
    pub(super) fn push(&mut self, record: &[u8], format: F) {
        let (chunk, offset) = self.append(&[record]);
        if !self.is_at_group_start()
            && let Some(group) = self.groups.last()
            && group.length as usize == record.len()
            && group.format == format
            && group.chunk == chunk
        {
            self.len += 1;
            return;
        }
        self.longest = self.longest.max(record.len());
        let length = u32::try_from(record.len()).unwrap_or(MIXED);
        self.describe(Group { chunk, at: offset, length, format });
    }

    /// Appends a record of two parts, whose length does not follow from the format. Its group
    /// becomes mixed.
    #[cold]
    pub(super) fn push_mixed(&mut self, record: [&[u8]; 2], format: F) {
        let (chunk, offset) = self.append(&record);
        self.describe(Group { chunk, at: offset, length: MIXED, format });
    }

    /// Writes a record at the end. Returns its chunk and offset.
    #[inline(always)]
    fn append(&mut self, parts: &[&[u8]]) -> (u32, u32) {
        let chunk = self.chunks.len() - 1;
        let bytes = self.chunks.last_mut();
        let offset = bytes.len().saturating_sub(TAIL);
        bytes.truncate(offset);
        parts.iter().for_each(|part| bytes.append(part));
        bytes.append(&[0; TAIL]);
        (chunk as u32, offset as u32)
    }

    /// Describes the next record, which differs from the previous one, by a group of its own.
    #[cold]
    fn describe(&mut self, record: Group<F>) {
        let (within, Group { chunk, at: offset, format, .. }) = (self.len % Self::GROUP, record);
        self.len += 1;
        if within == 0 {
            let is_mixed = record.length == MIXED;
            let at = if is_mixed { self.starts.len() as u32 } else { offset };
            self.groups.push(Group { at, ..record });
            if is_mixed {
                self.starts.push(Start { offset, format });
            }
            return;
        }
        let last = self.groups.len() - 1;
        let group = self.groups[last];
        if group.length != MIXED {
            let at = self.starts.len() as u32;
            self.groups[last] = Group { at, length: MIXED, ..group };
            for before in 0..within as u32 {
                let offset = group.at + before * group.length;
                self.starts.push(Start { offset, format: group.format });
            }
        }
        let offset = ((chunk - group.chunk) << CHUNK_BITS) | offset;
        self.starts.push(Start { offset, format });
    }

    /// The start of a record.
    #[inline]
    pub(super) fn place(&self, index: usize) -> Place<F> {
        let group = self.groups[index / Self::GROUP];
        let (chunk, within) = (group.chunk as usize, index % Self::GROUP);
        if group.length != MIXED {
            let at = group.at as usize + within * group.length as usize;
            return Place { chunk, at, format: group.format };
        }
        let Start { offset, format } = self.starts.at(group.at as usize + within);
        let at = offset as usize & (ByteChunks::<CHUNK_BITS>::MOST - 1);
        Place { chunk: chunk + (offset as usize >> CHUNK_BITS), at, format }
    }

    /// The bytes of a record, and all bytes after it in its chunk.
    #[inline]
    pub(super) fn from(&self, place: Place<F>) -> &[u8] {
        &self.chunks.at(place.chunk)[place.at..]
    }

    /// Prefetches the cache line of a byte of a record.
    #[inline]
    pub(super) fn prefetch(&self, place: Place<F>, offset: usize) {
        self.chunks.prefetch(place.chunk, place.at + offset);
    }

    /// The numbers of all records in mixed groups.
    pub(super) fn in_mixed_groups(&self) -> impl Iterator<Item = usize> {
        let groups = self.groups.iter().enumerate().filter(|(_, group)| group.length == MIXED);
        groups.flat_map(|(at, _)| at * Self::GROUP..self.len.min((at + 1) * Self::GROUP))
    }

    /// Frees the chunks before the one of this record. The records there can no longer be read.
    pub(super) fn free_before(&mut self, index: usize) {
        let chunk = self.place(index).chunk;
        self.chunks.free_before(chunk);
    }

    /// The length of the longest record that [`push`](Arena::push) appended.
    pub(super) fn longest(&self) -> usize {
        self.longest
    }

    /// The number of records.
    #[inline]
    pub(super) fn len(&self) -> usize {
        self.len
    }

    /// The part of the memory that is in use.
    pub(super) fn used(&self) -> usize {
        self.chunks.used() + self.groups.len() * size_of::<Group<F>>() + self.starts.bytes()
    }

    /// Memory held.
    #[inline]
    pub(super) fn bytes(&self) -> usize {
        self.chunks.bytes() + self.groups.capacity() * size_of::<Group<F>>() + self.starts.bytes()
    }
}

/// Room for the next records of one length, which need no other check.
#[derive(Clone, Copy, Debug)]
pub(super) struct Run {
    /// Where the next record is written.
    pub(super) end: *mut u8,
    /// The number of records that fit.
    pub(super) room: usize,
}

impl Run {
    /// No room.
    pub(super) const NONE: Run = Run { end: std::ptr::null_mut(), room: 0 };
}

/// Prefetches the first lines of a record of this length.
#[inline(always)]
pub(super) fn prefetch_lines(start: *const u8, length: usize) {
    memory::prefetch_at(start);
    memory::prefetch_at(start.wrapping_add(length.clamp(1, LINE + 1) - 1));
    if length > 2 * LINE {
        memory::prefetch_at(start.wrapping_add(2 * LINE));
    }
}

/// The arena of states in full: chunks of 16 MiB. Records have no format, only a length.
pub(super) type StateArena = Arena<(), 24, 0>;

impl StateArena {
    /// The room for records of `length` bytes in the last group. The arena is not used until they
    /// are [counted](Arena::count_run).
    #[inline]
    pub(super) fn run(&mut self, length: usize) -> Run {
        let within = self.len % Self::GROUP;
        let last = self.chunks.len().wrapping_sub(1);
        match self.groups.last() {
            Some(group)
                if within > 0
                    && group.length as usize == length
                    && group.chunk as usize == last =>
            {
                let chunk = self.chunks.last_mut();
                let left = (chunk.capacity() - chunk.len()) / length.max(1);
                let end = chunk.start().wrapping_add(chunk.len());
                Run { end, room: left.min(Self::GROUP - within) }
            }
            _ => Run::NONE,
        }
    }

    /// Counts records that were written at the end of a [run](Arena::run).
    ///
    /// # Safety
    ///
    /// They were: as many of this length, and no more than there was room for.
    #[allow(unsafe_code, reason = "the records are written in the loop that inserts states")]
    #[inline]
    pub(super) unsafe fn count_run(&mut self, records: usize, length: usize) {
        if records > 0 {
            // SAFETY: the caller promises it.
            unsafe { self.chunks.last_mut().count(records * length) };
            self.len += records;
        }
    }

    /// The records of `length` bytes that are not in mixed groups, for reading while others are
    /// written.
    #[inline]
    pub(super) fn uniform(&self, length: usize) -> UniformRecords {
        UniformRecords {
            groups: self.groups.as_ptr(),
            group_bits: Self::GROUP.trailing_zeros(),
            chunks: self.chunks.starts(),
            length,
        }
    }
}

/// The records of one length, except for those in mixed groups. It is valid as long as no group and no
/// chunk is added to the arena.
#[derive(Clone, Copy, Debug)]
pub(super) struct UniformRecords {
    groups: *const Group<()>,
    group_bits: u32,
    chunks: *const HugePageBuffer<u8>,
    length: usize,
}

impl UniformRecords {
    /// The start of a record, if it is one of these.
    ///
    /// # Safety
    ///
    /// The arena has a record of this number, and no group or chunk was added to it since.
    #[allow(unsafe_code, reason = "the bounds are those of a number that the table holds")]
    #[inline(always)]
    pub(super) unsafe fn start_of(&self, index: usize) -> Option<*const u8> {
        // SAFETY: the group of a record is there, and so is its chunk.
        let (group, chunk) = unsafe {
            let group = &*self.groups.add(index >> self.group_bits);
            (group, &*self.chunks.add(group.chunk as usize))
        };
        let within = index & ((1 << self.group_bits) - 1);
        let offset = group.at as usize + within * self.length;
        (group.length as usize == self.length)
            .then(|| chunk.start().cast_const().wrapping_add(offset))
    }
}

impl<F: Copy + PartialEq, const CHUNK_BITS: u32> Arena<F, CHUNK_BITS, 0> {
    /// A record.
    #[inline(always)]
    pub(super) fn record(&self, index: usize) -> &[u8] {
        let group = &self.groups[index / Self::GROUP];
        if group.length == MIXED {
            return self.mixed_record(index);
        }
        let length = group.length as usize;
        let start = group.at as usize + index % Self::GROUP * length;
        &self.chunks.at(group.chunk as usize)[start..start + length]
    }

    /// Prefetches the first lines of a record.
    #[inline(always)]
    pub(super) fn prefetch_record(&self, index: usize) {
        let group = &self.groups[index / Self::GROUP];
        if group.length == MIXED {
            return self.prefetch_mixed(index);
        }
        let length = group.length as usize;
        let start = group.at as usize + index % Self::GROUP * length;
        let chunk = self.chunks.at(group.chunk as usize);
        prefetch_lines(chunk.as_ptr().wrapping_add(start), length);
    }

    /// The same in a mixed group, where another read for the length is not worthwhile.
    #[inline(never)]
    fn prefetch_mixed(&self, index: usize) {
        let place = self.place(index);
        self.prefetch(place, 0);
        self.prefetch(place, LINE);
    }

    /// A record of a mixed group: it ends where the next one starts or where its chunk ends.
    #[inline(never)]
    fn mixed_record(&self, index: usize) -> &[u8] {
        let place = self.place(index);
        let bytes = self.chunks.at(place.chunk);
        if index + 1 < self.len {
            let next = self.place(index + 1);
            if next.chunk == place.chunk {
                return &bytes[place.at..next.at];
            }
        }
        &bytes[place.at..]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BITS: u32 = 24;
    const CHUNK: usize = ByteChunks::<BITS>::MOST;

    fn check(lengths: &[usize]) {
        let mut arena = Arena::<(), BITS, 0>::new();
        for (n, &length) in lengths.iter().enumerate() {
            let (before, growth) = (arena.bytes(), arena.growth(length));
            let has_room = arena.has_room(length) && arena.has_room_for_group();
            assert!(has_room || arena.reserve(length));
            arena.push(&vec![n as u8; length], ());
            assert!(arena.bytes() <= before + growth);
        }
        assert_eq!(arena.len(), lengths.len());
        for (n, &length) in lengths.iter().enumerate() {
            assert_eq!(arena.record(n), vec![n as u8; length], "state {n} of {lengths:?}");
        }
    }

    #[test]
    fn keeps_states_of_any_length() {
        check(&[]);
        check(&[0]);
        check(&[0, 0, 3, 0, 1, 200, 0]);
        check(&[3000; 1500]);
        check(&[0; 200]);
        let varying: Vec<usize> = (0..20_000).map(|n| 100 + n / 50 % 7 * 4).collect();
        check(&varying);
        check(&[30_000; 1_000]);
    }

    #[test]
    fn an_empty_state_behind_a_full_chunk_is_empty() {
        check(&[CHUNK, 0, 5]);
        check(&[CHUNK - 1, 1, 0, 0, CHUNK - 1, 2]);
    }

    #[test]
    fn a_state_longer_than_a_chunk_gets_its_own() {
        check(&[2 * CHUNK + 7, 1, 3 * CHUNK, 0, 0]);
        check(&[10, CHUNK + 1, 10]);
    }
}
