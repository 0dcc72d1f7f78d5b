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
            | FaultKind::Nondeterminism => true,
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
            FaultKind::NoChannel => "channel not initialised",
            FaultKind::Fields => "wrong number of fields in a message",
            FaultKind::Trace => "trace assertion violated",
            FaultKind::Claim => "never claim violated",
            FaultKind::Exclusive => "xr or xs assertion violated",
            FaultKind::Nondeterminism => {
                "nondeterministic choice where a deterministic one is required"
            }
            FaultKind::Circular => "enabled() depends on itself",
        })
    }
}
