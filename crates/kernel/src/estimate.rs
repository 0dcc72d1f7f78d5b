//! What a heuristic says about a state.

use crate::Cost;

/// How far the nearest error seems to be. The order is the order of hope: every
/// finite estimate comes before a dead end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Estimate {
    /// About this much is left.
    Finite(Cost),
    /// No error can be reached from here. A case, not a large number, because
    /// infinity takes no part in sums, weights and bucket indices. Whether a
    /// search may believe it is told by [`Claims::safe`](crate::Claims::safe).
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
