//! Aggregation of the distances of several processes into one estimate.

use beeline_kernel::registry::ArgumentRow;

use crate::incremental::process_sum::FAR;

/// Aggregation of distances.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Aggregation {
    /// Their sum.
    Sum,
    /// Half of their sum, rounded up: a lower bound of the steps even if every step moves two
    /// processes, as a rendezvous does.
    Half,
    /// The largest.
    Max,
}

impl Aggregation {
    /// Aggregates a sum of distances.
    pub(crate) fn of_sum(self, total: u64) -> u64 {
        if self == Aggregation::Half && total < FAR { total.div_ceil(2) } else { total }
    }
}

/// The argument of heuristics that aggregate distances.
pub(crate) const COMBINE: ArgumentRow =
    ArgumentRow::new("combine", "sum, half or max (default: sum)", "");

/// Values of an argument without the maximum.
pub(crate) const SUMS: &[(&str, Aggregation)] =
    &[("sum", Aggregation::Sum), ("half", Aggregation::Half)];

/// Values of [`COMBINE`].
pub(crate) const COMBINES: &[(&str, Aggregation)] =
    &[("sum", Aggregation::Sum), ("half", Aggregation::Half), ("max", Aggregation::Max)];
