//! The hashed store: a hash table finds candidates, records are compared.
//!
//! A [`HashTable`] maps hashes to the numbers of [`StateRecords`], which are appended in the order
//! of insertion; so a number is a state id. [`ExactStore`](super::ExactStore) and the packed store
//! are this store with different tables and records.
//!
//! When the memory limit forbids a longer table beside the old one, the table is freed and rebuilt
//! from the records; when it forbids even that, the table is filled completely.
//!
//! Source: the usual design of explicit-state model checkers. The hash has no random seed, so that
//! runs can be repeated.

use std::ops::Range;

use beeline_kernel::{StateId, Successors};

use super::blocks::{blocks, with_blocks};
use super::hash_table::{HashTable, Lookup};
use super::probes::{Probe, ProbeBatch};
use super::records::{EncodingBuffer, StateRecords};
use super::{Inserted, Prefetch, StateSet, StoreLimits};

/// Expanded states per batch: enough for their prefetches to overlap.
const BATCH: usize = 16;

/// Exclusive upper bound of ids: an entry of a table holds one more than an id in 32 bits.
const MAX_LEN: usize = u32::MAX as usize - 1;

/// A set of states in records of type `R`, found through a table of type `T`.
#[derive(Clone, Debug)]
pub struct HashedStore<T, R> {
    pub(super) table: T,
    pub(super) records: R,
    limits: StoreLimits,
    /// Insertions until table, limits and ids are checked for room again.
    pub(super) credit: usize,
}

impl<T: HashTable, R: StateRecords> StateSet for HashedStore<T, R> {
    fn new(limits: StoreLimits) -> Self {
        HashedStore { table: T::new(), records: R::new(), limits, credit: 0 }
    }

    fn insert(&mut self, state: &[u8]) -> Inserted {
        let mut buffer = EncodingBuffer::new();
        let (encoding, hash) = self.records.encode(state, &mut buffer);
        self.insert_encoded(encoding, hash)
    }

    fn find(&self, state: &[u8]) -> Option<StateId> {
        let mut buffer = EncodingBuffer::new();
        let (encoding, hash) = self.records.encode(state, &mut buffer);
        match self.table.find(hash, |index| self.records.is_match(index, encoding)) {
            Lookup::Present(index) => Some(id_of(index)),
            Lookup::Vacant(_) => None,
        }
    }

    #[inline(always)]
    fn read(&self, id: StateId) -> Option<&[u8]> {
        self.records.states().map(|arena| arena.record(id.index()))
    }

    #[inline(always)]
    fn open(&mut self, id: StateId) -> &[u8] {
        self.records.open(id.index())
    }

    fn load(&self, id: StateId, state: &mut Vec<u8>) {
        self.records.load(id.index(), state);
    }

    #[inline]
    fn len(&self) -> usize {
        self.records.len()
    }

    fn longest(&self) -> usize {
        self.records.longest()
    }

    #[inline]
    fn bytes(&self) -> usize {
        self.table.bytes() + self.records.bytes()
    }

    fn table_bytes(&self) -> usize {
        self.table.bytes()
    }
}

impl<T: HashTable, R: StateRecords> Prefetch for HashedStore<T, R> {
    #[inline]
    fn batch_size(&self) -> usize {
        BATCH
    }

    #[inline]
    fn prefetch_state(&self, id: StateId) {
        self.records.prefetch(id.index());
    }

    #[inline]
    fn prefetch_slots(&self, successors: &Successors, batch: &mut ProbeBatch) {
        batch.table_length = self.table.length();
        self.records.probe_all(successors, batch, |hash| {
            let slot = self.table.home(hash);
            self.table.prefetch(slot);
            slot
        });
    }

    #[inline]
    fn prefetch_candidates(&self, range: Range<usize>, batch: &mut ProbeBatch) {
        batch.update(self.table.length(), |hash| self.table.home(hash));
        if self.is_uniform(batch) {
            return self.read_uniform_slots(range, batch);
        }
        for probe in &mut batch.probes[range] {
            self.read_slot(probe);
        }
    }

    #[inline]
    fn find_candidate(&self, at: usize, batch: &mut ProbeBatch) -> Option<StateId> {
        batch.update(self.table.length(), |hash| self.table.home(hash));
        let candidate = self.read_slot(&mut batch.probes[at]);
        if T::IS_SELECTIVE { candidate } else { None }
    }

    #[inline]
    fn confirm(&self, state: &[u8], at: usize, batch: &ProbeBatch) -> bool {
        let Some(encoding) = self.records.probed(state, at, batch) else { return false };
        let candidate = batch.probes[at].candidate.checked_sub(1);
        candidate.is_some_and(|index| self.records.is_match(index as usize, encoding))
    }

    #[inline]
    fn insert_probed(&mut self, state: &[u8], at: usize, batch: &ProbeBatch) -> Inserted {
        match self.records.probed(state, at, batch) {
            Some(encoding) => self.insert_with(encoding, &batch.probes[at], batch.table_length),
            None => self.insert(state),
        }
    }

