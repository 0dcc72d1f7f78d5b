//! Searches for cycles that must not be: for what goes wrong by going on for ever.
//!
//! A [`Space`](beeline_kernel::Space) says with each expansion which cycles these are. What
//! such a search finds is a [`Lasso`]: a path, and a cycle behind it. [`NestedDfs`] and
//! [`SccSearch`] find any, [`DirectedLasso`] goes where one seems to be near,
//! [`ShortestLasso`] proves that there is no shorter one, and [`LassoImprovement`] shortens one
//! that is known.

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

/// A search for a cycle that must not be.
///
/// It looks for a [`SearchTarget`](crate::SearchTarget), too, and ends with whatever it meets first:
/// when it has [`Outcome::Found`](crate::Outcome::Found) something, there is either a lasso
/// or a hit. When it is complete, neither can be reached. [`LassoImprovement`], which has a lasso
/// from the beginning, looks for nothing else.
pub trait CycleSearch: Search {
    /// The cycle that was found, and the way to it.
    fn lasso(&self) -> Option<Lasso>;
}
