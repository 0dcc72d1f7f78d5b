//! The shared compact set: few bytes for each state, without loss.
//!
//! A record is a code and a packed state: the bits that differ between states of its length. Codes
//! number the packings. Packings are made between levels, when no thread inserts, from states that
//! the ones before could not pack; such states are kept in full, with the code [`RAW`]. Records
//! keep the packing that they were written with. A state is compared with a record by packing it
//! in the same way: it equals the record if the bytes do, since packing is invertible. So the hash
//! is that of the full state.
//!
//! Records are in chunks of threads, and found by a table of slots, as in the [shared exact
//! store](super). A new table is filled from the unpacked records.

use std::cell::RefCell;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::super::StoreLimits;
use super::super::equality::equal;
use super::super::hash::{FoldedMultiply, StateHash};
use super::super::packed::packing::{Packing, SPARE};
use super::super::shared_set::{Room, SetInsertion, SharedSet};
use super::chunks::{RecordChunks, RecordId, RecordWriter};
use super::credit::Credit;
use super::slots::{SlotCursor, SlotTable};

/// Slots of the first table.
const FIRST_LENGTH: usize = 1 << 12;
/// A shorter table grows to its double length, a longer one by half or a third.
const LONG: usize = 1 << 20;
/// The code of states that are kept in full.
const RAW: u8 = u8::MAX;
/// A packing is made of at least this many states that could not be packed.
const FEW: usize = 64;
/// A packing is made when one in this many states could not be packed.
const RARE: usize = 16;
/// A thread keeps at most this many states that could not be packed, to learn from them, and the
/// set this many for all threads.
const MOST_KEPT: usize = 1 << 10;
const MOST_LEARNT: usize = 1 << 14;
/// Ranges of records that are added to a new table are at most this long.
const LONGEST_RANGE: u32 = 1 << 14;

/// A set of states for several threads, in little memory.
#[derive(Debug)]
pub(crate) struct SharedCompact {
    records: RecordChunks,
    table: Mutex<Arc<CompactSlots>>,
    table_bytes: AtomicUsize,
    credit: Credit,
    limits: StoreLimits,
    /// The records of released writers, as first records with numbers.
    ranges: Mutex<Vec<(RecordId, u32)>>,
    refilled: AtomicUsize,
    misfits: Mutex<Misfits>,
}

/// The table, with the packings that its records use.
#[derive(Debug)]
pub(crate) struct CompactSlots {
    slots: SlotTable,
    packings: Arc<Packings>,
}

/// The packings by their codes.
#[derive(Clone, Debug, Default)]
struct Packings {
    by_code: Vec<Packing>,
    /// The latest packing for each length of states, ordered by length.
    latest: Vec<(usize, u8)>,
}

/// States that could not be packed.
#[derive(Debug, Default)]
struct Misfits {
    /// Their number since a packing was made.
    count: usize,
    states: Vec<Box<[u8]>>,
}

/// What a thread needs for insertions.
pub(crate) struct CompactWriter {
    records: RecordWriter,
    /// Its records since it was released.
    ranges: Vec<(RecordId, u32)>,
    misfits: Misfits,
    /// The record that is written.
    record: Vec<u8>,
    packed: RefCell<PackedState>,
}

/// A state as one of the packings packs it.
#[derive(Default)]
struct PackedState {
    code: Option<u8>,
    /// Whether the packing could.
    fits: bool,
    length: usize,
    buffer: Vec<u8>,
}

/// Hash and slot of a state.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CompactProbe {
    hash: u64,
    slot: SlotCursor,
}

impl Packings {
    /// The latest packing for states of this length.
    #[inline]
    fn code(&self, length: usize) -> Option<u8> {
        match *self.latest {
            [(only, code)] => (only == length).then_some(code),
            _ => {
                let at = self.latest.binary_search_by_key(&length, |&(one, _)| one).ok()?;
                Some(self.latest[at].1)
            }
        }
    }

    /// Makes packings that fit these states, too, as long as there are codes.
    fn learn(&mut self, states: &mut [Box<[u8]>]) {
        states.sort_unstable_by_key(|state| state.len());
        for states in states.chunk_by(|a, b| a.len() == b.len()) {
            let length = states[0].len();
            if self.by_code.len() == usize::from(RAW) {
                return;
            }
            let known = self.code(length).map(|code| self.by_code[usize::from(code)].clone());
            let mut packing = known.unwrap_or_else(|| Packing::of(&states[0]));
            states.iter().for_each(|state| packing.widen(state));
            let code = self.by_code.len() as u8;
            self.by_code.push(packing);
            match self.latest.binary_search_by_key(&length, |&(one, _)| one) {
                Ok(at) => self.latest[at].1 = code,
                Err(at) => self.latest.insert(at, (length, code)),
            }
        }
    }

    fn bytes(&self) -> usize {
        self.by_code.iter().map(|packing| size_of::<Packing>() + packing.held()).sum()
    }

