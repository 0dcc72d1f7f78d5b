//! In which way a property is violated.

use std::fmt;

use crate::Fault;

/// What a trail leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Violation {
    /// The last step fails.
    Fault(Fault),
    /// Nothing can happen, and not every process is where it may stop.
    InvalidEnd,
    /// A state that must not be reached.
    BadState,
    /// A cycle that must not be repeated forever.
    BadCycle,
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Violation::Fault(fault) => fault.kind.fmt(f),
            Violation::InvalidEnd => f.write_str("invalid end state"),
            Violation::BadState => f.write_str("forbidden state"),
            Violation::BadCycle => f.write_str("forbidden cycle"),
        }
    }
}
