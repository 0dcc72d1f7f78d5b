//! Value ranges: an interval for each variable that contains all values the variable can have.
//!
//! An interval analysis by abstract interpretation \[CC77\], one process type at a time: locals are
//! followed along the automaton, with guards as refinements and with widening at the constants of
//! the model; what several processes share (globals, fields of structures, messages, parameters)
//! has one interval for all times. A global that only one process ever writes counts as a local of
//! that process.
//!
//! The ranges hold in all runs up to the first run-time error.

mod environment;
mod expressions;
mod fixpoint;
mod instance_bounds;
mod ranges;
mod refine;
mod shared;
#[cfg(test)]
mod tests;
mod thresholds;
mod transfer;
mod truncation;

pub use instance_bounds::InstanceBounds;
pub use ranges::{Scope, ValueRanges};
