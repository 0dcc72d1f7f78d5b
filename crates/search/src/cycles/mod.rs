//! Searches for cycles that must not be: for what goes wrong by going on for ever.
//!
//! A [`Space`](beeline_kernel::Space) says with each expansion which cycles these are. What
//! such a search finds is a [`Lasso`]: a path, and a cycle behind it. [`Nested`] and
//! [`Components`] find any, [`DirectedLasso`] goes where one seems to be near,
//! [`ShortestLasso`] proves that there is no shorter one, and [`ShorterLasso`] shortens one
//! that is known.

mod barren;
mod colours;
mod components;
mod directed;
mod lasso;
mod length;
mod nested;
mod reached;
mod roots;
mod round;
mod seeds;
mod shorter;
mod shortest;
mod stack;
mod strong;
mod survey;
mod through;
mod tour;
mod unfolded;
mod walk;

use crate::search::Search;

pub use components::Components;
pub use directed::DirectedLasso;
pub use lasso::Lasso;
pub use length::Length;
pub use nested::{Nested, Nesting};
pub use shorter::ShorterLasso;
pub use shortest::ShortestLasso;
pub use unfolded::Unfolded;

/// A search for a cycle that must not be.
///
/// It looks for a [`Target`](crate::Target), too, and ends with whatever it meets first:
/// when it has [`Outcome::Found`](crate::Outcome::Found) something, there is either a lasso
/// or a hit. When it is complete, neither can be reached. [`ShorterLasso`], which has a lasso
/// from the beginning, looks for nothing else.
pub trait CycleSearch: Search {
    /// The cycle that was found, and the way to it.
    fn lasso(&self) -> Option<Lasso>;
}
