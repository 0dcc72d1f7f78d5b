//! Records of the packed store: states as an [`Encoder`] packs them, and raw states.
//!
//! The packing number is the format of a record and determines its length. A raw state has a
//! prefix that holds its length. When too many states are raw, packings are learnt from them and
//! all records are encoded again.

use std::marker::PhantomData;

use beeline_kernel::Successors;

use super::super::arena::{self, Place};
use super::super::equality::equal;
use super::super::hash::{FoldedMultiply, StateHash};
use super::super::probes::{EncodedForm, Probe, ProbeBatch};
use super::super::records::{EncodingBuffer, StateRecords};
use super::encoder::{Encoder, Encoding, RAW};
use super::packing::SPARE;

/// Packings are learnt when at least this many states are raw, and more than one in [`SHARE`].
const FEW: usize = 32;
/// See [`FEW`].
pub(super) const SHARE: usize = 8;
/// Offset of the second prefetch in a record: most records do not reach further than one line.
const SECOND: usize = 32;
/// Bytes of the length before a raw state.
const PREFIX: usize = size_of::<u32>();
/// Zero bytes at the end of a chunk: an unpacking reads whole words.
const TAIL: usize = 8;

/// Chunks of 4 MiB, with the packing number as the format.
type Arena = arena::Arena<u16, 22, TAIL>;

/// Packed and raw states.
#[derive(Clone, Debug)]
pub(crate) struct PackedRecords<H: StateHash = FoldedMultiply> {
    arena: Arena,
    encoder: Encoder,
    /// The number of raw records.
    raw: usize,
    /// The number of times that all records were encoded again.
    version: u32,
    /// Whether the memory may suffice to encode all records again.
    may_learn: bool,
    longest: usize,
    /// The state that was opened last.
    opened: Vec<u8>,
    hash: PhantomData<H>,
}

impl<H: StateHash> StateRecords for PackedRecords<H> {
    type Encoding<'e> = Encoding<'e>;

    fn new() -> Self {
        PackedRecords {
            arena: Arena::new(),
            encoder: Encoder::default(),
            raw: 0,
            version: 0,
            may_learn: true,
            longest: 0,
            opened: Vec::new(),
            hash: PhantomData,
        }
    }

    #[inline]
    fn encode<'e>(&self, state: &'e [u8], buffer: &'e mut EncodingBuffer) -> (Encoding<'e>, u64) {
        self.encoder.encode::<H>(state, buffer.of_length(state.len() + SPARE))
    }

    #[inline]
    fn probe_all(
        &self,
        successors: &Successors,
        batch: &mut ProbeBatch,
        slot: impl Fn(u64) -> usize,
    ) {
        let ProbeBatch { probes, encodings, forms, version, .. } = batch;
        *version = self.version;
        let needed = successors.used() + SPARE;
        if encodings.len() < needed {
            encodings.resize(needed.next_power_of_two(), 0);
        }
        probes.clear();
        forms.clear();
        let mut start = 0;
        probes.extend(successors.states().map(|state| {
            let (encoding, hash) = self.encoder.encode::<H>(state, &mut encodings[start..]);
            start += encoding.bytes.len();
            forms.push(EncodedForm { end: start as u32, format: encoding.format });
            Probe { hash, slot: slot(hash) as u32, candidate: 0 }
        }));
    }

    #[inline]
    fn probed<'e>(&self, _: &'e [u8], at: usize, batch: &'e ProbeBatch) -> Option<Encoding<'e>> {
        if batch.version != self.version {
            return None;
        }
        let start = at.checked_sub(1).map_or(0, |before| batch.forms[before].end);
        let EncodedForm { end, format } = batch.forms[at];
        Some(Encoding { format, bytes: &batch.encodings[start as usize..end as usize] })
    }

    #[inline]
    fn is_match(&self, index: usize, encoding: Encoding<'_>) -> bool {
        let place = self.arena.place(index);
        if place.format != encoding.format {
            return false;
        }
        if place.format == RAW {
            return self.raw(place) == encoding.bytes;
        }
        equal(&self.arena.from(place)[..encoding.bytes.len()], encoding.bytes)
    }

    #[inline]
    fn prefetch(&self, index: usize) {
        let place = self.arena.place(index);
        self.arena.prefetch(place, 0);
        self.arena.prefetch(place, SECOND);
    }

    /// A raw state may require other packings. At the start of a group, its memory is checked.
    #[inline]
    fn has_room(&self, encoding: Encoding<'_>) -> bool {
        encoding.format != RAW && self.has_memory(encoding)
    }

    /// Learns packings if there are many raw states. States of a new length are raw at first.
    fn adapt(&mut self, encoding: Encoding<'_>, room: usize) -> bool {
        if encoding.format != RAW {
            return false;
        }
        self.longest = self.longest.max(encoding.bytes.len());
        let are_many_raw = self.raw >= FEW.max(self.len() / SHARE);
        are_many_raw && self.may_learn && self.learn(room)
    }

    fn growth(&self, encoding: Encoding<'_>) -> usize {
        self.arena.growth(encoding.bytes.len() + PREFIX)
    }

    fn reserve(&mut self, encoding: Encoding<'_>, room: usize) -> bool {
        self.has_memory(encoding)
            || self.growth(encoding) <= room && self.arena.reserve(encoding.bytes.len() + PREFIX)
    }

    #[inline]
    fn push(&mut self, encoding: Encoding<'_>) {
        let Encoding { format, bytes } = encoding;
        if format == RAW {
            self.raw += 1;
            self.arena.push_mixed([&(bytes.len() as u32).to_le_bytes(), bytes], format);
        } else {
            self.arena.push(bytes, format);
        }
    }

    #[inline]
    fn open(&mut self, index: usize) -> &[u8] {
        let mut opened = std::mem::take(&mut self.opened);
        self.load(index, &mut opened);
        self.opened = opened;
        &self.opened
    }

    #[inline]
    fn load(&self, index: usize, state: &mut Vec<u8>) {
        let place = self.arena.place(index);
        if place.format == RAW {
            state.clear();
            state.extend_from_slice(self.raw(place));
        } else {
            self.encoder.decode(self.arena.from(place), place.format, state);
        }
    }

    fn hashes(&self) -> impl Iterator<Item = u64> {
        (0..self.len()).map(|index| self.hash(index))
    }

    #[inline]
    fn len(&self) -> usize {
        self.arena.len()
    }

    fn longest(&self) -> usize {
        self.longest
    }

    #[inline]
    fn bytes(&self) -> usize {
        self.arena.bytes() + self.encoder.bytes()
    }
}

