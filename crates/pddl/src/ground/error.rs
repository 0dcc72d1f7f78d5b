//! Why a task cannot be grounded.

use std::fmt;

/// Why a task cannot be grounded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GroundError {
    /// The time is over.
    Time,
    /// The memory is used up.
    Memory {
        /// The action schema with the most instances so far, with their number.
        largest: Option<(String, usize)>,
    },
    /// The initial value of a numeric fluent is not in the range.
    Range {
        /// The fluent.
        fluent: String,
        /// Its initial value.
        value: i64,
    },
    /// The metric is not a sum of constant costs of actions.
    Metric(String),
}

impl fmt::Display for GroundError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            GroundError::Time => f.write_str("the time limit was reached while grounding"),
            GroundError::Memory { largest } => {
                f.write_str("the memory limit was reached while grounding")?;
                match largest {
                    Some((name, count)) => write!(
                        f,
                        ": the action `{name}` has most instances, {count} so far; split it into \
                         actions with fewer parameters, or raise --memory"
                    ),
                    None => f.write_str("; raise --memory"),
                }
            }
            GroundError::Range { fluent, value } => {
                write!(f, "the initial value of {fluent}, {value}, is not in the range")
            }
            GroundError::Metric(why) => write!(f, "the metric is not supported: {why}"),
        }
    }
}

impl std::error::Error for GroundError {}
