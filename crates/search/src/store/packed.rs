//! The packed store: each state is kept without the bits that are the same in all of them.
//!
//! As in the [exact store](super::ExactStore), a [table](CompactTable) finds the candidates for a hash, and
//! an [`Arena`] holds states in the order of storing. What lies there, and is hashed and
//! compared, is the [`Encoding`] of a state. States with bits that nobody has seen change are kept
//! as they are, and when there are many of them, all encodings are made anew.

mod arena;
mod bit_extract;
mod encoder;
mod packing;

use std::marker::PhantomData;
use std::ops::Range;

use beeline_kernel::{StateId, Successors};

use super::bucket_table::Lookup;
use super::compact_table::CompactTable;
use super::hash::{FoldedMultiply, StateHash};
use super::{Inserted, Probe, ProbeBatch, StateStore, StoreLimits};
use arena::Arena;
use encoder::{Encoder, Encoding, RAW};
use packing::SPARE;

/// When so many states cannot be packed, and more than this share of all, packings are made
/// for them.
const FEW: usize = 32;
const SHARE: usize = 8;
/// For the encoding of a state as long as most are, there is no need to ask for memory.
const SHORT: usize = 256;

/// A set of states, each packed and numbered in the order of storing.
#[derive(Clone, Debug)]
pub(crate) struct PackedStore<H: StateHash = FoldedMultiply> {
    table: CompactTable,
    arena: Arena,
    encoder: Encoder,
    /// How often all encodings were made anew.
    learnt: u32,
    may_learn: bool,
    limits: StoreLimits,
    /// How many states may be added before anyone looks whether the table, the ceiling
    /// and the numbers have room for more, and whether packings should be wider.
    credit: usize,
    longest: usize,
    /// The state that was opened last. Kept for its memory.
    opened: Vec<u8>,
    /// The encoding of a state that is being inserted. Kept for its memory.
    encoding: Vec<u8>,
    hash: PhantomData<H>,
}

impl<H: StateHash> StateStore for PackedStore<H> {
    fn new(limits: StoreLimits) -> Self {
        PackedStore {
            table: CompactTable::new(),
            arena: Arena::new(),
            encoder: Encoder::default(),
            learnt: 0,
            may_learn: true,
            limits,
            credit: 0,
            longest: 0,
            opened: Vec::new(),
            encoding: Vec::new(),
            hash: PhantomData,
        }
    }

    #[inline]
    fn batch(&self) -> usize {
        16
    }

    fn insert(&mut self, state: &[u8]) -> Inserted {
        let mut buffer = std::mem::take(&mut self.encoding);
        make_room(&mut buffer, state.len());
        let (encoding, hash) = self.encoder.encode::<H>(state, &mut buffer);
        let inserted = self.insert_encoded(state, encoding, hash);
        self.encoding = buffer;
        inserted
    }

    fn find(&self, state: &[u8]) -> Option<StateId> {
        let (mut short, mut long) = ([0; SHORT], Vec::new());
        let buffer = if state.len() + SPARE <= SHORT {
            short.as_mut_slice()
        } else {
            make_room(&mut long, state.len());
            &mut long
        };
        let (encoding, hash) = self.encoder.encode::<H>(state, buffer);
        match self.table.find(hash, |index| self.arena.has_encoding(index, encoding)) {
            Lookup::Present(index) => Some(id_of(index)),
            Lookup::Vacant(_) => None,
        }
    }

    #[inline]
    fn prefetch_slots(&self, successors: &Successors, ahead: &mut ProbeBatch) {
        let ProbeBatch { probes, encodings, length, learnt } = ahead;
        *learnt = self.learnt;
        *length = self.table.length();
        probes.clear();
        make_room(encodings, successors.used());
        let mut start = 0;
        probes.extend(successors.states().map(|state| {
            let (encoding, hash) = self.encoder.encode::<H>(state, &mut encodings[start..]);
            let place = self.table.home(hash);
            self.table.prefetch(place);
            start += encoding.bytes.len();
            let (place, end) = (place as u32, start as u32);
            Probe { hash, place, end, format: encoding.format, ..Probe::default() }
        }));
    }

