//! All states, packed, one after the other in chunks that never move.
//!
//! States of one length share a [`Packing`], which gets wider when it has to. Neighbours in
//! the order of storing mostly have the same one, since processes do not start in every
//! step: so a group of them is described by the place of the first and one packing. Where
//! they differ, or lie in different chunks, each has a start of four bytes and a packing of
//! two.
//!
//! Packings may take some memory, and more when there are many states. A state that would
//! need one too many is kept as it is, behind its length.

use super::memory;
use super::packing::Packing;
use super::pages::Pages;

/// What a chunk holds at most. A longer state gets a chunk of its own.
const CHUNK: usize = 1 << CHUNK_BITS;
const CHUNK_BITS: u32 = 22;
/// What the first chunk starts with, and what it and the others hold at least in the end.
const FIRST: usize = 1 << 10;
const LEAST: usize = 1 << 20;
/// States in a group: so few that their chunks can be counted in ten bits, and so many
/// that what is known about groups stays in the caches.
const GROUP: usize = 1 << 10;
/// The `packing` of a group whose states have starts and packings of their own.
const MIXED: u32 = u32::MAX;
/// The packing of a state that is kept as it is.
const RAW: u16 = u16::MAX;
/// The bytes before such a state.
const PREFIX: usize = size_of::<u32>();
/// What a state may take beyond its length: the prefix, or while it is packed, a word.
const SLACK: usize = 16;
/// What packings may take together, and behind it the share of what the states take.
const PACKINGS: usize = 1 << 16;
const SHARE: usize = 8;
/// A length that has had so many packings gets them wider by whole bytes.
const MANY: u32 = 32;

/// Some neighbours.
#[derive(Clone, Copy, Debug)]
struct Group {
    /// The chunk of the first.
    chunk: u32,
    /// Its offset there or, for a mixed group, where in `starts` and `packed_by` it is.
    at: u32,
    /// The packing of all, or that it is mixed.
    packing: u32,
}

/// Where a state is, and how it is packed.
#[derive(Clone, Copy, Debug)]
struct Place {
    chunk: usize,
    at: usize,
    packing: u16,
}

/// The states of one length.
#[derive(Clone, Copy, Debug)]
struct Shape {
    length: usize,
    /// How they are packed from now on.
    packing: u16,
    /// How many packings they have had.
    packings: u32,
}

/// States of varying length, numbered from 0.
#[derive(Clone, Debug)]
pub(crate) struct Arena {
    chunks: Vec<Vec<u8>>,
    groups: Vec<Group>,
    /// Of the states in mixed groups: chunk, counted from the first one of the group,
    /// and offset.
    starts: Pages<u32>,
    /// Of the same ones.
    packed_by: Pages<u16>,
    packings: Vec<Packing>,
    /// Ordered by length.
    shapes: Vec<Shape>,
    /// The packing of the last state.
    last: u16,
    len: usize,
    longest: usize,
    chunk_bytes: usize,
    /// What the fields of all packings take.
    packing_bytes: usize,
}

impl Arena {
    /// An empty arena.
    pub(crate) fn new() -> Arena {
        Arena {
            chunks: Vec::new(),
            groups: Vec::new(),
            starts: Pages::new(),
            packed_by: Pages::new(),
            packings: Vec::new(),
            shapes: Vec::new(),
            last: RAW,
            len: 0,
            longest: 0,
            chunk_bytes: 0,
            packing_bytes: 0,
        }
    }

    /// How much memory it will take at most to [`push`](Arena::push) a state of this
    /// length.
    #[inline]
    pub(crate) fn growth(&self, length: usize) -> usize {
        let mixed = self.starts.growth_by(GROUP) + self.packed_by.growth_by(GROUP);
        let packings = doubling(&self.packings) + doubling(&self.shapes);
        let packings = packings + Packing::bytes_for(length);
        doubling(&self.groups) + mixed + packings + self.chunk_growth(length + SLACK)
    }

    #[inline]
    fn chunk_growth(&self, room: usize) -> usize {
        let Some(last) = self.chunks.last() else { return room.max(FIRST) };
        if has_room(last, room) {
            return 0;
        }
        // The first chunk grows; those behind have their size from the start, so that
        // they are not copied. That size follows what there is already.
        if self.chunks.len() == 1 && may_become(last, room) {
            return (last.len() + room).max(2 * last.capacity()).min(LEAST) - last.capacity();
        }
        room.max((self.chunk_bytes / 32).next_power_of_two().clamp(LEAST, CHUNK))
    }

