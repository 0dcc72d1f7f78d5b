//! Stores: where states are kept, each one once.
//!
//! Two stores, and neither forgets anything: [`ExactStore`] keeps each state for
//! itself and is the faster one; [`CompactStore`] leaves out what all states have in
//! common, or keeps it only once, and is the smaller one.

mod arena;
pub(crate) mod block;
#[cfg(test)]
mod checks;
mod chunks;
mod compact;
mod exact;
mod hash;
mod lengths;
mod line;
pub(crate) mod memory;
mod packed;
pub(crate) mod pages;
mod pairs;
mod same;
mod slim_table;

mod states;
mod suited;
mod table;
mod trees;
mod trim;

use std::ops::Range;

use beeline_kernel::{StateId, Successors};

pub use compact::CompactStore;
pub use exact::ExactStore;
pub use hash::{Folded, StateHash};
pub use suited::Suited;

/// What a store may hold at most.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ceiling {
    /// Memory, as [`StateStore::bytes`] counts it.
    pub bytes: usize,
    /// States.
    pub states: usize,
}

impl Ceiling {
    /// As much as the machine gives.
    pub const NONE: Ceiling = Ceiling { bytes: usize::MAX, states: usize::MAX };
}

/// What became of a state that was to be stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Inserted {
    /// It was not known, and is now.
    New(StateId),
    /// It was known.
    Old(StateId),
    /// It is not known, and there is no room for it.
    Full,
}

/// What a store knows about successors that it has not stored yet.
#[derive(Clone, Debug, Default)]
pub struct Ahead {
    /// One for each.
    glances: Vec<Glance>,
    /// Their forms, one after the other, and room for more.
    forms: Vec<u8>,
    /// How long the table was when places were found in it.
    length: usize,
    /// How often all forms had been made anew.
    learnt: u32,
}

impl Ahead {
    /// When the table has another length, all places are those where looks begin.
    #[inline]
    fn renew(&mut self, length: usize, home: impl Fn(u64) -> usize) {
        if self.length != length {
            self.length = length;
            self.glances.iter_mut().for_each(|glance| glance.place = home(glance.hash) as u32);
        }
    }
}

/// What was seen of a successor in a table.
#[derive(Clone, Copy, Debug, Default)]
struct Glance {
    hash: u64,
    /// The state that it probably is: one more than its number; 0 where it is new.
    likely: u32,
    /// Where it belongs if it is new, or before that on the way to there.
    place: u32,
    /// Where its form ends, and the shape of it.
    end: u32,
    shape: u16,
}

/// A set of states that can be had back, numbered from 0 in the order of storing.
pub trait StateStore {
    /// An empty store that grows up to the ceiling.
    fn new(ceiling: Ceiling) -> Self
    where
        Self: Sized;

    /// Stores a state, unless it is there already.
    fn insert(&mut self, state: &[u8]) -> Inserted;

    /// The id of a state, if it is stored. Stores nothing.
    fn find(&self, state: &[u8]) -> Option<StateId>;

    /// How many states may be opened and expanded before their successors are stored.
    fn batch(&self) -> usize {
        1
    }

    /// Prepares for successors that will be stored soon.
    ///
    /// Nearly all memory that a store reads is out of the caches. With many states
    /// at once it can ask for all of it before it waits for the first.
    fn look_ahead(&self, _successors: &Successors, _ahead: &mut Ahead) {}

    /// Looks again at some of them, when what was asked for has had time to come.
    fn look_closer(&self, _range: Range<usize>, _ahead: &mut Ahead) {}

    /// Looks again at one of them, and tells the state that it seems to be. Nothing is said
    /// of one that is new, or where looks are often wrong.
    fn look_for(&self, at: usize, ahead: &mut Ahead) -> Option<StateId> {
        self.look_closer(at..at + 1, ahead);
        None
    }

    /// Stores one of them, which was looked for a moment ago.
    fn insert_one(&mut self, successors: &Successors, at: usize, ahead: &Ahead) -> Inserted {
        let mut one = Inserted::Full;
        self.insert_all(successors, at..at + 1, ahead, |inserted| one = inserted);
        one
    }

    /// Whether one of them, which was looked for, is what it seems to be.
    fn is_likely(&self, _state: &[u8], _at: usize, _ahead: &Ahead) -> bool {
        false
    }

    /// Stores some of the successors that it looked ahead to, as if one after the other,
    /// and tells what became of each. Ends with the first [`Inserted::Full`].
    fn insert_all(
        &mut self,
        successors: &Successors,
        range: Range<usize>,
        ahead: &Ahead,
        tell: impl FnMut(Inserted),
    );

    /// Asks for the memory of a state that will probably be opened soon.
    fn expect(&self, _id: StateId) {}

    /// A stored state that is about to be expanded.
    ///
    /// # Panics
    ///
    /// When the id comes from another store.
    fn open(&mut self, id: StateId) -> &[u8];

    /// Writes a stored state, replacing what is in `state`.
    ///
    /// # Panics
    ///
    /// When the id comes from another store.
    fn load(&self, id: StateId, state: &mut Vec<u8>);

    /// How many states are stored.
    fn len(&self) -> usize;

    /// Whether no state is stored.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The length of the longest state.
    fn longest(&self) -> usize;

    /// Memory held, all of it.
    fn bytes(&self) -> usize;

    /// The part of it that hash tables hold, which grow in leaps.
    fn table_bytes(&self) -> usize;
}
