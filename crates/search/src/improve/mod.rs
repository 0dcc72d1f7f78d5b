//! Shorter ways to something that was found already.
//!
//! [`Neighbourhood`] looks around the path that is known, [`Segments`] shortens parts of
//! it; A\* towards the state at its end is [`BestFirst`](crate::BestFirst) with a heuristic
//! that knows that state. A [`Portfolio`] lets several of them take turns, each of which
//! hears what the others found. All of them are a [`Search`](crate::Search) that may be
//! stopped at any time with the best path so far.

mod neighbourhood;
mod portfolio;
mod route;
mod segments;
mod towards;

pub use neighbourhood::Neighbourhood;
pub use portfolio::Portfolio;
pub use route::Route;
pub use segments::{Compass, Segments};
pub(crate) use towards::Towards;