    /// Whether a record has this state, whose packed form is kept in `packed`.
    #[inline]
    fn is_match(&self, record: &[u8], state: &[u8], packed: &mut PackedState) -> bool {
        let Some((&code, record)) = record.split_first() else { return false };
        if code == RAW {
            return equal(record, state);
        }
        if packed.code != Some(code) {
            self.pack(code, state, packed);
        }
        packed.fits && equal(record, &packed.buffer[..packed.length])
    }

    /// Packs a state by the packing of a code, which may be one for other lengths.
    #[inline]
    fn pack(&self, code: u8, state: &[u8], packed: &mut PackedState) {
        let packing = &self.by_code[usize::from(code)];
        packed.code = Some(code);
        packed.length = packing.packed();
        packed.buffer.resize(state.len() + SPARE, 0);
        packed.fits = packing.length() == state.len()
            && packing.pack::<NoHash>(state, &mut packed.buffer).is_some();
    }

    /// Unpacks a record, replacing what is in `state`.
    fn unpack(&self, record: &[u8], state: &mut Vec<u8>) {
        let (&code, record) = record.split_first().expect("a record has a code");
        if code == RAW {
            state.clear();
            state.extend_from_slice(record);
        } else {
            self.by_code[usize::from(code)].unpack(record, state);
        }
    }
}

/// No hash: packed states are not hashed.
struct NoHash;

impl StateHash for NoHash {
    const SEED: u64 = 0;

    #[inline(always)]
    fn hash(_: &[u8]) -> u64 {
        0
    }

    #[inline(always)]
    fn add(_: u64, _: u64) -> u64 {
        0
    }

