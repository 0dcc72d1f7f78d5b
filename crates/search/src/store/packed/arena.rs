//! The encodings of all states, one after the other in chunks that never move.
//!
//! Neighbours in the order of storing mostly have the same format, since processes do not
//! start in every step: so a group of them is described by the place of the first and one
//! format. Where they differ, or lie in different chunks, each has a start of four bytes and
//! a format of two. Before a raw state lies its length.

use super::super::byte_chunks::{ByteChunks, FIRST};
use super::super::chunked_vec::ChunkedVec;
use super::super::equality::equal;
use super::super::hash::StateHash;
use super::encoder::{Encoder, Encoding, RAW};

const CHUNK_BITS: u32 = 22;
/// States in a group: so few that their chunks can be counted in ten bits, and so many
/// that what is known about groups stays in the caches.
const GROUP: usize = 1 << 10;
/// The `length` of a group whose states have starts and formats of their own.
const MIXED: u32 = u32::MAX;
/// How far most encodings reach.
const LIKELY: usize = 32;
/// What lies before a raw state.
const PREFIX: usize = size_of::<u32>();
/// At the end of a chunk lie some zeros, so that whole words can be read.
const TAIL: [u8; 8] = [0; 8];
/// What an encoding may take beside its bytes.
const BESIDE: usize = PREFIX + TAIL.len();

/// Some neighbours.
#[derive(Clone, Copy, Debug)]
struct Group {
    /// The chunk of the first.
    chunk: u32,
    /// Its offset there or, for a mixed group, where in `starts` and `formats` it is.
    at: u32,
    /// The length that all of them have here, or that it is mixed.
    length: u32,
    /// The format of all.
    format: u16,
}

/// Where a state is.
#[derive(Clone, Copy, Debug)]
struct Place {
    chunk: usize,
    at: usize,
    format: u16,
}

/// Forms of states, numbered from 0.
#[derive(Clone, Debug)]
pub(super) struct Arena {
    chunks: ByteChunks<CHUNK_BITS>,
    groups: Vec<Group>,
    /// Of the states in mixed groups: chunk, counted from the first one of the group,
    /// and offset.
    starts: ChunkedVec<u32>,
    /// Of the same ones.
    formats: ChunkedVec<u16>,
    len: usize,
    /// How many are raw.
    raw: usize,
}

impl Arena {
    /// What a state in a mixed group takes beside its encoding.
    pub(super) const MIXED_BYTES: usize = size_of::<u32>() + size_of::<u16>();

    /// An empty arena.
    pub(super) fn new() -> Arena {
        Arena {
            chunks: ByteChunks::new(),
            groups: Vec::new(),
            starts: ChunkedVec::new(),
            formats: ChunkedVec::new(),
            len: 0,
            raw: 0,
        }
    }

    /// What one of so many states holds at most, if none is raw and none is longer than this.
    pub(super) fn most_bytes(states: usize, length: usize) -> usize {
        // Chunks and the list of groups grow in leaps, at most to twice what is in them.
        let chunks = 2 * states * length + FIRST;
        let groups = 2 * (states / GROUP + 4) * size_of::<Group>();
        let mixed =
            ChunkedVec::<u32>::new().growth_by(states) + ChunkedVec::<u16>::new().growth_by(states);
        chunks + groups + mixed
    }

    /// How much memory it will take at most to [`push`](Arena::push) an encoding of this length.
    #[inline]
    pub(super) fn growth(&self, length: usize) -> usize {
        let mixed = self.starts.growth_by(GROUP) + self.formats.growth_by(GROUP);
        self.groups_growth() + mixed + self.chunks.growth(length + BESIDE)
    }

    /// What the next group may ask for. There are so few that they may double.
    #[inline]
    fn groups_growth(&self) -> usize {
        let full = self.groups.len() == self.groups.capacity();
        if full { self.groups.len().max(4) * size_of::<Group>() } else { 0 }
    }

    /// Whether an encoding of this length can be added without asking for memory, but for what a
    /// group needs that is mixed: where one begins, someone should look.
    #[inline]
    pub(super) fn has_room(&self, length: usize) -> bool {
        !self.len.is_multiple_of(GROUP) && self.chunks.has_room(length + BESIDE)
    }

