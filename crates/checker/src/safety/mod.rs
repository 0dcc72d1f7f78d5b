//! Properties that single states and steps violate: deadlocks, faults, invariants.

mod directed;
mod exhaustive;
mod in_threads;
mod lossy;
mod violation_collector;

pub(crate) use directed::{COST_OF_CLAIM, directed_search};
pub(crate) use exhaustive::{announce, explore, without_finding};
pub(crate) use in_threads::{explore_in_threads, reduced_in_threads};
pub(crate) use lossy::{caching, check_lossy, not_for_claims, through_all};
