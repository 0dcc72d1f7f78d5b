//! Stores: where states are kept, each one once.
//!
//! Two stores, and neither forgets anything: [`ExactStore`] keeps each state for
//! itself and is the faster one; [`CompactStore`] leaves out what all states have in
//! common, or keeps it only once, and is the smaller one.

mod arena;
mod bucket;
mod byte_chunks;
pub(crate) mod chunked_vec;
mod compact;
mod compact_table;
#[cfg(test)]
mod contract_tests;
mod equality;
mod exact;
mod hash;
pub(crate) mod huge_page_buffer;
mod lengths;
pub(crate) mod memory;
mod packed;
mod pair_table;

mod bucket_table;
mod choose_store;
mod states;
mod trees;
mod zero_elision;

use std::ops::Range;

use beeline_kernel::{StateId, Successors};

pub use choose_store::StoreChoice;
pub use compact::CompactStore;
pub use exact::ExactStore;
pub use hash::{FoldedMultiply, StateHash};

/// What a store may hold at most.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StoreLimits {
    /// Memory, as [`StateStore::bytes`] counts it.
    pub bytes: usize,
    /// States.
    pub states: usize,
}

impl StoreLimits {
    /// As much as the machine gives.
    pub const NONE: StoreLimits = StoreLimits { bytes: usize::MAX, states: usize::MAX };
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
pub struct ProbeBatch {
    /// One for each.
    probes: Vec<Probe>,
    /// Their encodings, one after the other, and room for more.
    encodings: Vec<u8>,
    /// How long the table was when places were found in it.
    length: usize,
    /// How often all encodings had been made anew.
    learnt: u32,
}

impl ProbeBatch {
    /// When the table has another length, all places are those where looks begin.
    #[inline]
    fn renew(&mut self, length: usize, home: impl Fn(u64) -> usize) {
        if self.length != length {
            self.length = length;
            self.probes.iter_mut().for_each(|probe| probe.place = home(probe.hash) as u32);
        }
    }
}

/// What was seen of a successor in a table.
#[derive(Clone, Copy, Debug, Default)]
struct Probe {
    hash: u64,
    /// The state that it probably is: one more than its number; 0 where it is new.
    likely: u32,
    /// Where it belongs if it is new, or before that on the way to there.
    place: u32,
    /// Where its encoding ends, and the format of it.
    end: u32,
    format: u16,
}

/// A set of states that can be had back, numbered from 0 in the order of storing.
pub trait StateStore {
    /// An empty store that grows up to the limits.
    fn new(limits: StoreLimits) -> Self
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
    fn prefetch_slots(&self, _successors: &Successors, _ahead: &mut ProbeBatch) {}

    /// Looks again at some of them, when what was asked for has had time to come.
    fn prefetch_candidates(&self, _range: Range<usize>, _ahead: &mut ProbeBatch) {}

    /// Looks again at one of them, and tells the state that it seems to be. Nothing is said
    /// of one that is new, or where looks are often wrong.
    fn find_candidate(&self, at: usize, ahead: &mut ProbeBatch) -> Option<StateId> {
        self.prefetch_candidates(at..at + 1, ahead);
        None
    }

    /// Stores one of them, which was looked for a moment ago.
    fn insert_probed(
        &mut self,
        successors: &Successors,
        at: usize,
        ahead: &ProbeBatch,
    ) -> Inserted {
        let mut one = Inserted::Full;
        self.insert_batch(successors, at..at + 1, ahead, |inserted| one = inserted);
        one
    }

    /// Whether one of them, which was looked for, is what it seems to be.
    fn confirm(&self, _state: &[u8], _at: usize, _ahead: &ProbeBatch) -> bool {
        false
    }

    /// Stores some of the successors that it looked ahead to, as if one after the other,
    /// and tells what became of each. Ends with the first [`Inserted::Full`].
    fn insert_batch(
        &mut self,
        successors: &Successors,
        range: Range<usize>,
        ahead: &ProbeBatch,
        tell: impl FnMut(Inserted),
    );

    /// Asks for the memory of a state that will probably be opened soon.
    fn prefetch_state(&self, _id: StateId) {}

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
