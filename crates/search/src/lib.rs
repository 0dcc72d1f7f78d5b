//! Search algorithms and stores. Nothing here knows Promela.
//!
//! An [`Exploration`] walks through a [`Space`](beeline_kernel::Space), storing
//! each state once in a [`StateStore`]. Which state comes next is the only
//! difference between its [`Order`]s.
#![deny(unsafe_code)]

mod explore;
mod finding;
mod frontier;
mod limits;
mod rng;
mod stats;
pub mod store;
mod tree;

pub use explore::{Exploration, Options};
pub use finding::{Finding, FindingKind, Until};
pub use frontier::Order;
pub use limits::{Budget, Limits, Outcome, Progress};
pub use stats::Stats;
pub use store::{Ahead, Ceiling, CompactStore, ExactStore, Inserted, StateStore};
