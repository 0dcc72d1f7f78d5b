//! The searches that run beside the proof.

use beeline_model::HeuristicScope;
use beeline_search::Search;

/// A search with a heuristic of the whole system gets one in this many parts of the work of another
/// one: few of them find further violations, and some take longer than their counted work.
const WHOLE_SYSTEM_DIVISOR: u64 = 8;

/// A greedy search for the violation of one property.
pub(super) struct GreedyRun<'a> {
    /// Index of the property run.
    pub(super) run: usize,
    pub(super) name: String,
    pub(super) heuristic: String,
    /// The scope of its heuristic.
    pub(super) scope: HeuristicScope,
    pub(super) search: Box<dyn Search + 'a>,
}

impl GreedyRun<'_> {
    /// Its share of a turn.
    pub(super) fn share(&self, turn: u64) -> u64 {
        match self.scope {
            HeuristicScope::Local => turn,
            HeuristicScope::Whole => turn / WHOLE_SYSTEM_DIVISOR,
        }
    }
}

/// A random depth-first search.
pub(super) struct RandomDfs<'a> {
    pub(super) search: Box<dyn Search + 'a>,
    /// Number of its findings that were processed.
    pub(super) judged: usize,
    pub(super) seed: u64,
}