impl<H: StateHash> PackedRecords<H> {
    /// The greatest number of bytes of a packed state.
    pub(crate) fn most_bytes(&self) -> usize {
        self.encoder.longest() + if self.encoder.are_many() { Arena::MIXED_BYTES } else { 0 }
    }

    /// The number of raw records.
    #[cfg(test)]
    pub(super) fn raw_len(&self) -> usize {
        self.raw
    }

    /// Whether a record can be appended without an allocation, apart from the starts of a group
    /// that becomes mixed.
    #[inline]
    fn has_memory(&self, encoding: Encoding<'_>) -> bool {
        !self.arena.is_at_group_start() && self.arena.has_room(encoding.bytes.len() + PREFIX)
    }

    /// The hash of a record.
    fn hash(&self, index: usize) -> u64 {
        let place = self.arena.place(index);
        match place.format {
            RAW => H::hash(self.raw(place)),
            format => self.encoder.hash::<H>(self.arena.from(place), format),
        }
    }

    /// The raw state at this place.
    #[cold]
    fn raw(&self, place: Place<u16>) -> &[u8] {
        let (prefix, rest) = self.arena.from(place).split_at(PREFIX);
        let length = u32::from_le_bytes(prefix.try_into().expect("a prefix has this length"));
        &rest[..length as usize]
    }

    /// All raw states.
    fn raw_states(&self) -> impl Iterator<Item = &[u8]> {
        let places = self.arena.in_mixed_groups().map(|index| self.arena.place(index));
        places.filter(|place| place.format == RAW).map(|place| self.raw(place))
    }

    /// Learns packings for the raw states, and encodes all records again. Returns whether `room`
    /// bytes sufficed for that.
    #[cold]
    fn learn(&mut self, room: usize) -> bool {
        let mut encoder = self.encoder.clone();
        encoder.learn(self.raw_states());
        // Both copies may exist for a while.
        let growth = Arena::most_bytes(self.len(), encoder.longest());
        if growth + encoder.bytes() > room {
            self.may_learn = false;
            return false;
        }
        let mut records = PackedRecords { encoder, ..PackedRecords::<H>::new() };
        let (mut state, mut buffer) = (Vec::new(), EncodingBuffer::new());
        for index in 0..self.len() {
            self.arena.free_before(index);
            self.load(index, &mut state);
            let (encoding, _) = records.encode(&state, &mut buffer);
            assert!(records.reserve(encoding, usize::MAX), "there is memory for what is freed");
            records.push(encoding);
        }
        (self.arena, self.encoder, self.raw) = (records.arena, records.encoder, records.raw);
        self.version += 1;
        true
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::byte_chunks::ByteChunks;
    use super::*;

    const CHUNK: usize = ByteChunks::<22>::MOST;

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
        let mut records = PackedRecords::<FoldedMultiply>::new();
        records.encoder = encoder.clone();
        for (n, &length) in lengths.iter().enumerate() {
            let (state, mut buffer) = (vec![n as u8; length], EncodingBuffer::new());
            let (encoding, hash) = records.encode(&state, &mut buffer);
            let (before, growth) = (records.bytes(), records.growth(encoding));
            assert!(records.reserve(encoding, usize::MAX));
            records.push(encoding);
            assert_eq!(records.hash(n), hash);
            assert!(records.bytes() <= before + growth);
        }
        assert_eq!(records.len(), lengths.len());
        for (n, &length) in lengths.iter().enumerate() {
            let (mut state, mut buffer) = (Vec::new(), EncodingBuffer::new());
            records.load(n, &mut state);
            assert!(state == vec![n as u8; length], "state {n} of {lengths:?}");
            let (encoding, _) = records.encode(&state, &mut buffer);
            assert!(records.is_match(n, encoding));
            let other = Encoding { format: encoding.format ^ 1, ..encoding };
            assert!(!records.is_match(n, other));
        }
        assert_eq!(records.raw_states().count(), records.raw_len());
        if let Some(last) = lengths.len().checked_sub(1) {
            records.arena.free_before(last);
            let mut state = Vec::new();
            records.load(last, &mut state);
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
