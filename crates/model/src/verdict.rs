//! The result for a property. "Not found" is not "holds": each cause of an incomplete search is a
//! [`Reason`] of its own, so that a verdict claims no more than was established.

use std::fmt;

use beeline_kernel::{FaultKind, Stop};
use beeline_search::Omissions;

use crate::unsupported::Unsupported;
use crate::violation::Violation;

/// The result for one property.
#[derive(Clone, Debug)]
pub enum Verdict {
    /// No reachable state violates it: all were explored, or a proof covers the others.
    Holds,
    /// Violated; at least one violation.
    Violated(Vec<Violation>),
    /// Neither was established.
    Unknown(Reason),
}

impl Verdict {
    /// The violations; none unless the property is violated.
    pub fn violations(&self) -> &[Violation] {
        match self {
            Verdict::Violated(violations) => violations,
            Verdict::Holds | Verdict::Unknown(_) => &[],
        }
    }
}

/// Why a verdict is *unknown*.
#[derive(Clone, Debug, PartialEq)]
pub enum Reason {
    /// The search stopped early.
    Stopped(Stop),
    /// The search stopped in the middle of a step that took too long.
    StoppedInside(Stop),
    /// The store may have taken new states for visited ones; an estimate of their number.
    Overlooked(Omissions),
    /// Runs were not explored beyond a fault of this kind, although the model may continue.
    NothingAfter(FaultKind),
    /// The same after the limit of channels or, under fairness, of processes.
    TooManyForFairness,
    /// The model fails before its first step.
    InitialFault,
    /// The search, the store or the claim cannot decide the property.
    Unsupported(Unsupported),
}

impl Reason {
    /// The property cannot be decided this way, with the reason in words.
    pub fn unsupported(why: impl Into<String>) -> Reason {
        Reason::Unsupported(Unsupported::new(why))
    }

    /// The reason of a search that stopped, perhaps since a lossy store may have omitted states.
    pub fn of(stop: Stop, omissions: Option<Omissions>) -> Reason {
        match omissions {
            Some(omissions) if stop == Stop::LossyStore => Reason::Overlooked(omissions),
            _ => Reason::Stopped(stop),
        }
    }
}

/// Message where states have no room for more channels.
const TOO_MANY_CHANNELS: &str = "states with too many channels were not explored";

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reason::Stopped(stop) => stop.fmt(f),
            Reason::StoppedInside(stop) => {
                write!(f, "{stop} during a single long step")
            }
            Reason::Overlooked(omissions) => write!(f, "{}: {omissions}", Stop::LossyStore),
            Reason::NothingAfter(FaultKind::Limit) => f.write_str(TOO_MANY_CHANNELS),
            Reason::NothingAfter(FaultKind::Index) => {
                f.write_str("states after an array index out of bounds were not explored")
            }
            Reason::NothingAfter(FaultKind::Fields) => f.write_str(
                "states after a message with a wrong number of fields were not explored",
            ),
            Reason::NothingAfter(kind) => {
                write!(f, "states after an error were not explored: {kind}")
            }
            Reason::TooManyForFairness => f.write_str(
                "states with too many channels, or with more than 63 processes (the limit of \
                 --fair), were not explored",
            ),
            Reason::InitialFault => f.write_str("the model fails before its first step"),
            Reason::Unsupported(why) => why.fmt(f),
        }
    }
}
