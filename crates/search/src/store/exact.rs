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

use std::hint::black_box;

use beeline_kernel::{Expansion, StateId};

use super::arena::Arena;
use super::table::{Found, Table};
use super::{Ceiling, Inserted, StateStore};

/// A set of states, all kept in full and numbered in the order of storing.
#[derive(Clone, Debug)]
pub struct ExactStore {
    table: Table,
    arena: Arena,
    ceiling: Ceiling,
    hash: fn(&[u8]) -> u64,
    /// Of the states that are being inserted. Kept for its memory.
    hashes: Vec<u64>,
}

impl StateStore for ExactStore {
    fn new(ceiling: Ceiling) -> ExactStore {
        ExactStore::with_hash(ceiling, rapidhash::v3::rapidhash_v3)
    }

    fn insert(&mut self, state: &[u8]) -> Inserted {
        self.insert_hashed(state, (self.hash)(state))
    }

    fn insert_all(&mut self, successors: &Expansion, inserted: &mut Vec<Inserted>) {
        self.hashes.clear();
        self.hashes.extend(successors.states().map(self.hash));
        self.look_ahead();
        for (at, state) in successors.states().enumerate() {
            inserted.push(self.insert_hashed(state, self.hashes[at]));
            if inserted.last() == Some(&Inserted::Full) {
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

impl ExactStore {
    fn with_hash(ceiling: Ceiling, hash: fn(&[u8]) -> u64) -> ExactStore {
        let (table, arena) = (Table::new(), Arena::new());
        ExactStore { table, arena, ceiling, hash, hashes: Vec::new() }
    }

    /// Reads the memory that inserting the states of these hashes will read. None of
    /// these reads has to wait for another.
    #[inline]
    fn look_ahead(&self) {
        // The sums are of no use, except that the compiler must read all of it.
        let places = self.hashes.iter().map(|&hash| self.table.look_ahead(hash));
        black_box(places.fold(0, u64::wrapping_add));
        let mut sum = 0_u8;
        for &hash in &self.hashes {
            if let Found::Known(likely) = self.table.find(hash, |_| true)
                && let [first, .., last] = self.arena.state(likely)
            {
                sum = sum.wrapping_add(*first).wrapping_add(*last);
            }
        }
        black_box(sum);
    }

    #[inline]
    fn insert_hashed(&mut self, state: &[u8], hash: u64) -> Inserted {
        match self.table.find(hash, |index| self.arena.state(index) == state) {
            Found::Known(index) => Inserted::Old(StateId::new(index).expect("it has an id")),
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
        let growth = self.arena.growth(state.len());
        if self.table.is_full() {
            if self.grow_table(growth) {
                place = match self.table.find(hash, |_| false) {
                    Found::Place(place) => place,
                    Found::Known(_) => unreachable!("nothing is the same"),
                };
            } else if self.table.is_stuffed() {
                return Inserted::Full;
            }
        }
        if !self.fits(growth + self.table.growth()) || !self.arena.push(state) {
            return Inserted::Full;
        }
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
            self.table.rebuild(states.map(self.hash));
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