    /// Makes room for an encoding of this length. Says whether there was memory for it.
    #[cold]
    pub(super) fn reserve(&mut self, length: usize) -> bool {
        if self.groups.len() == self.groups.capacity()
            && self.groups.try_reserve_exact(self.groups.len().max(4)).is_err()
        {
            return false;
        }
        self.chunks.reserve(length + BESIDE)
    }

    /// Adds an encoding, for which there is room.
    #[inline]
    pub(super) fn push(&mut self, encoding: Encoding<'_>) {
        let chunk = self.chunks.len() - 1;
        let bytes = self.chunks.last_mut();
        let offset = bytes.len().saturating_sub(TAIL.len());
        bytes.truncate(offset);
        if encoding.format == RAW {
            self.raw += 1;
            bytes.extend(&(encoding.bytes.len() as u32).to_le_bytes());
        }
        bytes.extend(encoding.bytes);
        bytes.extend(&TAIL);
        self.note(chunk as u32, offset, encoding);
    }

    /// Notes where the next state is.
    #[inline]
    fn note(&mut self, chunk: u32, offset: usize, encoding: Encoding<'_>) {
        if !self.len.is_multiple_of(GROUP)
            && let Some(group) = self.groups.last()
            && group.length != MIXED
            && group.format == encoding.format
            && group.chunk == chunk
        {
            self.len += 1;
            return;
        }
        self.note_change(chunk, offset, encoding);
    }

    /// Notes where the next state is, which is not like the one before.
    #[cold]
    fn note_change(&mut self, chunk: u32, offset: usize, Encoding { format, bytes }: Encoding<'_>) {
        let within = self.len % GROUP;
        self.len += 1;
        if within == 0 {
            let length = u32::try_from(bytes.len()).unwrap_or(MIXED);
            let length = if format == RAW { MIXED } else { length };
            let at = if length == MIXED { self.starts.len() } else { offset } as u32;
            self.groups.push(Group { chunk, at, length, format });
            if length == MIXED {
                self.starts.push(offset as u32);
                self.formats.push(format);
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
                self.formats.push(group.format);
            }
        }
        self.starts.push(((chunk - group.chunk) << CHUNK_BITS) | offset as u32);
        self.formats.push(format);
    }

    /// Whether the state with this number has this encoding.
    #[inline]
    pub(super) fn has_encoding(&self, index: usize, encoding: Encoding<'_>) -> bool {
        let Place { chunk, at, format } = self.place(index);
        let bytes = self.chunks.at(chunk);
        if format != encoding.format {
            return false;
        }
        if format == RAW {
            return raw(bytes, at) == encoding.bytes;
        }
        equal(&bytes[at..at + encoding.bytes.len()], encoding.bytes)
    }

    /// Writes the state with this number, replacing what is in `state`, if these are the
    /// encoder.
    #[inline]
    pub(super) fn load(&self, index: usize, encoder: &Encoder, state: &mut Vec<u8>) {
        let Place { chunk, at, format } = self.place(index);
        let bytes = self.chunks.at(chunk);
        if format == RAW {
            state.clear();
            state.extend_from_slice(raw(bytes, at));
        } else {
            encoder.unpack(bytes, at, format, state);
        }
    }

    /// The hash of the state with this number, written by this encoder.
    pub(super) fn hash<H: StateHash>(&self, index: usize, encoder: &Encoder) -> u64 {
        let Place { chunk, at, format } = self.place(index);
        let bytes = self.chunks.at(chunk);
        if format == RAW { H::hash(raw(bytes, at)) } else { encoder.hash::<H>(bytes, at, format) }
    }

    /// The raw states.
    pub(super) fn raw(&self) -> impl Iterator<Item = &[u8]> {
        let groups = self.groups.iter().enumerate().filter(|(_, group)| group.length == MIXED);
        let mixed = groups.flat_map(|(at, _)| at * GROUP..self.len.min((at + 1) * GROUP));
        let places = mixed.map(|index| self.place(index)).filter(|place| place.format == RAW);
        places.map(|place| raw(self.chunks.at(place.chunk), place.at))
    }

