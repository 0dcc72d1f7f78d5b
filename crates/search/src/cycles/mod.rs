//! Searches for accepting cycles: counterexamples of infinite length.
//!
//! The expansions of a [`Space`](beeline_kernel::Space) define which cycles accept. The result of
//! such a search is a [`Lasso`]: a stem, and a cycle at its end. [`NestedDfs`] and [`SccSearch`]
//! find any lasso, [`PersistenceSearch`] one with a cycle all of whose states accept,
//! [`DirectedLasso`] is guided by heuristics, [`ShortestLasso`] proves that there is no shorter
//! one, and [`LassoImprovement`] shortens a known one. [`search_cycles_in_parallel`] finds any lasso
//! in several threads.

mod close_cycle;
mod colours;
mod component_cycle;
mod components;
mod cycle_dfs;
mod dead_states;
mod degeneralized;
mod directed;
mod improve_lasso;
mod lasso;
mod length;
mod nested;
mod number_hash;
mod parallel;
mod persistence;
mod pivot_search;
mod pivots;
mod reached_graph;
mod roots;
mod seeds;
mod shortest;
mod stack;
mod tarjan;

use crate::search::Search;

pub use components::SccSearch;
pub use degeneralized::Degeneralized;
pub use directed::DirectedLasso;
pub use improve_lasso::LassoImprovement;
pub use lasso::Lasso;
pub use length::LassoLength;
pub use nested::{NestedDfs, Nesting};
pub use parallel::{CycleRule, CycleThreads, search_cycles_in_parallel};
pub use persistence::PersistenceSearch;
pub use shortest::ShortestLasso;

/// A search for an accepting cycle.
///
/// It searches for a [`SearchTarget`](crate::SearchTarget), too, and ends with the first result:
/// after [`Outcome::Found`](crate::Outcome::Found), there is either a lasso or a hit. When it is
/// complete, neither is reachable. [`LassoImprovement`], which starts with a lasso, has no target.
pub trait CycleSearch: Search {
    /// The lasso that was found.
    fn lasso(&self) -> Option<Lasso>;
}
