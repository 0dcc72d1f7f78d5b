//! A task is a search target in a system. The modules provide its heuristics, its reduction and its
//! store.

mod cost_adapter;
mod filter;
mod heuristics;
mod nearest;
mod reduction;
mod search_store;

use beeline_kernel::{Space, StatePath};
use beeline_model::{System, Unconfirmed, Violation};
use beeline_search::{ExplorationOrder, FindingKind, SearchTarget};

pub(crate) use cost_adapter::CostAdapter;
pub(crate) use filter::filter_verdict;
pub(crate) use heuristics::{
    admissible_heuristic, greedy_heuristic, heuristic, towards_states, usual_heuristic,
};
pub(crate) use nearest::nearest_miss;
pub(crate) use reduction::{
    ActiveReduction, not_reduced, reducing, reducing_for_claim, reducing_for_plan,
    reducing_for_proof, reducing_lossy,
};
pub(crate) use search_store::{NO_ARRAY, not_started, search_store, share};

/// A search target in a system.
#[derive(Clone, Copy)]
pub(crate) struct Task<'a> {
    pub(crate) system: &'a dyn System,
    pub(crate) target: SearchTarget,
    /// Whether to continue after the first violation.
    pub(crate) all: bool,
}

impl<'a> Task<'a> {
    /// The state space.
    pub(crate) fn space(&self) -> &'a dyn Space {
        self.system.space()
    }

    /// Whether the system is a product with a claim.
    pub(crate) fn has_claim(&self) -> bool {
        self.system.product_claim().is_some()
    }

    /// The violation at the end of a path, replayed.
    pub(crate) fn witness(
        &self,
        path: &StatePath,
        found: FindingKind,
        bound: impl Fn(u64) -> u64,
    ) -> Result<Violation, Unconfirmed> {
        self.system.witness(path, found, &bound)
    }
}

/// A lower bound on the steps of any trail, after blind search in this order has found a path with
/// this number of transitions. Breadth-first search finds the fewest transitions, each of at least
/// one step. Other orders only exclude an error in the initial state, which they expand first.
pub(crate) fn blind_bound(order: ExplorationOrder, transitions: u64) -> u64 {
    match order {
        ExplorationOrder::Breadth => transitions,
        ExplorationOrder::Depth | ExplorationOrder::RandomDepth { .. } => transitions.min(1),
    }
}
