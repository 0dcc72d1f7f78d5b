//! Insertion of states of one length into a [hashed store](super::hashed) that keeps them in full.
//!
//! In most models, all states of a batch have the same length, and so have the records that they are
//! compared with. Then one check for the batch replaces several for each state: how the state is
//! hashed, compared and copied is known from its number of [blocks], and the room in table and
//! records for a [run](super::arena::Run) of new states. Whatever does not fit, such as the first
//! record of a group or a state that differs from its candidate, takes the general way.
#![allow(
    unsafe_code,
    reason = "states of one length are read and written without a check for each"
)]

use std::ops::Range;

use beeline_kernel::Successors;

use super::arena::{Run, UniformRecords, prefetch_lines};
use super::blocks::{copy, equal};
use super::hash_table::{HashTable, Lookup};
use super::hashed::{HashedStore, id_of};
use super::probes::ProbeBatch;
use super::records::StateRecords;
use super::{Inserted, Prefetch};

impl<T: HashTable, R: StateRecords> HashedStore<T, R> {
    /// Whether all successors of a batch have the same length, and the records are states.
    #[inline(always)]
    pub(super) fn is_uniform(&self, batch: &ProbeBatch) -> bool {
        batch.length > 0 && self.records.states().is_some()
    }

    /// Reads the slots of some probes, and prefetches the records found there.
    pub(super) fn read_uniform_slots(&self, range: Range<usize>, batch: &mut ProbeBatch) {
        let length = batch.length;
        let Some(arena) = self.records.states() else { return };
        let records = arena.uniform(length);
        for probe in &mut batch.probes[range] {
            match self.table.find_from(probe.slot as usize, probe.hash, |_| true) {
                Lookup::Present(index) => {
                    probe.candidate = index as u32 + 1;
                    // SAFETY: the table holds the numbers of records.
                    let Some(start) = (unsafe { records.start_of(index) }) else {
                        self.records.prefetch(index);
                        continue;
                    };
                    prefetch_lines(start, length);
                }
                Lookup::Vacant(slot) => probe.slot = slot as u32,
            }
        }
    }

    /// Inserts some successors of a uniform batch, whose states have `N` blocks, as
    /// [`insert_batch`](super::Prefetch::insert_batch) does.
    #[inline]
    pub(super) fn insert_uniform<const N: usize>(
        &mut self,
        successors: &Successors,
        range: Range<usize>,
        batch: &ProbeBatch,
        mut tell: impl FnMut(Inserted),
    ) {
        let length = batch.length;
        let states = &successors.buffer()[range.start * length..range.end * length];
        let (mut run, mut records) = self.begin_run(batch);
        let mut number = self.records.len();
        let probes = range.clone().zip(&batch.probes[range]);
        for (state, (at, probe)) in states.chunks_exact(length).zip(probes) {
            let (mut slot, mut candidate) = (probe.slot as usize, probe.candidate as usize);
            if candidate == 0 && run.room > 0 {
                // The slot may have been filled since, often by the same state.
                if !self.table.is_vacant(slot) {
                    match self.table.find_from(slot, probe.hash, |_| true) {
                        Lookup::Present(index) => candidate = index + 1,
                        Lookup::Vacant(next) => slot = next,
                    }
                }
                if candidate == 0 {
                    // SAFETY: the state has this length and number of blocks, and the run has room
                    // for it.
                    unsafe { copy::<N>(state.as_ptr(), run.end, length) };
                    self.table.put_number(slot, probe.hash, number);
                    run = Run { end: run.end.wrapping_add(length), room: run.room - 1 };
                    tell(Inserted::New(id_of(number)));
                    number += 1;
                    continue;
                }
            }
            if candidate != 0
                && let Some(records) = &records
                // SAFETY: the table holds the numbers of records, and nothing but this run was
                // added.
                && let Some(start) = unsafe { records.start_of(candidate - 1) }
                // SAFETY: both have this length and number of blocks.
                && unsafe { equal::<N>(state.as_ptr(), start, length) }
            {
                tell(Inserted::Old(id_of(candidate - 1)));
                continue;
            }
            // SAFETY: the run was begun before, and these states were written to it.
            unsafe { self.end_run(number - self.records.len(), length) };
            let inserted = self.insert_one(state, at, batch);
            tell(inserted);
            if inserted == Inserted::Full {
                return;
            }
            (run, records) = self.begin_run(batch);
            number = self.records.len();
        }
        // SAFETY: the same.
        unsafe { self.end_run(number - self.records.len(), length) };
    }

    /// The room for new states of a batch that needs no check, and the records of their length. There
    /// is no room if the slots of the probes are those of another table.
    #[inline]
    fn begin_run(&mut self, batch: &ProbeBatch) -> (Run, Option<UniformRecords>) {
        let is_current = batch.table_length == self.table.length();
        let Some(arena) = self.records.states_mut() else { return (Run::NONE, None) };
        let mut run = if is_current { arena.run(batch.length) } else { Run::NONE };
        run.room = run.room.min(self.credit);
        (run, Some(arena.uniform(batch.length)))
    }

    /// Counts new states.
    ///
    /// # Safety
    ///
    /// They were written where a run began, and the run had room for them.
    #[inline]
    unsafe fn end_run(&mut self, states: usize, length: usize) {
        self.credit -= states;
        self.table.count(states);
        if let Some(arena) = self.records.states_mut() {
            // SAFETY: the caller promises it.
            unsafe { arena.count_run(states, length) };
        }
    }

    /// Inserts a successor in the general way.
    #[inline(never)]
    fn insert_one(&mut self, state: &[u8], at: usize, batch: &ProbeBatch) -> Inserted {
        self.insert_probed(state, at, batch)
    }
}