    /// Whether a state of this length can be added without asking for memory, but for a
    /// packing.
    #[inline]
    pub(crate) fn has_room(&self, length: usize) -> bool {
        self.groups.len() < self.groups.capacity()
            && self.chunks.last().is_some_and(|last| has_room(last, length + SLACK))
    }

    /// Makes room for a state. Says whether there was memory for it.
    #[cold]
    pub(crate) fn reserve(&mut self, length: usize) -> bool {
        if self.groups.len() == self.groups.capacity()
            && self.groups.try_reserve_exact(self.groups.len().max(4)).is_err()
        {
            return false;
        }
        let growth = self.chunk_growth(length + SLACK);
        let may_grow = self.chunks.len() == 1;
        match self.chunks.last_mut() {
            Some(_) if growth == 0 => {}
            Some(only) if may_grow && may_become(only, length + SLACK) => {
                let spare = only.capacity() - only.len();
                if only.try_reserve_exact(spare + growth).is_err() {
                    return false;
                }
            }
            _ => {
                let mut chunk = Vec::new();
                if chunk.try_reserve_exact(growth).is_err() {
                    return false;
                }
                memory::welcome_huge_pages(&mut chunk);
                self.chunks.push(chunk);
            }
        }
        self.chunk_bytes += growth;
        true
    }

    /// Adds a state, for which there is room.
    #[inline]
    pub(crate) fn push(&mut self, state: &[u8]) {
        let chunk = self.chunks.len() - 1;
        let bytes = &mut self.chunks[chunk];
        let offset = bytes.len();
        let is_packed = self
            .packings
            .get(usize::from(self.last))
            .is_some_and(|packing| packing.length() == state.len() && packing.pack(state, bytes));
        if !is_packed {
            self.push_unlike(state);
        }
        self.note(chunk as u32, offset);
    }

    /// Adds a state that cannot be packed as the one before it.
    #[inline(never)]
    fn push_unlike(&mut self, state: &[u8]) {
        let bytes = self.chunks.last_mut().expect("there is room");
        let found = self.shapes.binary_search_by_key(&state.len(), |shape| shape.length);
        self.longest = self.longest.max(state.len());
        let (Ok(at) | Err(at)) = found;
        if found.is_ok() {
            let shape = self.shapes[at];
            let packing = &self.packings[usize::from(shape.packing)];
            if shape.packing != self.last && packing.pack(state, bytes) {
                self.last = shape.packing;
                return;
            }
        }
        let most = PACKINGS.max(self.chunk_bytes / SHARE);
        let held = self.packing_bytes + Packing::bytes_for(state.len());
        if held > most || self.packings.len() == usize::from(RAW) {
            bytes.extend_from_slice(&(state.len() as u32).to_le_bytes());
            bytes.extend_from_slice(state);
            self.last = RAW;
            return;
        }
        self.last = self.packings.len() as u16;
        let packing = if found.is_ok() {
            let shape = &mut self.shapes[at];
            let narrow = &self.packings[usize::from(shape.packing)];
            shape.packing = self.last;
            shape.packings += 1;
            narrow.widened(state, shape.packings > MANY)
        } else {
            let shape = Shape { length: state.len(), packing: self.last, packings: 1 };
            self.shapes.insert(at, shape);
            Packing::of(state)
        };
        let is_packed = packing.pack(state, bytes);
        debug_assert!(is_packed, "the packing was made for it");
        self.packing_bytes = held;
        self.packings.push(packing);
    }

    /// Notes where the next state is, which was packed as `last` says.
    #[inline]
    fn note(&mut self, chunk: u32, offset: usize) {
        if !self.len.is_multiple_of(GROUP)
            && let Some(group) = self.groups.last()
            && group.packing == u32::from(self.last)
            && group.chunk == chunk
        {
            self.len += 1;
            return;
        }
        self.note_change(chunk, offset);
    }

    /// Notes where the next state is, which is not like the one before.
    #[cold]
    fn note_change(&mut self, chunk: u32, offset: usize) {
        let within = self.len % GROUP;
        self.len += 1;
        if within == 0 {
            let is_raw = self.last == RAW;
            let at = if is_raw { self.starts.len() } else { offset } as u32;
            let packing = if is_raw { MIXED } else { u32::from(self.last) };
            self.groups.push(Group { chunk, at, packing });
            if is_raw {
                self.starts.push(offset as u32);
                self.packed_by.push(RAW);
            }
            return;
        }
        let last = self.groups.len() - 1;
        let group = self.groups[last];
        if group.packing != MIXED {
            let at = self.starts.len() as u32;
            self.groups[last] = Group { at, packing: MIXED, ..group };
            let length = self.packings[group.packing as usize].packed();
            for before in 0..within {
                self.starts.push(group.at + (before * length) as u32);
                self.packed_by.push(group.packing as u16);
            }
        }
        self.starts.push(((chunk - group.chunk) << CHUNK_BITS) | offset as u32);
        self.packed_by.push(self.last);
    }

