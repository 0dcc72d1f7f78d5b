//! The goal of a factored view, and why there is none.

use std::error::Error;
use std::fmt;

use beeline_promela::hir::Expr;

/// The goal of the view.
#[derive(Clone, Debug)]
pub enum FactoredGoal {
    /// Nothing: the system has no goals.
    Nothing,
    /// A state in which no process can move, and some process is not at a valid end.
    Deadlock,
    /// A step that fails.
    Faults,
    /// A state where this condition is false, or has no value.
    Violation(Expr),
    /// A violation of the machine's claim.
    Claim,
    /// This state.
    State(Vec<u8>),
}

/// Why there is no factored view of a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FactoringError {
    /// It has no initial state.
    NoStart,
    /// It would have too many factors.
    TooManyFactors,
    /// It would have too many steps.
    TooManySteps,
    /// Processes of the initial state that own channels may end, and others of their type are
    /// started later.
    ChannelsComeAgain,
}

impl fmt::Display for FactoringError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            FactoringError::NoStart => "the model has no initial state",
            FactoringError::TooManyFactors => {
                "the model has too many variables, channels and processes"
            }
            FactoringError::TooManySteps => {
                "the model has too many combinations of processes and channels"
            }
            FactoringError::ChannelsComeAgain => {
                "its first processes end and are started again, with channels of their own"
            }
        })
    }
}

impl Error for FactoringError {}
