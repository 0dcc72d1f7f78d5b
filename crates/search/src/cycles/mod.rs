//! Searches for accepting cycles: counterexamples of infinite length.
//!
//! A [`Space`](beeline_kernel::Space) says with each expansion which cycles accept. The result of
//! such a search is a [`Lasso`]: a stem, and a cycle at its end. [`NestedDfs`] and [`SccSearch`]
//! find any, [`DirectedLasso`] is guided by heuristics, [`ShortestLasso`] proves that there is no
//! shorter one, and [`LassoImprovement`] shortens one that is known.

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
pub use shortest::ShortestLasso;

/// A search for an accepting cycle.
///
/// It looks for a [`SearchTarget`](crate::SearchTarget), too, and ends with whatever it meets first:
/// when it has [`Outcome::Found`](crate::Outcome::Found) something, there is either a lasso
/// or a hit. When it is complete, neither can be reached. [`LassoImprovement`], which has a lasso
/// from the beginning, looks for nothing else.
pub trait CycleSearch: Search {
    /// The cycle that was found, and the way to it.
    fn lasso(&self) -> Option<Lasso>;
}
