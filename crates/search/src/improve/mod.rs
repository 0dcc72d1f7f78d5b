//! Shorter ways to something that was found already.
//!
//! [`Neighbourhood`] looks around the path that is known, [`SegmentSearch`] shortens parts of
//! it; A\* towards the state at its end is [`BestFirst`](crate::BestFirst) with a heuristic
//! that knows that state. A [`Portfolio`] lets several of them take turns, each of which
//! hears what the others found. All of them are a [`Search`](crate::Search) that may be
//! stopped at any time with the best path so far.

mod goal_expander;
mod known_path;
mod neighbourhood;
mod portfolio;
mod segments;

pub(crate) use goal_expander::GoalExpander;
pub use known_path::KnownPath;
pub use neighbourhood::Neighbourhood;
pub use portfolio::Portfolio;
pub use segments::{GoalHeuristics, SegmentSearch};
