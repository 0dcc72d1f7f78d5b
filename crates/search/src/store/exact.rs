//! The exact store: each state is kept in full, so that it never takes a new
//! state for a known one.
//!
//! A [`BucketTable`] finds the candidates for a hash, mostly one or none, and the states
//! themselves are compared. [States] lie in the order of storing, so ids count them.
//!
//! When there is no memory left for a longer table beside the old one, the new one is
//! built from the states when the old one is gone; when there is no memory even for
//! that, the old one is filled to its end.
//!
//! Source: the usual design of explicit-state model checkers. The hash has no random
//! seed, so that runs can be repeated.

use std::marker::PhantomData;
use std::ops::Range;

use beeline_kernel::{StateId, Successors};

use super::bucket_table::{BucketTable, Lookup};
use super::hash::{FoldedMultiply, StateHash};
use super::states::States;
use super::{Inserted, Probe, ProbeBatch, StateStore, StoreLimits};

/// A set of states, all kept in full and numbered in the order of storing.
#[derive(Clone, Debug)]
pub struct ExactStore<H: StateHash = FoldedMultiply> {
    table: BucketTable,
    states: States,
    limits: StoreLimits,
    /// How many states may be added before anyone looks whether the table, the ceiling
    /// and the numbers have room for more.
    credit: usize,
    hash: PhantomData<H>,
}

impl<H: StateHash> StateStore for ExactStore<H> {
    fn new(limits: StoreLimits) -> Self {
        let (table, states) = (BucketTable::new(), States::new());
        ExactStore { table, states, limits, credit: 0, hash: PhantomData }
    }

    #[inline]
    fn batch(&self) -> usize {
        16
    }

    fn insert(&mut self, state: &[u8]) -> Inserted {
        self.insert_hashed(state, H::hash(state))
    }

    fn find(&self, state: &[u8]) -> Option<StateId> {
        match self.table.find(H::hash(state), |index| self.states.is_state(index, state)) {
            Lookup::Present(index) => Some(id_of(index)),
            Lookup::Vacant(_) => None,
        }
    }

    #[inline]
    fn prefetch_slots(&self, successors: &Successors, ahead: &mut ProbeBatch) {
        ahead.length = self.table.length();
        ahead.probes.clear();
        ahead.probes.extend(successors.states().map(|state| {
            let hash = H::hash(state);
            let place = self.table.home(hash);
            self.table.prefetch(place);
            Probe { hash, place: place as u32, ..Probe::default() }
        }));
    }

    #[inline]
    fn prefetch_candidates(&self, range: Range<usize>, ahead: &mut ProbeBatch) {
        ahead.renew(self.table.length(), |hash| self.table.home(hash));
        for probe in &mut ahead.probes[range] {
            self.probe_slot(probe);
        }
    }

    #[inline]
    fn find_candidate(&self, at: usize, ahead: &mut ProbeBatch) -> Option<StateId> {
        ahead.renew(self.table.length(), |hash| self.table.home(hash));
        self.probe_slot(&mut ahead.probes[at])
    }

    #[inline]
    fn insert_probed(
        &mut self,
        successors: &Successors,
        at: usize,
        ahead: &ProbeBatch,
    ) -> Inserted {
        let (state, probe) = (successors.state(at), ahead.probes[at]);
        if probe.likely == 0 && ahead.length == self.table.length() {
            // Nothing was added since.
            return self.add(state, probe.hash, probe.place as usize);
        }
        self.insert_with(state, probe, ahead.length)
    }

    #[inline]
    fn confirm(&self, state: &[u8], at: usize, ahead: &ProbeBatch) -> bool {
        let known = ahead.probes[at].likely.checked_sub(1);
        known.is_some_and(|index| self.states.is_state(index as usize, state))
    }

    #[inline]
    fn insert_batch(
        &mut self,
        successors: &Successors,
        range: Range<usize>,
        ahead: &ProbeBatch,
        mut tell: impl FnMut(Inserted),
    ) {
        let probes = &ahead.probes[range.clone()];
        for (state, &probe) in successors.states_in(range).zip(probes) {
            let inserted = self.insert_with(state, probe, ahead.length);
            tell(inserted);
            if inserted == Inserted::Full {
                return;
            }
        }
    }

    #[inline]
    fn prefetch_state(&self, id: StateId) {
        self.states.prefetch(id.index());
    }

    #[inline]
    fn open(&mut self, id: StateId) -> &[u8] {
        self.states.open(id.index())
    }

    fn load(&self, id: StateId, state: &mut Vec<u8>) {
        self.states.load(id.index(), state);
    }

