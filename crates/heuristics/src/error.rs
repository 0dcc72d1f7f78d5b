//! Why a heuristic cannot be built.

use std::error::Error;
use std::fmt;

use beeline_analysis::factored::FactoringError;
use beeline_kernel::registry::{ArgumentError, ArgumentProblem};
use beeline_promela::diagnostic::known_names;

use crate::goal::GoalKind;

/// Why a heuristic cannot be built.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BuildError {
    /// There is no heuristic of this name.
    Unknown {
        /// The name.
        name: String,
        /// The names of all heuristics.
        known: Vec<&'static str>,
    },
    /// The heuristic does not support this goal.
    Goal {
        /// Its name.
        name: &'static str,
        /// The goal.
        goal: GoalKind,
        /// The supported goals.
        goals: &'static [GoalKind],
    },
    /// The heuristic needs a factored view, and the model has none.
    NoView {
        /// The name of the heuristic.
        name: &'static str,
        /// Why.
        cause: FactoringError,
    },
    /// Arguments do not fit the row.
    Arguments(ArgumentError),
    /// An argument cannot be used.
    Argument {
        /// The name of the heuristic.
        name: &'static str,
        /// The problem.
        cause: String,
        /// The remedy.
        fix: String,
    },
}

impl fmt::Display for BuildError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BuildError::Unknown { name, known } => {
                write!(f, "there is no heuristic `{name}`{}", known_names(name, known))
            }
            BuildError::Goal { name, goal, goals } => {
                let goals: Vec<&str> = goals.iter().map(|goal| goal.name()).collect();
                let (goal, goals) = (goal.name(), goals.join(", "));
                write!(
                    f,
                    "heuristic `{name}` does not apply to this goal ({goal}); it applies to: \
                     {goals}"
                )
            }
            BuildError::NoView { name, cause } => {
                write!(
                    f,
                    "heuristic `{name}` does not apply to this model: {cause}; choose \
                     another one"
                )
            }
            BuildError::Arguments(error) => arguments(f, error),
            BuildError::Argument { name, cause, fix } => {
                write!(f, "heuristic `{name}`: {cause}; {fix}")
            }
        }
    }
}

/// Words an argument error like the other errors.
fn arguments(f: &mut fmt::Formatter<'_>, error: &ArgumentError) -> fmt::Result {
    let name = &error.component;
    let takes = match &error.known()[..] {
        [] => "it takes no arguments".to_owned(),
        known => format!("it takes: {}", known.join(", ")),
    };
    let values = |name: &str| error.row(name).map_or("", |row| row.values);
    match &error.problem {
        ArgumentProblem::UnknownKey(key) => {
            write!(f, "heuristic `{name}`: there is no argument `{key}`; {takes}")
        }
        ArgumentProblem::TooMany(_) => write!(f, "heuristic `{name}`: too many arguments; {takes}"),
        ArgumentProblem::Twice(key) => {
            write!(f, "heuristic `{name}`: `{key}` is given twice; {takes}")
        }
        ArgumentProblem::Missing(key) => {
            write!(f, "heuristic `{name}`: `{key}` is missing; expected: {}", values(key))
        }
        ArgumentProblem::Value { name: key, value, .. } => {
            write!(f, "heuristic `{name}`: `{key}` is `{value}`; expected: {}", values(key))
        }
    }
}

impl From<ArgumentError> for BuildError {
    fn from(error: ArgumentError) -> BuildError {
        BuildError::Arguments(error)
    }
}

impl Error for BuildError {}
