//! Why a search refuses a reduction.

use std::error::Error;
use std::fmt;

use super::CycleCondition;

/// Why a search refuses a reduction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// The search cannot check this condition, or the condition would not be sound there.
    Unsuited(CycleCondition),
    /// The search explores only a part of the states anyway.
    NoReduction,
    /// The search has begun: the expansions so far are not reduced.
    TooLate,
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Refusal::Unsuited(condition) => {
                write!(f, "the cycle condition `{condition}` does not suit this search")
            }
            Refusal::NoReduction => f.write_str("this search takes no reduction"),
            Refusal::TooLate => f.write_str("the search has begun without a reduction"),
        }
    }
}

impl Error for Refusal {}