    #[inline]
    fn len(&self) -> usize {
        self.states.len()
    }

    fn longest(&self) -> usize {
        self.states.longest()
    }

    #[inline]
    fn bytes(&self) -> usize {
        self.table.bytes() + self.states.bytes()
    }

    fn table_bytes(&self) -> usize {
        self.table.bytes()
    }
}

#[inline]
fn id_of(index: usize) -> StateId {
    StateId::new(index).expect("what is stored has an id")
}

impl<H: StateHash> ExactStore<H> {
    #[inline]
    fn insert_hashed(&mut self, state: &[u8], hash: u64) -> Inserted {
        match self.table.find(hash, |index| self.states.is_state(index, state)) {
            Lookup::Present(index) => Inserted::Old(id_of(index)),
            Lookup::Vacant(place) => self.add(state, hash, place),
        }
    }

    /// Looks for what it may be, and asks for its memory.
    #[inline(always)]
    fn probe_slot(&self, probe: &mut Probe) -> Option<StateId> {
        match self.table.find(probe.hash, |_| true) {
            Lookup::Present(index) => {
                self.states.prefetch(index);
                probe.likely = index as u32 + 1;
                Some(id_of(index))
            }
            Lookup::Vacant(place) => {
                probe.place = place as u32;
                None
            }
        }
    }

    /// Stores a state of which this was seen when the table was so long.
    #[inline]
    fn insert_with(&mut self, state: &[u8], probe: Probe, length: usize) -> Inserted {
        let Probe { hash, likely, place, .. } = probe;
        if likely != 0 {
            let index = likely as usize - 1;
            if self.states.is_state(index, state) {
                return Inserted::Old(id_of(index));
            }
        } else if length == self.table.length() {
            // What has been added since, and could be the same, stands here or behind.
            let is_same = |index| self.states.is_state(index, state);
            return match self.table.find_from(place as usize, hash, is_same) {
                Lookup::Present(index) => Inserted::Old(id_of(index)),
                Lookup::Vacant(place) => self.add(state, hash, place),
            };
        }
        self.insert_hashed(state, hash)
    }

    #[inline]
    fn add(&mut self, state: &[u8], hash: u64, place: usize) -> Inserted {
        if self.credit == 0 || !self.states.has_room(state.len()) {
            return self.make_room_and_add(state, hash);
        }
        self.put(state, hash, place)
    }

    #[inline]
    fn put(&mut self, state: &[u8], hash: u64, place: usize) -> Inserted {
        self.credit -= 1;
        let id = id_of(self.len());
        self.states.push(state);
        self.table.put(place, hash);
        Inserted::New(id)
    }

    #[cold]
    fn make_room_and_add(&mut self, state: &[u8], hash: u64) -> Inserted {
        self.states.decide();
        let growth = self.states.growth(state.len());
        if self.credit == 0 {
            self.credit = self.find_credit(growth);
        }
        if self.credit == 0 {
            return Inserted::Full;
        }
        if !self.states.has_room(state.len())
            && (!self.fits(growth) || !self.states.reserve(state.len()))
        {
            return Inserted::Full;
        }
        let Lookup::Vacant(place) = self.table.find(hash, |_| false) else {
            unreachable!("nothing is the same");
        };
        self.put(state, hash, place)
    }

    /// For how many states there is room, with memory left for so much else.
    fn find_credit(&mut self, growth: usize) -> usize {
        // The table holds id + 1, so the largest id of all cannot be used.
        let ids = (u32::MAX as usize).saturating_sub(self.len());
        let left = self.limits.states.saturating_sub(self.len()).min(ids);
        if left > 0 && self.table.room() == 0 && !self.grow_table(growth) {
            return left.min(self.table.last_room());
        }
        left.min(self.table.room())
    }

    /// Says whether the table is another one, with memory left for so much else.
    #[cold]
    fn grow_table(&mut self, growth: usize) -> bool {
        let grown = self.table.grown_bytes();
        if self.fits(growth + grown) && self.table.grow() {
            return true;
        }
        let fits = self.fits((growth + grown).saturating_sub(self.table.bytes()));
        if fits {
            let mut state = Vec::new();
            let hashes = (0..self.states.len()).map(|index| {
                self.states.load(index, &mut state);
                H::hash(&state)
            });
            self.table.rebuild(hashes);
        }
        fits
    }

    #[inline]
    fn fits(&self, growth: usize) -> bool {
        self.bytes().saturating_add(growth) <= self.limits.bytes
    }
}

#[cfg(test)]
mod tests;
