//! A task: an error to be found in a system, with its heuristics, its reduction and the searches
//! that can be started for it.

mod cost_adapter;
mod filter;
mod heuristics;
mod nearest;
mod reduction;
mod search_store;

use beeline_kernel::Space;
use beeline_model::{System, Unconfirmed, Violation};
use beeline_search::{ExplorationOrder, FindingKind, SearchTarget};

pub(crate) use cost_adapter::CostAdapter;
pub(crate) use filter::filter_verdict;
pub(crate) use heuristics::{
    admissible_heuristic, greedy_heuristic, heuristic, towards_states, usual_heuristic,
};
pub(crate) use nearest::nearest_miss;
pub(crate) use reduction::{
    ActiveReduction, not_reduced, reducing, reducing_for_claim, reducing_for_proof, reducing_lossy,
};
pub(crate) use search_store::{not_started, search_store, share};

/// An error to be found in a system.
#[derive(Clone, Copy)]
pub(crate) struct Task<'a> {
    pub(crate) system: &'a dyn System,
    pub(crate) target: SearchTarget,
    /// Whether to go on after the first violation.
    pub(crate) all: bool,
}

impl<'a> Task<'a> {
    /// The states.
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
        path: &[Vec<u8>],
        found: FindingKind,
        bound: impl Fn(u64) -> u64,
    ) -> Result<Violation, Unconfirmed> {
        self.system.witness(path, found, &bound)
    }
}

/// The least number of steps of any trail, where blind search in this order found one with this
/// number of transitions between stored states. Breadth-first search finds the fewest transitions,
/// each of which is at least one step. Other orders only know that the initial state is fine: it
/// has been expanded before the others.
pub(crate) fn blind_bound(order: ExplorationOrder, transitions: u64) -> u64 {
    match order {
        ExplorationOrder::Breadth => transitions,
        ExplorationOrder::Depth | ExplorationOrder::RandomDepth { .. } => transitions.min(1),
    }
}
