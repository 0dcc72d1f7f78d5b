//! Aggregation of the distances of several processes into one estimate.

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