    /// Writes the state with this number, replacing what is in `state`.
    #[inline]
    pub(crate) fn load(&self, index: usize, state: &mut Vec<u8>) {
        let Place { chunk, at, packing } = self.place(index);
        let bytes = &self.chunks[chunk];
        match self.packings.get(usize::from(packing)) {
            Some(packing) => packing.unpack(bytes, at, state),
            None => {
                state.clear();
                state.extend_from_slice(raw(bytes, at));
            }
        }
    }

    /// Whether this is the state with this number.
    #[inline]
    pub(crate) fn is_state(&self, index: usize, state: &[u8]) -> bool {
        let Place { chunk, at, packing } = self.place(index);
        let bytes = &self.chunks[chunk];
        match self.packings.get(usize::from(packing)) {
            Some(packing) => packing.is_same(bytes, at, state),
            None => raw(bytes, at) == state,
        }
    }

    /// Asks for the state with this number.
    #[inline]
    pub(crate) fn prefetch(&self, index: usize) {
        let Place { chunk, at, packing } = self.place(index);
        let length = self.packings.get(usize::from(packing)).map_or(1, Packing::packed);
        memory::prefetch(&self.chunks[chunk], at);
        memory::prefetch(&self.chunks[chunk], (at + length).saturating_sub(1));
    }

    #[inline]
    fn place(&self, index: usize) -> Place {
        let group = self.groups[index / GROUP];
        let (chunk, within) = (group.chunk as usize, index % GROUP);
        if group.packing != MIXED {
            let packing = group.packing as u16;
            let length = self.packings[usize::from(packing)].packed();
            return Place { chunk, at: group.at as usize + within * length, packing };
        }
        let start = self.starts.at(group.at as usize + within) as usize;
        let packing = self.packed_by.at(group.at as usize + within);
        Place { chunk: chunk + (start >> CHUNK_BITS), at: start & (CHUNK - 1), packing }
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

    /// Memory held.
    #[inline]
    pub(crate) fn bytes(&self) -> usize {
        let mixed = self.starts.bytes() + self.packed_by.bytes();
        let packings = self.packing_bytes + held(&self.packings) + held(&self.shapes);
        self.chunk_bytes + held(&self.groups) + mixed + packings
    }
}

/// What the next item of a vector may ask for. There are so few that they may double.
#[inline]
fn doubling<T>(items: &Vec<T>) -> usize {
    if items.len() == items.capacity() { items.len().max(4) * size_of::<T>() } else { 0 }
}

#[inline]
fn held<T>(items: &Vec<T>) -> usize {
    items.capacity() * size_of::<T>()
}

/// The state that is kept as it is at this place.
#[cold]
fn raw(bytes: &[u8], at: usize) -> &[u8] {
    let (prefix, rest) = bytes[at..].split_at(PREFIX);
    let length = u32::from_le_bytes(prefix.try_into().expect("a prefix has this length"));
    &rest[..length as usize]
}

/// Whether a chunk has room, and what is put there a place that can be named.
#[inline]
fn has_room(chunk: &Vec<u8>, room: usize) -> bool {
    chunk.len() < CHUNK && room <= chunk.capacity() - chunk.len()
}

/// Whether the first chunk can grow to have this room.
#[inline]
fn may_become(first: &[u8], room: usize) -> bool {
    first.len() + room <= LEAST
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(lengths: &[usize]) {
        let mut arena = Arena::new();
        for (n, &length) in lengths.iter().enumerate() {
            let (before, growth) = (arena.bytes(), arena.growth(length));
            assert!(arena.has_room(length) || arena.reserve(length));
            arena.push(&vec![n as u8; length]);
            assert!(arena.bytes() <= before + growth);
        }
        assert_eq!(arena.len(), lengths.len());
        let mut state = Vec::new();
        for (n, &length) in lengths.iter().enumerate() {
            arena.load(n, &mut state);
            assert!(state == vec![n as u8; length], "state {n} of {lengths:?}");
            assert!(arena.is_state(n, &state));
            state.push(0);
            assert!(!arena.is_state(n, &state));
        }
        assert_eq!(arena.longest(), lengths.iter().copied().max().unwrap_or(0));
        let held: usize = arena.chunks.iter().map(Vec::capacity).sum();
        assert_eq!(arena.chunk_bytes, held);
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
