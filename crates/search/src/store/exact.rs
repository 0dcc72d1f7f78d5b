//! The exact store: each state is kept in full, so that it never takes a new
//! state for a known one.
//!
//! A table of 64-bit entries, `[32 bits of the hash | 32 bits of id + 1]`, zero
//! where free, is probed linearly from the place the other half of the hash
//! names; where the tag agrees, the states themselves are compared. States lie in
//! an append-only [`Arena`] in the order of storing, so ids count them.
//!
//! The table doubles at three quarters full. It is rebuilt from the arena, read
//! from its start to its end, so the old table can go before the new one comes.
//! When there is no memory left to double it, it is filled somewhat further.
//!
//! Source: the usual design of explicit-state model checkers; hash by rapidhash
//! with a fixed seed, so that runs can be repeated.

use std::hint::black_box;

use beeline_kernel::{Expansion, StateId};

use super::arena::Arena;
use super::{Ceiling, Inserted, StateStore};

/// Entries of the first table: a power of two.
const FIRST: usize = 1 << 6;

/// A set of states, all kept in full and numbered in the order of storing.
#[derive(Clone, Debug)]
pub struct ExactStore {
    table: Vec<u64>,
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
        self.table.len() * size_of::<u64>() + self.arena.bytes()
    }
}

impl ExactStore {
    fn with_hash(ceiling: Ceiling, hash: fn(&[u8]) -> u64) -> ExactStore {
        let (table, arena) = (vec![0; FIRST], Arena::new());
        ExactStore { table, arena, ceiling, hash, hashes: Vec::new() }
    }

    /// Reads the memory that inserting the states of these hashes will read.
    fn look_ahead(&self) {
        let hashes = &self.hashes;
        let mask = self.table.len() - 1;
        let entries = hashes.iter().map(|&hash| self.table[hash as usize & mask]);
        // The sums are of no use, except that the compiler must read all of it.
        black_box(entries.clone().fold(0, u64::wrapping_add));
        let likely = hashes
            .iter()
            .zip(entries)
            .filter(|&(hash, entry)| entry != 0 && hash >> 32 == entry >> 32);
        let likely = likely.map(|(_, entry)| (entry as u32 - 1) as usize);
        black_box(likely.clone().map(|index| self.arena.start(index)).fold(0, u64::wrapping_add));
        let first_byte = |index| self.arena.state(index).first().map_or(0, |&byte| u64::from(byte));
        black_box(likely.map(first_byte).fold(0, u64::wrapping_add));
    }

    /// Stores a state whose hash is known.
    fn insert_hashed(&mut self, state: &[u8], hash: u64) -> Inserted {
        let mut slot = match self.find(hash, state) {
            Found::Known(id) => return Inserted::Old(id),
            Found::Free(slot) => slot,
        };
        if self.len() >= self.ceiling.states {
            return Inserted::Full;
        }
        // The entry holds id + 1, so the largest id of all cannot be used.
        let Some(id) = StateId::new(self.len() + 1).and(StateId::new(self.len())) else {
            return Inserted::Full;
        };
        let growth = self.arena.growth(state.len());
        if self.len() >= self.table.len() / 4 * 3 {
            if self.fits(growth + self.table.len() * size_of::<u64>()) {
                self.double();
                slot = free_slot(&self.table, hash);
            } else if self.len() >= self.table.len() / 16 * 15 {
                return Inserted::Full;
            }
        }
        if !self.fits(growth) {
            return Inserted::Full;
        }
        self.arena.push(state);
        self.table[slot] = entry(hash, id.index());
        Inserted::New(id)
    }

    fn fits(&self, growth: usize) -> bool {
        self.bytes().saturating_add(growth) <= self.ceiling.bytes
    }

    fn find(&self, hash: u64, state: &[u8]) -> Found {
        let mask = self.table.len() - 1;
        let mut slot = hash as usize & mask;
        loop {
            let found = self.table[slot];
            if found == 0 {
                return Found::Free(slot);
            }
            if found >> 32 == hash >> 32 {
                let index = (found as u32 - 1) as usize;
                if self.arena.state(index) == state {
                    return Found::Known(StateId::new(index).expect("it came from an id"));
                }
            }
            slot = (slot + 1) & mask;
        }
    }

    fn double(&mut self) {
        let doubled = 2 * self.table.len();
        self.table = Vec::new();
        self.table = vec![0; doubled];
        for index in 0..self.arena.len() {
            let hash = (self.hash)(self.arena.state(index));
            let slot = free_slot(&self.table, hash);
            self.table[slot] = entry(hash, index);
        }
    }
}

enum Found {
    Known(StateId),
    Free(usize),
}

fn entry(hash: u64, index: usize) -> u64 {
    (hash >> 32 << 32) | (index as u64 + 1)
}

fn free_slot(table: &[u64], hash: u64) -> usize {
    let mask = table.len() - 1;
    let mut slot = hash as usize & mask;
    while table[slot] != 0 {
        slot = (slot + 1) & mask;
    }
    slot
}

#[cfg(test)]
mod tests;
