//! Values of heuristics.

use crate::Cost;

/// The estimated distance to the nearest error. Every finite estimate is less than a dead end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Estimate {
    /// This cost remains, by estimate.
    Finite(Cost),
    /// No error is reachable. A case of its own, not a large number, because infinity takes no part
    /// in sums, weights and bucket indices. A search may prune dead ends only if
    /// [`Claims::safe`](crate::Claims::safe).
    DeadEnd,
}

impl Estimate {
    /// The cost, unless it is a dead end.
    pub fn finite(self) -> Option<Cost> {
        match self {
            Estimate::Finite(cost) => Some(cost),
            Estimate::DeadEnd => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_dead_end_is_further_than_anything() {
        assert!(Estimate::Finite(Cost(u32::MAX)) < Estimate::DeadEnd);
        assert!(Estimate::Finite(Cost(2)) < Estimate::Finite(Cost(3)));
    }
}
