//! Sets of states that keep a fingerprint of each ([`HashCompact`]) or a few bits ([`Bitstate`]), so
//! that states cannot be restored and some may be overlooked.
//!
//! A state that is taken for a known one is not expanded, and its descendants may never be
//! generated. So such a set is no [`StateStore`](crate::StateStore), and a search with one can find
//! errors, but never prove that there are none.
//!
//! Source: [EMJ05], State Compaction and Incremental Hashing, section 2 (partial
//! compression).

mod bitstate;
mod hash_compact;
mod multilinear;
mod omissions;
mod runs;

pub use bitstate::Bitstate;
pub use hash_compact::HashCompact;
pub use omissions::Omissions;
pub(crate) use runs::RestartSchedule;
pub use runs::{RepeatedSet, Restarts};

/// What a set says about a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Seen {
    /// It was certainly not there, and is now.
    New,
    /// It was there, or another one was that looks the same.
    Old,
    /// It is not there, and there is no room for it.
    Full,
}

/// A set of states that cannot be restored.
pub trait Visited {
    /// What is known of a state: all that is kept of it, or where.
    type Fingerprint: Copy;

    /// Forgets everything, and hashes from now on as this seed says. What two different
    /// seeds overlook is independent.
    fn restart(&mut self, seed: u64);

    /// Looks at a state that will be added soon, and asks for the memory it will need.
    fn fingerprint(&mut self, state: &[u8]) -> Self::Fingerprint;

    /// Adds a state of which this is known.
    fn add(&mut self, fingerprint: Self::Fingerprint) -> Seen;

    /// Whether a state of which this is known is there, or another one that looks the same.
    fn contains(&self, fingerprint: Self::Fingerprint) -> bool;

    /// How likely it is that a state that is not there would be taken for one that is.
    fn omission_probability(&self) -> f64;

    /// Adds a state.
    fn insert(&mut self, state: &[u8]) -> Seen {
        let fingerprint = self.fingerprint(state);
        self.add(fingerprint)
    }

    /// How many states were new.
    fn len(&self) -> usize;

    /// Whether no state was added.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Memory held.
    fn bytes(&self) -> usize;

    /// What it has probably overlooked of the states that it was shown.
    fn omissions(&self) -> Omissions;
}
