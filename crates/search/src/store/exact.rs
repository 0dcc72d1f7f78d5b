//! The exact store: each state is kept in full, so that it never takes a new
//! state for a known one.
//!
//! A [`Table`] finds the candidates for a hash, mostly one or none, and the states
//! themselves are compared. States lie in an append-only [`Arena`] in the order of
//! storing, so ids count them.
//!
//! When there is no memory left for a longer table beside the old one, the new one is
//! built from the states when the old one is gone; when there is no memory even for
//! that, the old one is filled to its end.
//!
//! Source: the usual design of explicit-state model checkers; hash by rapidhash
//! with a fixed seed, so that runs can be repeated.

use std::marker::PhantomData;

use beeline_kernel::{Expansion, StateId};

use super::arena::Arena;
use super::table::{Found, Table};
use super::{Ahead, Ceiling, Inserted, StateStore};

/// How states are hashed.
pub trait StateHash {
    /// The hash of a state.
    fn hash(state: &[u8]) -> u64;
}

/// Rapidhash, version 3.
#[derive(Clone, Copy, Debug)]
pub struct Rapid;

impl StateHash for Rapid {
    #[inline]
    fn hash(state: &[u8]) -> u64 {
        // This variant is the fastest one for short states, as most are.
        rapidhash::v3::rapidhash_v3_nano_inline::<true, false>(
            state,
            &rapidhash::v3::DEFAULT_RAPID_SECRETS,
        )
    }
}

/// A set of states, all kept in full and numbered in the order of storing.
#[derive(Clone, Debug)]
pub struct ExactStore<H: StateHash = Rapid> {
    table: Table,
    arena: Arena,
    ceiling: Ceiling,
    hash: PhantomData<H>,
}

impl<H: StateHash> StateStore for ExactStore<H> {
    const BATCH: usize = 16;

    fn new(ceiling: Ceiling) -> Self {
        ExactStore { table: Table::new(), arena: Arena::new(), ceiling, hash: PhantomData }
    }

    fn insert(&mut self, state: &[u8]) -> Inserted {
        self.insert_hashed(state, H::hash(state))
    }

    #[inline]
    fn look_ahead(&self, successors: &Expansion, ahead: &mut Ahead) {
        ahead.hashes.clear();
        for state in successors.states() {
            let hash = H::hash(state);
            self.table.prefetch(hash);
            ahead.hashes.push(hash);
        }
    }

    #[inline]
    fn look_closer(&self, ahead: &mut Ahead) {
        ahead.likely.clear();
        for &hash in &ahead.hashes {
            ahead.likely.push(match self.table.find(hash, |_| true) {
                Found::Known(index) => {
                    self.arena.prefetch(index);
                    index as u32 + 1
                }
                Found::Place(_) => 0,
            });
        }
    }

    #[inline]
    fn insert_all(
        &mut self,
        successors: &Expansion,
        ahead: &Ahead,
        mut tell: impl FnMut(Inserted, &[u8]),
    ) {
        let known = ahead.hashes.iter().zip(&ahead.likely);
        for (state, (&hash, &likely)) in successors.states().zip(known) {
            if likely != 0 && self.arena.is_state(likely as usize - 1, state) {
                tell(Inserted::Old(id_of(likely as usize - 1)), state);
                continue;
            }
            let inserted = self.insert_hashed(state, hash);
            tell(inserted, state);
            if inserted == Inserted::Full {
                return;
            }
        }
    }

    #[inline]
    fn open(&mut self, id: StateId) -> &[u8] {
        self.arena.state(id.index())
    }

    fn load(&self, id: StateId, state: &mut Vec<u8>) {
        state.clear();
        state.extend_from_slice(self.arena.state(id.index()));
    }

    #[inline]
    fn len(&self) -> usize {
        self.arena.len()
    }

    #[inline]
    fn bytes(&self) -> usize {
        self.table.bytes() + self.arena.bytes()
    }
}

#[inline]
fn id_of(index: usize) -> StateId {
    StateId::new(index).expect("what is stored has an id")
}

impl<H: StateHash> ExactStore<H> {
    #[inline]
    fn insert_hashed(&mut self, state: &[u8], hash: u64) -> Inserted {
        match self.table.find(hash, |index| self.arena.is_state(index, state)) {
            Found::Known(index) => Inserted::Old(id_of(index)),
            Found::Place(place) => self.add(state, hash, place),
        }
    }

    fn add(&mut self, state: &[u8], hash: u64, mut place: usize) -> Inserted {
        if self.len() >= self.ceiling.states {
            return Inserted::Full;
        }
        // The table holds id + 1, so the largest id of all cannot be used.
        let Some(id) = StateId::new(self.len() + 1).and(StateId::new(self.len())) else {
            return Inserted::Full;
        };
        if self.table.is_full() {
            let growth = self.arena.growth(state.len());
            if self.grow_table(growth) {
                place = match self.table.find(hash, |_| false) {
                    Found::Place(place) => place,
                    Found::Known(_) => unreachable!("nothing is the same"),
                };
            } else if self.table.is_stuffed() {
                return Inserted::Full;
            }
        }
        if !self.arena.has_room(state.len()) {
            let growth = self.arena.growth(state.len());
            if !self.fits(growth) || !self.arena.reserve(state.len()) {
                return Inserted::Full;
            }
        }
        self.arena.push(state);
        self.table.put(place, hash);
        Inserted::New(id)
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
            let states = (0..self.arena.len()).map(|index| self.arena.state(index));
            self.table.rebuild(states.map(H::hash));
        }
        fits
    }

    #[inline]
    fn fits(&self, growth: usize) -> bool {
        self.bytes().saturating_add(growth) <= self.ceiling.bytes
    }
}

#[cfg(test)]
mod tests;