    #[inline]
    fn prefetch_candidates(&self, range: Range<usize>, ahead: &mut ProbeBatch) {
        ahead.renew(self.table.length(), |hash| self.table.home(hash));
        for probe in &mut ahead.probes[range] {
            match self.table.find(probe.hash, |_| true) {
                Lookup::Present(index) => {
                    self.arena.prefetch(index);
                    probe.likely = index as u32 + 1;
                }
                Lookup::Vacant(place) => probe.place = place as u32,
            }
        }
    }

    #[inline]
    fn insert_batch(
        &mut self,
        successors: &Successors,
        range: Range<usize>,
        ahead: &ProbeBatch,
        mut tell: impl FnMut(Inserted),
    ) {
        let before = range.start.checked_sub(1).map(|before| ahead.probes[before].end);
        let mut start = before.unwrap_or(0) as usize;
        let probes = &ahead.probes[range.clone()];
        for (state, &probe) in successors.states_in(range).zip(probes) {
            let bytes = &ahead.encodings[start..probe.end as usize];
            start = probe.end as usize;
            let inserted = if ahead.learnt == self.learnt {
                self.insert_with(
                    state,
                    Encoding { format: probe.format, bytes },
                    probe,
                    ahead.length,
                )
            } else {
                self.insert(state)
            };
            tell(inserted);
            if inserted == Inserted::Full {
                return;
            }
        }
    }

    #[inline]
    fn prefetch_state(&self, id: StateId) {
        self.arena.prefetch(id.index());
    }

    #[inline]
    fn open(&mut self, id: StateId) -> &[u8] {
        self.arena.load(id.index(), &self.encoder, &mut self.opened);
        &self.opened
    }

    fn load(&self, id: StateId, state: &mut Vec<u8>) {
        self.arena.load(id.index(), &self.encoder, state);
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
        self.table.bytes() + self.arena.bytes() + self.encoder.bytes()
    }

    fn table_bytes(&self) -> usize {
        self.table.bytes()
    }
}

/// Lets a buffer be long enough for the encodings of so many bytes of states.
#[inline]
fn make_room(buffer: &mut Vec<u8>, bytes: usize) {
    if buffer.len() < bytes + SPARE {
        buffer.resize((bytes + SPARE).next_power_of_two(), 0);
    }
}

#[inline]
fn id_of(index: usize) -> StateId {
    StateId::new(index).expect("what is stored has an id")
}

impl<H: StateHash> PackedStore<H> {
    /// The most bytes that a state takes beside the table, but for those that are raw.
    pub(crate) fn most_bytes(&self) -> usize {
        self.encoder.longest() + if self.encoder.are_many() { Arena::MIXED_BYTES } else { 0 }
    }

    #[inline]
    fn insert_encoded(&mut self, state: &[u8], encoding: Encoding<'_>, hash: u64) -> Inserted {
        match self.table.find(hash, |index| self.arena.has_encoding(index, encoding)) {
            Lookup::Present(index) => Inserted::Old(id_of(index)),
            Lookup::Vacant(place) => self.add(state, encoding, hash, place),
        }
    }

    /// Stores a state of which this was seen when the table was so long.
    #[inline]
    fn insert_with(
        &mut self,
        state: &[u8],
        encoding: Encoding<'_>,
        Probe { hash, likely, place, .. }: Probe,
        length: usize,
    ) -> Inserted {
        if likely != 0 {
            let index = likely as usize - 1;
            if self.arena.has_encoding(index, encoding) {
                return Inserted::Old(id_of(index));
            }
        } else if length == self.table.length() {
            // What has been added since, and could be the same, stands here or behind.
            let is_same = |index| self.arena.has_encoding(index, encoding);
            return match self.table.find_from(place as usize, hash, is_same) {
                Lookup::Present(index) => Inserted::Old(id_of(index)),
                Lookup::Vacant(place) => self.add(state, encoding, hash, place),
            };
        }
        self.insert_encoded(state, encoding, hash)
    }

