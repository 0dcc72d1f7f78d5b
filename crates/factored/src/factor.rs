//! Factors: parts of a state with values of a bounded domain.

use crate::interval::Interval;

/// The number of a factor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FactorId(pub u32);

impl FactorId {
    /// As an index.
    #[inline]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// What a factor stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FactorKind {
    /// Where a process is; 0 when there is no such process.
    Location,
    /// A variable, or an element of an array.
    Variable,
    /// A field of a place for a message in a channel.
    Slot,
    /// How many messages a channel holds.
    Length,
    /// The place of the claim that watches.
    Claim,
    /// Whether a step has failed.
    Error,
}

/// A part of a state that has one value of a bounded domain.
#[derive(Clone, Debug)]
pub struct Factor {
    /// Its name.
    pub name: String,
    /// What it stands for.
    pub kind: FactorKind,
    /// The values that it can have at most.
    pub domain: Interval,
    /// The factor of the same pool that comes first: fields of all places of one channel are a
    /// pool, for those who look at a channel as a set of messages. Itself, if it has no other.
    pub pool: FactorId,
    /// It stands for many things of one kind, so that a state can have several values of it.
    pub is_summary: bool,
}
