//! Heuristics of a model: their aims, and why one cannot be built.

use std::fmt;

use beeline_kernel::registry::ArgumentError;
use beeline_search::SearchTarget;

/// The target of a heuristic.
#[derive(Clone, Copy, Debug)]
pub enum Aim<'a> {
    /// The nearest error of this kind.
    Error(SearchTarget),
    /// A given state.
    State(&'a [u8]),
}

/// How much of the system a heuristic considers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HeuristicScope {
    /// The whole system, where the estimates are worth their time.
    Whole,
    /// One process, or one formula, at a time.
    Local,
}

/// Why a heuristic cannot be built.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum HeuristicError {
    /// It does not support this aim.
    Aim(String),
    /// It needs a view of the model that cannot be built.
    NoView {
        /// The heuristic.
        name: String,
        /// Why there is no view.
        cause: String,
    },
    /// It does not exist, or does not take these arguments.
    Request(String),
}

impl fmt::Display for HeuristicError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            HeuristicError::Aim(why) | HeuristicError::Request(why) => f.write_str(why),
            HeuristicError::NoView { name, cause } => {
                write!(
                    f,
                    "heuristic `{name}` does not apply to this model: {cause}; choose \
                     another one"
                )
            }
        }
    }
}

impl std::error::Error for HeuristicError {}

impl From<ArgumentError> for HeuristicError {
    fn from(error: ArgumentError) -> HeuristicError {
        HeuristicError::Request(error.to_string())
    }
}
