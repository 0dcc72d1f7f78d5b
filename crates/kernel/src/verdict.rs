//! How a check ends. "Not found" is not "holds": each way of not finding has a
//! name, so that nobody can read more into a verdict than was established.

use std::fmt;

use crate::{Cost, Trail, Violation};

/// The answer to one property.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// There is an error, and here is how to get there.
    Violated {
        /// What the trail leads to.
        violation: Violation,
        /// The way there.
        trail: Trail,
        /// What the trail costs.
        cost: Cost,
        /// No trail costs less than this. Zero when nothing is known.
        lower_bound: Cost,
    },
    /// Every reachable state was covered, exactly, and none is an error.
    Holds,
    /// Neither was established.
    Unknown(Stop),
}

impl Verdict {
    /// Whether the trail is proved to be a cheapest one.
    pub fn is_shortest(&self) -> bool {
        matches!(self, Verdict::Violated { cost, lower_bound, .. } if cost <= lower_bound)
    }
}

/// Why a search ended without an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Stop {
    /// The time allowed was used up.
    Time,
    /// The memory allowed was used up.
    Memory,
    /// Some states lie deeper than the search was allowed to go.
    Depth,
    /// Someone asked to stop.
    Interrupted,
    /// The store may have taken a new state for a known one.
    LossyStore,
    /// The method leaves out states by design (a beam, an unsafe heuristic), so
    /// finding nothing means nothing.
    IncompleteMethod,
}

impl fmt::Display for Stop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Stop::Time => "time limit reached",
            Stop::Memory => "memory limit reached",
            Stop::Depth => "depth limit reached",
            Stop::Interrupted => "interrupted",
            Stop::LossyStore => "the store may have overlooked states",
            Stop::IncompleteMethod => "the search method leaves out states",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shortest_needs_a_bound_that_meets_the_cost() {
        let violated = |lower_bound| Verdict::Violated {
            violation: Violation::InvalidEnd,
            trail: Trail::default(),
            cost: Cost(3),
            lower_bound,
        };
        assert!(violated(Cost(3)).is_shortest());
        assert!(!violated(Cost(2)).is_shortest());
        assert!(!Verdict::Holds.is_shortest());
        assert!(!Verdict::Unknown(Stop::Depth).is_shortest());
    }
}
