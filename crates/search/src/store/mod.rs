//! Stores: sets of states that can be read back, each state once.
//!
//! Three stores, all without loss: [`ExactStore`] keeps each state in full and is the fastest one;
//! [`CompactStore`] keeps the bits that differ, or shares equal parts, and is the smallest one;
//! [`CoveringStore`] leaves out states that stored ones cover, for spaces that have such states.
//!
//! The contract has three parts. [`StateSet`] is common to all stores. [`Prefetch`] is the protocol
//! by which a search lets memory accesses overlap; a search that expands many states needs a
//! [`StateStore`], which has both. The store that several threads fill at once, in `shared.rs`,
//! has a contract of its own; sets that several threads fill, but do not read, are a
//! `SharedSet` (`shared_set.rs`).

mod arena;
mod blocks;
pub mod bounds_suffix;
mod bucket;
mod bucket_table;
mod byte_chunks;
mod choose_store;
pub(crate) mod chunked_vec;
mod compact;
mod compact_table;
#[cfg(test)]
mod contract_tests;
mod covering;
mod equality;
mod exact;
mod full_records;
mod hash;
mod hash_table;
mod hashed;
pub(crate) mod huge_page_buffer;
mod lengths;
pub(crate) mod memory;
mod number_lists;
mod packed;
mod pair_table;
mod probes;
mod records;
pub(crate) mod shared;
pub(crate) mod shared_set;
mod trees;
mod uniform_batch;
mod zero_elision;

use std::ops::Range;

use beeline_kernel::{StateId, Successors};

pub use choose_store::StoreChoice;
pub use compact::CompactStore;
pub use covering::CoveringStore;
pub use exact::ExactStore;
pub use hash::{FoldedMultiply, StateHash};
pub use probes::ProbeBatch;

/// Limits of a store.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StoreLimits {
    /// Memory, as [`StateSet::bytes`] counts it.
    pub bytes: usize,
    /// States.
    pub states: usize,
}

impl StoreLimits {
    /// No limits but those of the machine.
    pub const NONE: StoreLimits = StoreLimits { bytes: usize::MAX, states: usize::MAX };
}

/// The result of an insertion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Inserted {
    /// The state was not stored, and is now.
    New(StateId),
    /// The state was stored before.
    Old(StateId),
    /// The state is not stored, since a stored one covers it: what can happen in it can happen
    /// there. Only [`CoveringStore`] has such states; a path must not go on from the other state as
    /// if it had led there.
    Covered,
    /// The state is not stored, and there is no room for it.
    Full,
}

/// A set of states that can be read back, numbered from 0 in the order of insertion.
pub trait StateSet {
    /// An empty set with these limits.
    fn new(limits: StoreLimits) -> Self
    where
        Self: Sized;

    /// Inserts a state, unless it is stored.
    fn insert(&mut self, state: &[u8]) -> Inserted;

    /// The id of a state, if it is stored.
    fn find(&self, state: &[u8]) -> Option<StateId>;

    /// A stored state, if it is stored as it is.
    fn read(&self, id: StateId) -> Option<&[u8]> {
        let _ = id;
        None
    }

    /// A stored state that is about to be expanded.
    ///
    /// # Panics
    ///
    /// If the id comes from another set.
    fn open(&mut self, id: StateId) -> &[u8];

    /// Writes a stored state, replacing what is in `state`.
    ///
    /// # Panics
    ///
    /// If the id comes from another set.
    fn load(&self, id: StateId, state: &mut Vec<u8>);

    /// A stored state that covers this one and was inserted after it: what can happen in this one
    /// can happen there.
    fn covered_by(&self, id: StateId) -> Option<StateId> {
        let _ = id;
        None
    }

    /// The number of stored states that others cover.
    fn covered(&self) -> usize {
        0
    }

    /// Whether a stored state covers this one that satisfies a condition.
    fn is_covered(&self, state: &[u8], counts: &dyn Fn(StateId) -> bool) -> bool {
        let _ = (state, counts);
        false
    }

    /// Inserts a state also if a stored one covers it.
    fn insert_covered(&mut self, state: &[u8]) -> Inserted {
        self.insert(state)
    }

    /// The number of stored states.
    fn len(&self) -> usize;

    /// Whether no state is stored.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The length of the longest state.
    fn longest(&self) -> usize;

    /// Memory held.
    fn bytes(&self) -> usize;

    /// Memory held by hash tables, which grow in large steps.
    fn table_bytes(&self) -> usize;
}

/// The prefetch protocol: insertion of successors in steps, so that memory accesses overlap.
///
/// Nearly all memory that a store reads is outside the caches. A caller with many successors lets
/// the store request the memory of all of them before it waits for the first:
///
/// 1. [`prefetch_slots`](Prefetch::prefetch_slots) hashes all successors of a batch and prefetches
///    their slots of the hash table.
/// 2. [`prefetch_candidates`](Prefetch::prefetch_candidates) reads the slots and prefetches the
///    states found there.
/// 3. [`insert_batch`](Prefetch::insert_batch) compares and inserts.
///
/// A caller that continues with a single successor uses
/// [`find_candidate`](Prefetch::find_candidate) and [`insert_probed`](Prefetch::insert_probed)
/// instead of steps 2 and 3. The protocol changes the time of an insertion, never its result.
pub trait Prefetch: StateSet {
    /// The number of states to expand before their successors are inserted.
    fn batch_size(&self) -> usize;

    /// Prefetches a state that will probably be opened soon.
    fn prefetch_state(&self, id: StateId);

    /// Starts a probe of each successor.
    fn prefetch_slots(&self, successors: &Successors, batch: &mut ProbeBatch);

    /// Continues some of the probes, when their slots have arrived.
    fn prefetch_candidates(&self, range: Range<usize>, batch: &mut ProbeBatch);

    /// Continues one probe. Returns the stored state that the successor almost certainly equals;
    /// `None` if it is new, or if the table cannot decide without a comparison.
    fn find_candidate(&self, at: usize, batch: &mut ProbeBatch) -> Option<StateId>;

    /// Whether a successor equals its candidate.
    fn confirm(&self, state: &[u8], at: usize, batch: &ProbeBatch) -> bool;

    /// Inserts a successor. There must be no insertion between its
    /// [`find_candidate`](Prefetch::find_candidate) and this call.
    fn insert_probed(&mut self, state: &[u8], at: usize, batch: &ProbeBatch) -> Inserted;

    /// Inserts some of the successors in order, and reports the result of each. Ends with the first
    /// [`Inserted::Full`].
    fn insert_batch(
        &mut self,
        successors: &Successors,
        range: Range<usize>,
        batch: &ProbeBatch,
        tell: impl FnMut(Inserted),
    );
}

/// The store of a search: a set of states with prefetching.
pub trait StateStore: StateSet + Prefetch {}

impl<T: StateSet + Prefetch> StateStore for T {}