    #[inline]
    fn insert_batch(
        &mut self,
        successors: &Successors,
        range: Range<usize>,
        batch: &ProbeBatch,
        mut tell: impl FnMut(Inserted),
    ) {
        if let Some(blocks) = blocks(batch.length)
            && self.is_uniform(batch)
        {
            return with_blocks!(
                blocks,
                N => self.insert_uniform::<N>(successors, range, batch, tell)
            );
        }
        let probes = range.clone().zip(&batch.probes[range.clone()]);
        for (state, (at, probe)) in successors.states_in(range).zip(probes) {
            let inserted = match self.records.probed(state, at, batch) {
                Some(encoding) => self.insert_with(encoding, probe, batch.table_length),
                None => self.insert(state),
            };
            tell(inserted);
            if inserted == Inserted::Full {
                return;
            }
        }
    }
}

#[inline]
pub(super) fn id_of(index: usize) -> StateId {
    StateId::new(index).expect("a stored state has an id")
}

impl<T: HashTable, R: StateRecords> HashedStore<T, R> {
    #[inline]
    fn insert_encoded(&mut self, encoding: R::Encoding<'_>, hash: u64) -> Inserted {
        self.insert_from(self.table.home(hash), encoding, hash)
    }

    /// Inserts a state using a probe made when the table had `table_length` slots.
    #[inline(always)]
    fn insert_with(
        &mut self,
        encoding: R::Encoding<'_>,
        probe: &Probe,
        table_length: usize,
    ) -> Inserted {
        match probe.candidate as usize {
            0 if table_length == self.table.length()
                && self.table.is_vacant(probe.slot as usize) =>
            {
                self.add(encoding, probe.hash, probe.slot as usize)
            }
            0 => self.insert_unmatched(encoding, probe, table_length),
            number if self.records.is_match(number - 1, encoding) => {
                Inserted::Old(id_of(number - 1))
            }
            _ => self.insert_unmatched(encoding, probe, table_length),
        }
    }

    /// Inserts a state that differs from the candidate of its probe, if there is one, and whose slot
    /// may have been filled since.
    #[inline(never)]
    fn insert_unmatched(
        &mut self,
        encoding: R::Encoding<'_>,
        probe: &Probe,
        table_length: usize,
    ) -> Inserted {
        if probe.candidate == 0 && table_length == self.table.length() {
            // An equal state that was added since is in this slot or a later one.
            return self.insert_from(probe.slot as usize, encoding, probe.hash);
        }
        self.insert_encoded(encoding, probe.hash)
    }

    /// Inserts a state, of which no equal one has an entry before this slot.
    #[inline(always)]
    fn insert_from(&mut self, slot: usize, encoding: R::Encoding<'_>, hash: u64) -> Inserted {
        match self.table.find_from(slot, hash, |index| self.records.is_match(index, encoding)) {
            Lookup::Present(index) => Inserted::Old(id_of(index)),
            Lookup::Vacant(slot) => self.add(encoding, hash, slot),
        }
    }

    /// Reads the slot of a probe, and prefetches the record found there, if any.
    #[inline(always)]
    fn read_slot(&self, probe: &mut Probe) -> Option<StateId> {
        match self.table.find_from(probe.slot as usize, probe.hash, |_| true) {
            Lookup::Present(index) => {
                self.records.prefetch(index);
                probe.candidate = index as u32 + 1;
                Some(id_of(index))
            }
            Lookup::Vacant(slot) => {
                probe.slot = slot as u32;
                None
            }
        }
    }

    #[inline(always)]
    fn add(&mut self, encoding: R::Encoding<'_>, hash: u64, slot: usize) -> Inserted {
        if self.credit == 0 || !self.records.has_room(encoding) {
            return self.make_room_and_add(encoding, hash);
        }
        self.put(encoding, hash, slot)
    }

    #[inline(always)]
    fn put(&mut self, encoding: R::Encoding<'_>, hash: u64, slot: usize) -> Inserted {
        self.credit -= 1;
        let id = id_of(self.records.len());
        self.records.push(encoding);
        self.table.put(slot, hash);
        Inserted::New(id)
    }

    #[cold]
    fn make_room_and_add(&mut self, encoding: R::Encoding<'_>, hash: u64) -> Inserted {
        if self.records.adapt(encoding, self.spare()) {
            self.table.clear();
            self.table.fill(self.records.hashes());
            return self.insert(encoding.as_ref());
        }
        let growth = self.records.growth(encoding);
        if self.credit == 0 {
            self.credit = self.find_credit(growth);
        }
        if self.credit == 0 {
            return Inserted::Full;
        }
        if !self.records.reserve(encoding, self.spare()) {
            return Inserted::Full;
        }
        self.put(encoding, hash, self.table.vacant(hash))
    }

    /// The number of states for which table, limits and ids have room, if records grow by `growth`
    /// bytes.
    fn find_credit(&mut self, growth: usize) -> usize {
        let left = self.limits.states.min(MAX_LEN).saturating_sub(self.len());
        let spare = self.spare().saturating_sub(growth);
        if left > 0 && self.table.room() == 0 && !self.table.grow(spare, self.records.hashes()) {
            return left.min(self.table.last_room());
        }
        left.min(self.table.room())
    }

    /// The number of bytes that the limits leave.
    #[inline]
    fn spare(&self) -> usize {
        self.limits.bytes.saturating_sub(self.bytes())
    }
}
