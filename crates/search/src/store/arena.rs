//! The bytes of all states, one after the other, in chunks that never move.
//!
//! A state lies in one chunk. Neighbours in the order of storing are mostly equally
//! long, since processes do not start in every step: so a group of them is described
//! by the place of the first and one length. Where they differ, or lie in different
//! chunks, each has a start of four bytes; its end is where the next state begins or,
//! for the last state of a chunk, where the chunk ends.

use super::byte_chunks::ByteChunks;
use super::chunked_vec::ChunkedVec;
use super::equality::equal;

const CHUNK_BITS: u32 = 24;
/// What the processor reads at once.
const LINE: usize = 64;
/// States in a group: so few that their chunks can be counted in a byte.
const GROUP: usize = 256;
/// The `length` of a group whose states have starts of their own.
const MIXED: u32 = u32::MAX;

/// Some neighbours.
#[derive(Clone, Copy, Debug)]
struct Group {
    /// The chunk of the first.
    chunk: u32,
    /// Its offset there or, for a mixed group, where in `starts` its start is.
    at: u32,
    /// The length of all, or that it is mixed.
    length: u32,
}

/// States of varying length, numbered from 0.
#[derive(Clone, Debug)]
pub(crate) struct Arena {
    chunks: ByteChunks<CHUNK_BITS>,
    groups: Vec<Group>,
    /// Of the states in mixed groups: chunk, counted from the first one of the group,
    /// and offset.
    starts: ChunkedVec<u32>,
    len: usize,
    longest: usize,
}

impl Arena {
    /// An empty arena.
    pub(crate) fn new() -> Arena {
        let (groups, starts) = (Vec::new(), ChunkedVec::new());
        Arena { chunks: ByteChunks::new(), groups, starts, len: 0, longest: 0 }
    }

    /// How much memory it will take at most to [`push`](Arena::push) a state of this
    /// length.
    #[inline]
    pub(crate) fn growth(&self, length: usize) -> usize {
        self.groups_growth() + self.starts.growth_by(GROUP) + self.chunks.growth(length)
    }

    /// What the next group may ask for. There are so few that they may double.
    #[inline]
    fn groups_growth(&self) -> usize {
        let full = self.groups.len() == self.groups.capacity();
        if full { self.groups.len().max(4) * size_of::<Group>() } else { 0 }
    }

    /// Whether a state of this length can be added without asking for memory.
    #[inline]
    pub(crate) fn has_room(&self, length: usize) -> bool {
        self.chunks.has_room(length) && self.groups.len() < self.groups.capacity()
    }

    /// Adds a state, for which there is room.
    #[inline]
    pub(crate) fn push(&mut self, state: &[u8]) {
        let chunk = self.chunks.len() - 1;
        let bytes = self.chunks.last_mut();
        let offset = bytes.len();
        bytes.extend(state);
        self.note(chunk as u32, offset, state.len());
    }

    /// Makes room for a state. Says whether there was memory for it.
    #[cold]
    pub(crate) fn reserve(&mut self, length: usize) -> bool {
        if self.groups.len() == self.groups.capacity()
            && self.groups.try_reserve_exact(self.groups.len().max(4)).is_err()
        {
            return false;
        }
        self.chunks.reserve(length)
    }

    /// Notes where the next state is.
    #[inline]
    fn note(&mut self, chunk: u32, offset: usize, length: usize) {
        let within = self.len % GROUP;
        if within != 0
            && let Some(group) = self.groups.last()
            && group.length as usize == length
            && group.chunk == chunk
        {
            self.len += 1;
            return;
        }
        self.note_change(chunk, offset, length);
    }