    #[inline(always)]
    fn finish(_: u64) -> u64 {
        0
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl SharedCompact {
    /// An empty set for this many threads.
    pub(crate) fn new(limits: StoreLimits, threads: usize) -> SharedCompact {
        let slots = SlotTable::new(FIRST_LENGTH).expect("there is memory for a first table");
        let room = (slots.length() / 5 * 4).min(limits.states);
        SharedCompact {
            records: RecordChunks::new(limits.bytes, threads),
            table_bytes: AtomicUsize::new(slots.bytes()),
            table: Mutex::new(Arc::new(CompactSlots { slots, packings: Arc::default() })),
            credit: Credit::new(room, threads),
            limits,
            ranges: Mutex::default(),
            refilled: AtomicUsize::new(0),
            misfits: Mutex::default(),
        }
    }

    /// Writes a state as a record, packed if possible.
    #[inline]
    fn write(&self, packings: &Packings, writer: &mut CompactWriter, state: &[u8]) -> bool {
        let CompactWriter { record, packed, .. } = writer;
        let packed = packed.get_mut();
        record.clear();
        let code = packings.code(state.len());
        if let Some(code) = code {
            if packed.code != Some(code) {
                packings.pack(code, state, packed);
            }
            if packed.fits {
                record.push(code);
                record.extend_from_slice(&packed.buffer[..packed.length]);
                return true;
            }
        }
        record.push(RAW);
        record.extend_from_slice(state);
        false
    }
}

impl SharedSet for SharedCompact {
    const IS_EXACT: bool = true;

    type Table = CompactSlots;
    type Writer = CompactWriter;
    type Fingerprint = CompactProbe;

    fn table(&self) -> Arc<CompactSlots> {
        Arc::clone(&lock(&self.table))
    }

    fn writer(&self) -> CompactWriter {
        CompactWriter {
            records: RecordWriter::new(),
            ranges: Vec::new(),
            misfits: Misfits::default(),
            record: Vec::new(),
            packed: RefCell::default(),
        }
    }

    #[inline]
    fn fingerprint(
        &self,
        table: &CompactSlots,
        _: &mut CompactWriter,
        state: &[u8],
    ) -> CompactProbe {
        let hash = FoldedMultiply::hash(state);
        let slot = table.slots.home(hash);
        table.slots.prefetch(slot);
        CompactProbe { hash, slot }
    }

    #[inline]
    fn prefetch(&self, table: &CompactSlots, probe: CompactProbe) {
        if let (_, Some(id)) = table.slots.find_from(probe.slot, probe.hash, |_| true) {
            self.records.prefetch(id, 0);
        }
    }

    #[inline]
    fn insert(
        &self,
        table: &CompactSlots,
        writer: &mut CompactWriter,
        probe: CompactProbe,
        state: &[u8],
    ) -> SetInsertion {
        let CompactSlots { slots, packings } = table;
        writer.packed.get_mut().code = None;
        let packed = &writer.packed;
        let is_match =
            |id| packings.is_match(self.records.state(id), state, &mut packed.borrow_mut());
        let (mut slot, found) = slots.find_from(probe.slot, probe.hash, is_match);
        if found.is_some() {
            return SetInsertion::Old;
        }
        if writer.records.credit == 0 {
            writer.records.credit = self.credit.reserve();
            if writer.records.credit == 0 {
                return SetInsertion::TableFull;
            }
        }
        let is_packed = self.write(packings, writer, state);
        let CompactWriter { records, record, packed, .. } = writer;
        let Some(id) = self.records.write(records, record, self.table_bytes()) else {
            return SetInsertion::MemoryFull;
        };
        while !slots.publish(slot, probe.hash, id) {
            let is_match =
                |id| packings.is_match(self.records.state(id), state, &mut packed.borrow_mut());
            let found;
            (slot, found) = slots.find_from(slot, probe.hash, is_match);
            if found.is_some() {
                return SetInsertion::Old;
            }
        }
        records.keep_written();
        match writer.ranges.last_mut() {
            Some((first, count)) if first.is_beside(id) && *count < LONGEST_RANGE => *count += 1,
            _ => writer.ranges.push((id, 1)),
        }
        if !is_packed {
            writer.misfits.count += 1;
            if writer.misfits.states.len() < MOST_KEPT {
                writer.misfits.states.push(state.into());
            }
        }
        SetInsertion::New
    }

    fn release(&self, writer: &mut CompactWriter) {
        writer.records.return_credit();
        lock(&self.ranges).append(&mut writer.ranges);
        let mut misfits = lock(&self.misfits);
        misfits.count += std::mem::take(&mut writer.misfits.count);
        misfits.states.append(&mut writer.misfits.states);
        misfits.states.truncate(MOST_LEARNT);
    }

    fn make_room(&self, stored: usize) -> Room {
        let mut table = lock(&self.table);
        let length = table.slots.length();
        let room = |length: usize| (length / 5 * 4).min(self.limits.states).saturating_sub(stored);
        if room(length) > length / 8 {
            // Other threads had reserved the rest.
            self.credit.renew(room(length));
            return Room::LastSlots;
        }
        let longer = match length {
            ..LONG => 2 * length,
            _ if length.is_power_of_two() => length + length / 2,
            _ => length.next_power_of_two(),
        };
        let bytes = self.records.bytes().saturating_add(SlotTable::bytes_of(longer));
        let is_allowed = stored < self.limits.states && bytes <= self.limits.bytes;
        let may_grow = is_allowed && self.credit.may_lengthen();
        if may_grow && longer <= SlotTable::LONGEST {
            let packings = Arc::clone(&table.packings);
            // The old table is freed first, so that both never hold memory together.
            *table = Arc::new(CompactSlots { slots: SlotTable::empty(), packings });
            let slots = SlotTable::new(longer).or_else(|| {
                self.credit.refuse_longer();
                SlotTable::new(length)
            });
            let slots = slots.expect("memory that was just freed can be allocated again");
            self.table_bytes.store(slots.bytes(), Ordering::Relaxed);
            // Every insertion needs a vacant slot after the last entry, so some stay vacant.
            let last = (length / 16 * 15).min(self.limits.states).saturating_sub(stored);
            self.credit.renew(if slots.length() == longer { room(longer) } else { last });
            let packings = Arc::clone(&table.packings);
            *table = Arc::new(CompactSlots { slots, packings });
            self.refilled.store(0, Ordering::Relaxed);
            return Room::Refill;
        }
        let last = (length / 16 * 15).min(self.limits.states).saturating_sub(stored);
        self.credit.renew(last);
        if last > 0 { Room::LastSlots } else { Room::Impossible }
    }

    fn refill(&self) {
        let table = self.table();
        let CompactSlots { slots, packings } = &*table;
        let mut state = Vec::new();
        loop {
            let next = self.refilled.fetch_add(1, Ordering::Relaxed);
            let Some((first, count)) = lock(&self.ranges).get(next).copied() else { return };
            for (id, record) in self.records.consecutive(first, count) {
                packings.unpack(record, &mut state);
                slots.add(FoldedMultiply::hash(&state), id);
            }
        }
    }

    fn adapt(&self, stored: usize) {
        let mut misfits = lock(&self.misfits);
        if misfits.count < FEW.max(stored / RARE) {
            return;
        }
        let Misfits { mut states, .. } = std::mem::take(&mut *misfits);
        let mut table = lock(&self.table);
        let mut packings = (*table.packings).clone();
        packings.learn(&mut states);
        if let Some(table) = Arc::get_mut(&mut table) {
            table.packings = Arc::new(packings);
        }
    }

    fn bytes(&self) -> usize {
        let ranges = lock(&self.ranges).capacity() * size_of::<(RecordId, u32)>();
        self.records.bytes() + self.table_bytes() + ranges + lock(&self.table).packings.bytes()
    }

    fn table_bytes(&self) -> usize {
        self.table_bytes.load(Ordering::Relaxed)
    }

    fn omitted(&self) -> Option<(usize, f64)> {
        None
    }
}
