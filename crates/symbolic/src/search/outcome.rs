//! The result of a search on sets.

use crate::ldd::{BigUint, Set};
use crate::system::SymbolicSystem;

/// A path to an error.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SymbolicPath {
    /// The cost of the path, with that of a failing step after its last state.
    pub cost: u64,
    /// The states of the model from the initial one to the last one, one step apart.
    pub states: Vec<Vec<i32>>,
}

/// The result of a search. Without a path, no error is reachable, provided that the estimate calls
/// no state a dead end from which an error is reachable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SymbolicOutcome {
    /// A path to an error.
    pub path: Option<SymbolicPath>,
    /// The effort.
    pub statistics: SymbolicSearchStatistics,
}

/// The effort of a search.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SymbolicSearchStatistics {
    /// Sets that were taken for expansion; the set of the goal at the end counts as well.
    pub iterations: usize,
    /// States that were expanded, each as often as it was.
    pub expanded: BigUint,
    /// The nodes of the largest set that was expanded.
    pub largest_frontier: usize,
    /// The rank of each iteration: the layer, g, f or h.
    pub ranks: Vec<u64>,
}

impl SymbolicSearchStatistics {
    /// Counts an iteration.
    pub(super) fn iterate(&mut self, rank: u64) {
        self.iterations += 1;
        self.ranks.push(rank);
    }

    /// Counts the expansion of a set.
    pub(super) fn expand(&mut self, system: &SymbolicSystem<'_>, set: &Set) {
        self.expanded.add(&system.count(set));
        self.largest_frontier = self.largest_frontier.max(system.forest.node_count(set));
    }
}
