//! What can go wrong while a step executes. A fault is something found in the
//! model, not an error of ours.

use std::fmt;

/// A place in the model. Only the transition system that made the number can
/// say which statement it is; everyone else hands it on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SiteId(pub u32);

/// A step that failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Fault {
    /// How it failed.
    pub kind: FaultKind,
    /// Where.
    pub site: SiteId,
}

/// The ways in which a step can fail.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum FaultKind {
    /// An assertion was false.
    Assertion,
    /// An index was outside its array.
    Index,
    /// A division by zero.
    Division,
    /// An indivisible sequence could not go on.
    Blocked,
    /// More processes or channels than a state can hold.
    Limit,
    /// A channel was used through a variable that holds none.
    NoChannel,
    /// A message has more values, or fewer, than the channel carries.
    Fields,
    /// The events so far are not what a trace assertion allows.
    Trace,
    /// A never claim has seen what must not happen.
    Claim,
    /// A channel was used that another process has alone, as it says with `xr` or `xs`.
    Exclusive,
    /// There were several ways to go on where there must be only one.
    Nondeterminism,
    /// Whether a process can move depends on whether it can move.
    Circular,
}

impl FaultKind {
    /// Whether execution can go on behind the fault, as a count of the whole
    /// state space does. SPIN goes on after a failed assertion and a bad index;
    /// after the others there is no state to go on from. (After some messages with a
    /// wrong number of fields, it goes on with what it finds in memory.)
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
            FaultKind::Nondeterminism => "several ways to go on where there must be one",
            FaultKind::Circular => "enabled() asks about itself",
        })
    }
}
