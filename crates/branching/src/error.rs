//! Why a formula has no answer.

use std::fmt;

use beeline_kernel::Stop;
use beeline_symbolic::{Limit, SymbolicError};

/// Why there is no result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BranchingError {
    /// A limit, or too many outcomes.
    Symbolic(SymbolicError),
    /// The automaton of a path formula would be too large.
    AutomatonTooLarge,
    /// A reachable step fails; what follows is not defined.
    StepFails(String),
    /// The model exceeds the bounds of its view.
    Exceeds(String),
    /// A path of sets is not one of the model, which is an internal error.
    NotAPath,
}

impl From<SymbolicError> for BranchingError {
    fn from(error: SymbolicError) -> BranchingError {
        BranchingError::Symbolic(error)
    }
}

impl From<Limit> for BranchingError {
    fn from(limit: Limit) -> BranchingError {
        BranchingError::Symbolic(SymbolicError::Limit(limit))
    }
}

impl BranchingError {
    /// The limit that was reached, if one was.
    pub fn stop(&self) -> Option<Stop> {
        match self {
            BranchingError::Symbolic(SymbolicError::Limit(limit)) => Some(limit.stop()),
            _ => None,
        }
    }
}

impl fmt::Display for BranchingError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BranchingError::Symbolic(error) => error.fmt(f),
            BranchingError::AutomatonTooLarge => {
                f.write_str("the automaton of a path formula is too large")
            }
            BranchingError::StepFails(step) => {
                write!(f, "a step may fail ({step}), and what follows it is not defined")
            }
            BranchingError::Exceeds(excess) => write!(
                f,
                "formulas of branching time need an exact symbolic view of the model, which has \
                 {excess}: raise the bound with --instances"
            ),
            BranchingError::NotAPath => f.write_str("a path of sets is not a path of the model"),
        }
    }
}

impl std::error::Error for BranchingError {}
