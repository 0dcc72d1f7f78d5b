//! Sets of states as list decision diagrams, and symbolic reachability of factored systems.
//!
//! Source: `[EMJ05]`, symbolic search.
#![forbid(unsafe_code)]

mod control;
mod group;
mod ldd;
mod limits;
mod local_operator;
mod macro_operator;
mod order;
mod partition;
mod reachability;
mod relation;
mod specialise;
mod states_where;
mod step;
mod system;
mod variant;

pub use control::ControlSets;
pub use ldd::{BigUint, Forest, LevelAccess, Set, Support, SupportLevel};
pub use limits::{DiagramLimits, Limit, SymbolicError};
pub use reachability::{Layers, ReachedStates, Statistics, SymbolicStrategy};
pub use system::SymbolicSystem;