    /// How many are raw.
    #[inline]
    pub(super) fn raw_len(&self) -> usize {
        self.raw
    }

    /// The states before this one are not needed any more; their memory is given back where
    /// that is easy.
    pub(super) fn forget_before(&mut self, index: usize) {
        let chunk = self.place(index).chunk;
        self.chunks.forget_before(chunk);
    }

    /// Asks for the state with this number.
    #[inline]
    pub(super) fn prefetch(&self, index: usize) {
        let Place { chunk, at, .. } = self.place(index);
        self.chunks.prefetch(chunk, at);
        self.chunks.prefetch(chunk, at + LIKELY);
    }

    #[inline]
    fn place(&self, index: usize) -> Place {
        let group = self.groups[index / GROUP];
        let (chunk, within) = (group.chunk as usize, index % GROUP);
        if group.length != MIXED {
            let at = group.at as usize + within * group.length as usize;
            return Place { chunk, at, format: group.format };
        }
        let start = self.starts.at(group.at as usize + within) as usize;
        let format = self.formats.at(group.at as usize + within);
        let at = start & (ByteChunks::<CHUNK_BITS>::MOST - 1);
        Place { chunk: chunk + (start >> CHUNK_BITS), at, format }
    }

    /// How many states there are.
    #[inline]
    pub(super) fn len(&self) -> usize {
        self.len
    }

    /// Memory held.
    #[inline]
    pub(super) fn bytes(&self) -> usize {
        let mixed = self.starts.bytes() + self.formats.bytes();
        self.chunks.bytes() + self.groups.capacity() * size_of::<Group>() + mixed
    }
}

/// The raw state at this place.
#[cold]
fn raw(bytes: &[u8], at: usize) -> &[u8] {
    let (prefix, rest) = bytes[at..].split_at(PREFIX);
    let length = u32::from_le_bytes(prefix.try_into().expect("a prefix has this length"));
    &rest[..length as usize]
}

#[cfg(test)]
mod tests {
    use super::super::super::hash::FoldedMultiply;
    use super::super::packing::SPARE;
    use super::*;

    const CHUNK: usize = ByteChunks::<CHUNK_BITS>::MOST;

    fn check(lengths: &[usize]) {
        check_with(lengths, &Encoder::default());
        // Of all bytes that differ, each has eight bits.
        let mut encoder = Encoder::default();
        for &length in lengths {
            encoder.learn([vec![0; length], vec![u8::MAX; length]].iter().map(Vec::as_slice));
        }
        check_with(lengths, &encoder);
    }

    fn check_with(lengths: &[usize], encoder: &Encoder) {
        let mut arena = Arena::new();
        for (n, &length) in lengths.iter().enumerate() {
            let (before, growth) = (arena.bytes(), arena.growth(length));
            assert!(arena.has_room(length) || arena.reserve(length));
            let (state, mut buffer) = (vec![n as u8; length], vec![0; length + SPARE]);
            let (encoding, hash) = encoder.encode::<FoldedMultiply>(&state, &mut buffer);
            arena.push(encoding);
            assert_eq!(arena.hash::<FoldedMultiply>(n, encoder), hash);
            assert!(arena.bytes() <= before + growth);
        }
        assert_eq!(arena.len(), lengths.len());
        for (n, &length) in lengths.iter().enumerate() {
            let mut state = Vec::new();
            arena.load(n, encoder, &mut state);
            assert!(state == vec![n as u8; length], "state {n} of {lengths:?}");
            let mut other = vec![0; length + SPARE];
            let (encoding, _) = encoder.encode::<FoldedMultiply>(&state, &mut other);
            assert!(arena.has_encoding(n, encoding));
            assert!(!arena.has_encoding(n, Encoding { format: encoding.format ^ 1, ..encoding }));
        }
        assert_eq!(arena.raw().count(), arena.raw_len());
        if let Some(last) = lengths.len().checked_sub(1) {
            arena.forget_before(last);
            let mut state = Vec::new();
            arena.load(last, encoder, &mut state);
            assert_eq!(state.len(), lengths[last]);
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
