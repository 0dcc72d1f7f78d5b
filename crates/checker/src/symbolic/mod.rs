//! Sets of states: counting, searches, and what both need.

mod concrete_path;
mod count;
mod precision;
mod search;
mod target_errors;
mod watched;

pub(crate) use concrete_path::{concrete_path, concrete_states, not_a_path};
pub use count::{CountStop, SymbolicCount, SymbolicOptions, count_symbolically};
pub(crate) use precision::{proof_problem, refuse_inexact};
pub(crate) use search::check_on_sets;
pub(crate) use target_errors::{TargetErrors, terminal_fault};
pub(crate) use watched::{STACK, watched};
