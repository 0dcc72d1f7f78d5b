//! Combinations of heuristics: sum, maximum, weight.

pub(crate) mod aggregation;
pub(crate) mod max;
mod preferences;
pub(crate) mod sum;
pub(crate) mod weighted;

use crate::request::HeuristicRow;

pub use aggregation::Aggregation;
pub use max::Max;
pub use sum::Sum;
pub use weighted::Weighted;

/// Combinations, except for the maximum.
pub(crate) const ROWS: &[HeuristicRow] = &[sum::ROW, weighted::ROW];
