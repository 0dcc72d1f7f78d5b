//! Factors: parts of a state with values of a bounded domain.

use crate::interval::Interval;

/// The number of a factor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FactorId(pub u32);

impl FactorId {
    /// The number as an index.
    #[inline]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// The meaning of a factor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FactorKind {
    /// The location of a process; 0 if the process does not exist.
    Location,
    /// A variable or an array element.
    Variable,
    /// A message field of a channel slot.
    Slot,
    /// The number of messages in a channel.
    Length,
    /// The state of the claim.
    Claim,
    /// Whether a step has failed.
    Error,
}

/// A part of a state that has one value of a bounded domain.
#[derive(Clone, Debug)]
pub struct Factor {
    /// Its name.
    pub name: String,
    /// Its meaning.
    pub kind: FactorKind,
    /// An upper bound on its values.
    pub domain: Interval,
    /// The first factor of its pool: the slots of one message field are a pool, for channels as
    /// sets of messages. Itself if it is in no pool.
    pub pool: FactorId,
    /// A summary factor stands for many objects of one kind, so that a state can have several
    /// values of it.
    pub is_summary: bool,
}
