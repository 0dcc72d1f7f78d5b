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
//! Source: the usual design of explicit-state model checkers. The hash has no random
//! seed, so that runs can be repeated.

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

/// A hash for short strings of bytes: sixteen of them at a time are multiplied into 128
/// bits and folded.
///
/// Source: this is how wyhash and its successor rapidhash work; the constants are those
/// of rapidhash, version 3. Written down here so that it becomes part of the loop that
/// hashes one state after the other.
#[derive(Clone, Copy, Debug)]
pub struct Folded;

const SECRETS: [u64; 3] = [0x2d35_8dcc_aa6c_78a5, 0x8bb8_4b93_962e_acc9, 0x4b33_a62e_d433_d4a3];

#[inline]
fn fold(a: u64, b: u64) -> u64 {
    let product = u128::from(a) * u128::from(b);
    product as u64 ^ (product >> 64) as u64
}

#[inline]
fn word(bytes: &[u8], at: usize) -> u64 {
    u64::from_le_bytes(bytes[at..at + 8].try_into().expect("a word has eight bytes"))
}

impl StateHash for Folded {
    #[inline]
    fn hash(state: &[u8]) -> u64 {
        let length = state.len();
        let mut seed = SECRETS[2] ^ length as u64;
        let (a, b) = match length {
            16.. => {
                let mut rest = state;
                while let Some((block, behind)) = rest.split_at_checked(16)
                    && !behind.is_empty()
                {
                    seed = fold(word(block, 0) ^ SECRETS[0], word(block, 8) ^ seed);
                    rest = behind;
                }
                // The last sixteen bytes, some of which may have been there before.
                (word(state, length - 16), word(state, length - 8))
            }
            8..16 => (word(state, 0), word(state, length - 8)),
            _ => {
                let mut short = [0; 8];
                short[..length].copy_from_slice(state);
                (u64::from_le_bytes(short), SECRETS[0])
            }
        };
        let mixed = fold(a ^ SECRETS[1], b ^ seed);
        fold(mixed ^ SECRETS[0], SECRETS[1] ^ length as u64)
    }
}

/// A set of states, all kept in full and numbered in the order of storing.
#[derive(Clone, Debug)]
pub struct ExactStore<H: StateHash = Folded> {
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