    #[inline]
    fn add(&mut self, state: &[u8], encoding: Encoding<'_>, hash: u64, place: usize) -> Inserted {
        if self.credit == 0 || !self.arena.has_room(encoding.bytes.len()) || encoding.format == RAW
        {
            return self.make_room_and_add(state, encoding, hash);
        }
        self.put(encoding, hash, place)
    }

    #[inline]
    fn put(&mut self, encoding: Encoding<'_>, hash: u64, place: usize) -> Inserted {
        self.credit -= 1;
        let id = id_of(self.len());
        self.arena.push(encoding);
        self.table.put(place, hash);
        Inserted::New(id)
    }

    #[cold]
    fn make_room_and_add(&mut self, state: &[u8], encoding: Encoding<'_>, hash: u64) -> Inserted {
        self.longest = self.longest.max(state.len());
        let is_time = self.arena.raw_len() >= FEW.max(self.len() / SHARE);
        if encoding.format == RAW && is_time && self.may_learn && self.reencode() {
            return self.insert(state);
        }
        let length = encoding.bytes.len();
        let growth = self.arena.growth(length);
        if self.credit == 0 {
            self.credit = self.find_credit(growth);
        }
        if self.credit == 0 {
            return Inserted::Full;
        }
        if !self.arena.has_room(length) && (!self.fits(growth) || !self.arena.reserve(length)) {
            return Inserted::Full;
        }
        let Lookup::Vacant(place) = self.table.find(hash, |_| false) else {
            unreachable!("nothing is the same");
        };
        self.put(encoding, hash, place)
    }

    /// For how many states there is room, with memory left for so much else.
    fn find_credit(&mut self, growth: usize) -> usize {
        // The table holds id + 1, so the largest ids cannot be used.
        let ids = (u32::MAX as usize - 1).saturating_sub(self.len());
        let left = self.limits.states.saturating_sub(self.len()).min(ids);
        if left > 0 && self.table.room() == 0 && !self.grow_table(growth) {
            return left.min(self.table.last_room());
        }
        left.min(self.table.room())
    }

    /// Says whether the table is a longer one, with memory left for so much else.
    #[cold]
    fn grow_table(&mut self, growth: usize) -> bool {
        let (arena, encoder) = (&self.arena, &self.encoder);
        let hashes = (0..arena.len()).map(|index| arena.hash::<H>(index, encoder));
        self.bytes().saturating_add(growth + self.table.growth()) <= self.limits.bytes
            && self.table.grow(hashes)
    }

    /// Learns packings for all states, and encodes them again. Says whether there was memory for it.
    #[cold]
    fn reencode(&mut self) -> bool {
        let mut encoder = self.encoder.clone();
        encoder.learn(self.arena.raw());
        // For a while, there may be both.
        let growth = Arena::most_bytes(self.len(), encoder.longest());
        if !self.fits(growth + encoder.bytes()) {
            self.may_learn = false;
            return false;
        }
        let (mut arena, mut opened, mut buffer) = (Arena::new(), Vec::new(), Vec::new());
        for index in 0..self.arena.len() {
            self.arena.forget_before(index);
            self.arena.load(index, &self.encoder, &mut opened);
            make_room(&mut buffer, opened.len());
            let (encoding, _) = encoder.encode::<H>(&opened, &mut buffer);
            let length = encoding.bytes.len();
            let has_room = arena.has_room(length) || arena.reserve(length);
            assert!(has_room, "there is memory for what is given back");
            arena.push(encoding);
        }
        let hashes = (0..arena.len()).map(|index| arena.hash::<H>(index, &encoder));
        self.table.refill(hashes);
        (self.arena, self.encoder) = (arena, encoder);
        self.learnt += 1;
        true
    }

    #[inline]
    fn fits(&self, growth: usize) -> bool {
        self.bytes().saturating_add(growth) <= self.limits.bytes
    }
}

#[cfg(test)]
mod tests;
