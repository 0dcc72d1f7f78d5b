//! Search for shorter paths to a known error.
//!
//! [`Neighbourhood`] searches around the known path, [`SegmentSearch`] shortens parts of it; A\*
//! towards the state at its end is [`BestFirst`](crate::BestFirst) with a heuristic for that state.
//! A [`Portfolio`] runs several of them in turn, and shares each result with the others. All of
//! them are a [`PathImprover`](crate::PathImprover) that may be stopped at any time with the best
//! path so far.

mod goal_expander;
mod neighbourhood;
mod portfolio;
mod segments;

pub(crate) use goal_expander::GoalExpander;
pub use neighbourhood::Neighbourhood;
pub use portfolio::Portfolio;
pub use segments::{GoalHeuristics, SegmentSearch};
