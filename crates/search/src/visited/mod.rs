//! Lossy sets of states: of each state, a fingerprint ([`HashCompact`]) or a few bits
//! ([`Bitstate`]) are kept.
//!
//! States cannot be read back, and a new state may be taken for a visited one. Such a state is
//! omitted, with all states that are reachable only through it. So such a set is not a
//! [`StateStore`](crate::StateStore), and a search with one can find errors, but not prove their
//! absence.
//!
//! Source: [EMJ05], State Compaction and Incremental Hashing, section 2 (partial compression).

mod bitstate;
mod hash_compact;
mod multilinear;
mod omissions;
mod runs;
mod shared_bitstate;
mod shared_hash_compact;

pub use bitstate::Bitstate;
pub use hash_compact::HashCompact;
pub use omissions::Omissions;
pub(crate) use runs::RestartSchedule;
pub use runs::{RepeatedSet, Restarts};
pub(crate) use shared_bitstate::SharedBitstate;
pub(crate) use shared_hash_compact::SharedHashCompact;

/// The result of an insertion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Seen {
    /// The state was certainly not in the set, and is now.
    New,
    /// The state, or another one with the same fingerprint, was in the set.
    Old,
    /// The state is not in the set, and there is no room for it.
    Full,
}

/// A lossy set of states, which cannot be read back.
pub trait Visited {
    /// The hash value that represents a state in the set.
    type Fingerprint: Copy;

    /// Removes all states, and takes another hash function. With different seeds, omissions are
    /// independent.
    fn restart(&mut self, seed: u64);

    /// The fingerprint of a state that will be added soon. Prefetches the memory for that.
    fn fingerprint(&mut self, state: &[u8]) -> Self::Fingerprint;

    /// Adds the state of a fingerprint.
    fn add(&mut self, fingerprint: Self::Fingerprint) -> Seen;

    /// Whether a state with this fingerprint is in the set.
    fn contains(&self, fingerprint: Self::Fingerprint) -> bool;

    /// The probability that a new state would be taken for a visited one.
    fn omission_probability(&self) -> f64;

    /// Adds a state.
    fn insert(&mut self, state: &[u8]) -> Seen {
        let fingerprint = self.fingerprint(state);
        self.add(fingerprint)
    }

    /// The number of states that were new.
    fn len(&self) -> usize;

    /// Whether no state was added.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Memory held.
    fn bytes(&self) -> usize;

    /// An estimate of the omissions among the states that were inserted.
    fn omissions(&self) -> Omissions;
}
