//! Faults: steps that fail. A fault is a finding in the model, not an error of Beeline.

use std::fmt;

/// A statement of the model, as a number. Only the transition system that assigned the number can
/// interpret it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SiteId(pub u32);

/// A step that failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Fault {
    /// Its kind.
    pub kind: FaultKind,
    /// The statement that failed.
    pub site: SiteId,
}

/// The kinds of faults.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum FaultKind {
    /// An assertion was false.
    Assertion,
    /// An index was outside its array.
    Index,
    /// A division by zero.
    Division,
    /// A `d_step` sequence is blocked.
    Blocked,
    /// More processes or channels than a state can hold.
    Limit,
    /// A channel operation on a variable that holds no channel.
    NoChannel,
    /// A message with another number of fields than the channel has.
    Fields,
    /// An event that violates a trace assertion.
    Trace,
    /// The violation of a never claim.
    Claim,
    /// The use of a channel that another process has exclusively (`xr`, `xs`).
    Exclusive,
    /// Several steps were enabled where the choice must be deterministic.
    Nondeterminism,
    /// The enabledness of a process depends on itself.
    Circular,
    /// A value that does not fit in the type of its variable.
    Overflow,
}

/// A set of kinds of faults.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Faults(u32);

impl Faults {
    /// No fault.
    pub const NONE: Faults = Faults(0);
    /// All faults.
    pub const ALL: Faults = Faults(u32::MAX);

    /// These kinds only.
    pub const fn of(kinds: &[FaultKind]) -> Faults {
        let (mut set, mut at) = (0, 0);
        while at < kinds.len() {
            set |= 1 << kinds[at] as u32;
            at += 1;
        }
        Faults(set)
    }

    /// All kinds but these.
    pub const fn all_but(kinds: &[FaultKind]) -> Faults {
        Faults(!Faults::of(kinds).0)
    }

    /// Whether it contains this kind.
    pub fn contains(self, kind: FaultKind) -> bool {
        self.0 >> (kind as u32) & 1 == 1
    }

    /// Adds a kind.
    pub fn insert(&mut self, kind: FaultKind) {
        self.0 |= 1 << kind as u32;
    }

    /// The kinds of either set.
    #[must_use]
    pub fn union(self, other: Faults) -> Faults {
        Faults(self.0 | other.0)
    }

    /// Whether both sets have a kind in common.
    pub fn intersects(self, other: Faults) -> bool {
        self.0 & other.0 != 0
    }
}

impl FaultKind {
    /// Whether a run can continue after the fault, as in an exploration of all states. After other
    /// faults there is no next state. (SPIN continues after some messages with a wrong number of
    /// fields, with arbitrary values.)
    pub fn is_survivable(self) -> bool {
        match self {
            FaultKind::Assertion
            | FaultKind::Index
            | FaultKind::Trace
            | FaultKind::Claim
            | FaultKind::Exclusive
            | FaultKind::Nondeterminism
            | FaultKind::Overflow => true,
            FaultKind::Division
            | FaultKind::Blocked
            | FaultKind::Limit
            | FaultKind::NoChannel
            | FaultKind::Fields
            | FaultKind::Circular => false,
        }
    }
}

impl fmt::Display for FaultKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            FaultKind::Assertion => "assertion violated",
            FaultKind::Index => "array index out of bounds",
            FaultKind::Division => "division by zero",
            FaultKind::Blocked => "indivisible sequence blocked",
            FaultKind::Limit => "too many processes or channels",
            FaultKind::NoChannel => "channel does not exist",
            FaultKind::Fields => "wrong number of fields in a message",
            FaultKind::Trace => "trace assertion violated",
            FaultKind::Claim => "never claim violated",
            FaultKind::Exclusive => "xr or xs assertion violated",
            FaultKind::Nondeterminism => {
                "nondeterministic choice where a deterministic one is required"
            }
            FaultKind::Circular => "enabled() depends on itself",
            FaultKind::Overflow => "value out of the range of its type",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_of_faults_holds_what_was_put_into_it() {
        let some = Faults::of(&[FaultKind::Index, FaultKind::Claim]);
        assert!(some.contains(FaultKind::Index) && some.contains(FaultKind::Claim));
        assert!(!some.contains(FaultKind::Assertion) && !some.contains(FaultKind::Trace));
        assert!(some.intersects(Faults::ALL) && !some.intersects(Faults::of(&[FaultKind::Limit])));
    }
}