    /// Notes where the next state is, which is not like the one before.
    #[cold]
    fn note_change(&mut self, chunk: u32, offset: usize, length: usize) {
        let within = self.len % GROUP;
        self.len += 1;
        self.longest = self.longest.max(length);
        let length = u32::try_from(length).unwrap_or(MIXED);
        if within == 0 {
            let at = if length == MIXED { self.starts.len() } else { offset } as u32;
            self.groups.push(Group { chunk, at, length });
            if length == MIXED {
                self.starts.push(offset as u32);
            }
            return;
        }
        let last = self.groups.len() - 1;
        let group = self.groups[last];
        if group.length != MIXED {
            let at = self.starts.len() as u32;
            self.groups[last] = Group { at, length: MIXED, ..group };
            for before in 0..within as u32 {
                self.starts.push(group.at + before * group.length);
            }
        }
        self.starts.push(((chunk - group.chunk) << CHUNK_BITS) | offset as u32);
    }

    /// The state with this number.
    #[inline]
    pub(crate) fn state(&self, index: usize) -> &[u8] {
        let group = self.groups[index / GROUP];
        if group.length != MIXED {
            let start = group.at as usize + index % GROUP * group.length as usize;
            return &self.chunks.at(group.chunk as usize)[start..start + group.length as usize];
        }
        let (chunk, start) = self.start(index);
        let bytes = self.chunks.at(chunk);
        if index + 1 < self.len {
            let (next_chunk, end) = self.start(index + 1);
            if next_chunk == chunk {
                return &bytes[start..end];
            }
        }
        &bytes[start..]
    }

    /// Whether this is the state with this number.
    #[inline]
    pub(crate) fn is_state(&self, index: usize, state: &[u8]) -> bool {
        equal(self.state(index), state)
    }

    /// Asks for the state with this number.
    #[inline]
    pub(crate) fn prefetch(&self, index: usize) {
        let length = self.groups[index / GROUP].length;
        let (chunk, start) = self.start(index);
        self.chunks.prefetch(chunk, start);
        // In a mixed group, the length is not worth a look.
        let (is_mixed, length) = (length == MIXED, length as usize);
        self.chunks.prefetch(chunk, start + length.clamp(1, LINE + 1) - 1);
        if length > 2 * LINE && !is_mixed {
            self.chunks.prefetch(chunk, start + 2 * LINE);
        }
    }

    /// The chunk of a state, and its offset there.
    #[inline]
    fn start(&self, index: usize) -> (usize, usize) {
        let group = self.groups[index / GROUP];
        let (chunk, within) = (group.chunk as usize, index % GROUP);
        if group.length != MIXED {
            return (chunk, group.at as usize + within * group.length as usize);
        }
        let start = self.starts.at(group.at as usize + within) as usize;
        (chunk + (start >> CHUNK_BITS), start & (ByteChunks::<CHUNK_BITS>::MOST - 1))
    }

    /// The length of the longest state.
    pub(crate) fn longest(&self) -> usize {
        self.longest
    }

    /// How many states there are.
    #[inline]
    pub(crate) fn len(&self) -> usize {
        self.len
    }

    /// How much of its memory is used.
    pub(crate) fn used(&self) -> usize {
        self.chunks.used() + self.groups.len() * size_of::<Group>() + self.starts.bytes()
    }

    /// Memory held.
    #[inline]
    pub(crate) fn bytes(&self) -> usize {
        self.chunks.bytes() + self.groups.capacity() * size_of::<Group>() + self.starts.bytes()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CHUNK: usize = ByteChunks::<CHUNK_BITS>::MOST;

    fn check(lengths: &[usize]) {
        let mut arena = Arena::new();
        for (n, &length) in lengths.iter().enumerate() {
            let (before, growth) = (arena.bytes(), arena.growth(length));
            assert!(arena.has_room(length) || arena.reserve(length));
            arena.push(&vec![n as u8; length]);
            assert!(arena.bytes() <= before + growth);
        }
        assert_eq!(arena.len(), lengths.len());
        for (n, &length) in lengths.iter().enumerate() {
            assert_eq!(arena.state(n), vec![n as u8; length], "state {n} of {lengths:?}");
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
