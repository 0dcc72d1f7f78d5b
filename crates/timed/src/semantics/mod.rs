//! The semantics of networks: symbolic steps on zones, and the time stamps and the replay of
//! concrete runs.

pub mod active_clocks;
pub mod bounds;
pub mod cases;
mod comparisons;
pub mod concrete;
pub mod earliest;
mod event_edges;
pub mod goal;
pub mod lasso;
pub mod layout;
pub mod maximal_runs;
pub mod minimum_time;
mod possible_steps;
pub mod schedule;
pub mod symbolic;
pub mod synchronisation;
mod value_bounds;
