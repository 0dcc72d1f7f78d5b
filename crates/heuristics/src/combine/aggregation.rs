//! How the distances of several processes become one estimate.

use crate::incremental::process_sum::FAR;

/// How the distances of several processes become one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Aggregation {
    /// Their sum.
    Sum,
    /// Half of their sum, rounded up: no more than the sum counts when every step moves
    /// two processes, as a rendezvous does.
    Half,
    /// The largest.
    Max,
}

impl Aggregation {
    /// What becomes of a sum.
    pub(crate) fn of_sum(self, total: u64) -> u64 {
        if self == Aggregation::Half && total < FAR { total.div_ceil(2) } else { total }
    }
}
