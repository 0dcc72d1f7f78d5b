//! The searches that run beside the proof.

use beeline_model::HeuristicScope;
use beeline_search::{BestFirst, ExactStore, Exploration};

/// A search whose heuristic looks at the whole system gets this fraction of the work of another:
/// few of them find what others do not, and some take longer than they count.
const WHOLE_SYSTEM_DIVISOR: u64 = 8;

/// A search for the violation of one property.
pub(super) struct GreedyRun<'a> {
    /// The property, by its number among the runs.
    pub(super) run: usize,
    pub(super) name: String,
    pub(super) heuristic: String,
    /// How much of the system its heuristic looks at.
    pub(super) scope: HeuristicScope,
    pub(super) search: BestFirst<'a, ExactStore>,
}

impl GreedyRun<'_> {
    /// Its work where another search does this much.
    pub(super) fn share(&self, turn: u64) -> u64 {
        match self.scope {
            HeuristicScope::Local => turn,
            HeuristicScope::Whole => turn / WHOLE_SYSTEM_DIVISOR,
        }
    }
}

/// Depth-first in random order.
pub(super) struct RandomDfs<'a> {
    pub(super) search: Exploration<'a, ExactStore>,
    /// How many of its findings were looked at.
    pub(super) judged: usize,
    pub(super) seed: u64,
}
