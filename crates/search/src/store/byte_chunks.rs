//! Append-only bytes in chunks of at most 2^`BITS` bytes.
//!
//! The first chunk grows up to the size of a huge page. Later chunks are allocated in full and never
//! move; their size follows the memory held so far.

use super::huge_page_buffer::{HUGE_PAGE, HugePageBuffer};
use super::memory;

/// Initial size of the first chunk.
pub(crate) const FIRST: usize = 1 << 10;
/// Final size of the first chunk, and least size of the others.
const LEAST: usize = HUGE_PAGE;

/// Chunks of bytes. Bytes are appended to the last one.
#[derive(Clone, Debug)]
pub(crate) struct ByteChunks<const BITS: u32> {
    chunks: Vec<HugePageBuffer<u8>>,
    bytes: usize,
}

impl<const BITS: u32> ByteChunks<BITS> {
    /// The greatest size of a chunk, except for one that holds a single longer record.
    pub(crate) const MOST: usize = 1 << BITS;

    /// No chunks.
    pub(crate) fn new() -> Self {
        ByteChunks { chunks: Vec::new(), bytes: 0 }
    }

    /// Whether the last chunk has room for `room` bytes at an offset of at most `BITS` bits.
    #[inline]
    pub(crate) fn has_room(&self, room: usize) -> bool {
        self.chunks
            .last()
            .is_some_and(|last| last.len() < Self::MOST && room <= last.capacity() - last.len())
    }

    /// The memory that [`reserve`](ByteChunks::reserve) allocates.
    #[inline]
    pub(crate) fn growth(&self, room: usize) -> usize {
        let Some(last) = self.chunks.last() else { return room.max(FIRST) };
        if self.has_room(room) {
            return 0;
        }
        if self.may_grow(room) {
            return (last.len() + room).max(2 * last.capacity()).min(LEAST) - last.capacity();
        }
        room.max((self.bytes / 32).next_power_of_two().clamp(LEAST, Self::MOST))
    }

    /// Whether the first chunk is the only one, and can grow enough.
    #[inline]
    fn may_grow(&self, room: usize) -> bool {
        matches!(&self.chunks[..], [only] if only.len() + room <= LEAST)
    }

    /// Makes room for `room` bytes. Returns whether there was memory for it.
    #[cold]
    pub(crate) fn reserve(&mut self, room: usize) -> bool {
        let growth = self.growth(room);
        if growth == 0 {
            return true;
        }
        let may_grow = self.may_grow(room);
        let larger = match self.chunks.last() {
            Some(only) if may_grow => only.grown(only.capacity() + growth),
            _ => HugePageBuffer::with_room(growth),
        };
        let Some(larger) = larger else { return false };
        if may_grow {
            self.chunks.clear();
        }
        self.chunks.push(larger);
        self.bytes += growth;
        true
    }

    /// The number of chunks.
    #[inline]
    pub(crate) fn len(&self) -> usize {
        self.chunks.len()
    }

    /// The bytes of a chunk.
    #[inline]
    pub(crate) fn at(&self, chunk: usize) -> &[u8] {
        &self.chunks[chunk]
    }

    /// All chunks, valid until the next is [reserved](ByteChunks::reserve).
    #[inline]
    pub(crate) fn starts(&self) -> *const HugePageBuffer<u8> {
        self.chunks.as_ptr()
    }

    /// The last chunk, to which bytes are appended.
    ///
    /// # Panics
    ///
    /// If there is none.
    #[inline]
    pub(crate) fn last_mut(&mut self) -> &mut HugePageBuffer<u8> {
        self.chunks.last_mut().expect("room was made before")
    }

    /// Prefetches the cache line at an offset of a chunk.
    #[inline]
    pub(crate) fn prefetch(&self, chunk: usize, offset: usize) {
        memory::prefetch(&self.chunks[chunk], offset);
    }

    /// Frees the chunks before this one.
    pub(crate) fn free_before(&mut self, chunk: usize) {
        for old in self.chunks[..chunk].iter_mut().rev().take_while(|old| old.capacity() > 0) {
            self.bytes -= old.capacity();
            *old = HugePageBuffer::new();
        }
    }

    /// The number of bytes.
    pub(crate) fn used(&self) -> usize {
        self.chunks.iter().map(|chunk| chunk.len()).sum()
    }

    /// Memory held.
    #[inline]
    pub(crate) fn bytes(&self) -> usize {
        self.bytes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_put_stays_there_and_is_accounted_for() {
        let mut chunks = ByteChunks::<22>::new();
        let mut places = Vec::new();
        let lengths = [0, 1, 1000, 24, 70_000, 3 << 20, 0, 5 << 20, 0, 4 << 20, 1 << 20, 17];
        for (n, &length) in lengths.iter().cycle().take(40).enumerate() {
            let (before, growth) = (chunks.bytes(), chunks.growth(length));
            assert!(chunks.reserve(length));
            assert!(chunks.has_room(length));
            assert_eq!(chunks.bytes(), before + growth);
            let last = chunks.last_mut();
            let offset = last.len();
            assert!(offset < ByteChunks::<22>::MOST);
            last.extend(&vec![n as u8; length]);
            places.push((chunks.len() - 1, offset, length));
        }
        for (n, &(chunk, offset, length)) in places.iter().enumerate() {
            assert!(chunks.at(chunk)[offset..offset + length].iter().all(|&byte| byte == n as u8));
        }
        let held = |chunks: &ByteChunks<22>| {
            chunks.chunks.iter().map(HugePageBuffer::capacity).sum::<usize>()
        };
        assert_eq!(chunks.bytes(), held(&chunks));
        chunks.free_before(3);
        assert_eq!(chunks.bytes(), held(&chunks));
    }
}
