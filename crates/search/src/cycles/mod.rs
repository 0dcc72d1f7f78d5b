//! Searches for cycles that must not be: for what goes wrong by going on for ever.
//!
//! A [`Space`](beeline_kernel::Space) says with each expansion which cycles these are. What
//! such a search finds is a [`Lasso`]: a path, and a cycle behind it.

mod colours;
mod components;
mod lasso;
mod nested;
mod roots;
mod stack;
mod tour;
mod unfolded;
mod walk;

use crate::search::Search;

pub use components::Components;
pub use lasso::Lasso;
pub use nested::{Nested, Nesting};
pub use unfolded::Unfolded;

/// A search for a cycle that must not be.
///
/// It looks for a [`Target`](crate::Target), too, and ends with whatever it meets first:
/// when it has [`Outcome::Found`](crate::Outcome::Found) something, there is either a lasso
/// or a hit. When it is complete, neither can be reached.
pub trait CycleSearch: Search {
    /// The cycle that was found, and the way to it.
    fn lasso(&self) -> Option<Lasso>;
}
