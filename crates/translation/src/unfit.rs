//! Why a system does not become a planning task.

use std::error::Error;
use std::fmt;

/// Why a system does not become a planning task.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unfit {
    /// A factor has too many values to enumerate.
    Values {
        /// The factor.
        factor: String,
        /// The limit.
        most: usize,
    },
    /// An operator has too many combinations of values.
    Cases {
        /// The operator.
        operator: String,
        /// The factor with the most values among those that it depends on.
        factor: String,
        /// The number of these values.
        values: usize,
        /// The limit.
        most: usize,
    },
    /// There would be too many actions.
    Actions {
        /// The operator with the most actions.
        operator: String,
        /// The factor with the most values among those that this operator depends on.
        factor: String,
        /// The limit.
        most: usize,
    },
    /// The value of a factor is not determined.
    Undetermined {
        /// The operator.
        operator: String,
    },
}

impl fmt::Display for Unfit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unfit::Values { factor, most } => {
                write!(f, "`{factor}` may have more than {most} values")
            }
            Unfit::Cases { operator, factor, values, most } => write!(
                f,
                "`{operator}` has more than {most} cases: it depends on `{factor}`, which has \
                 {values} values, among others"
            ),
            Unfit::Actions { operator, factor, most } => write!(
                f,
                "the task has more than {most} actions: most are those of `{operator}`, which \
                 depends on `{factor}`"
            ),
            Unfit::Undetermined { operator } => {
                write!(f, "the factors do not determine what `{operator}` does")
            }
        }
    }
}

impl Error for Unfit {}
