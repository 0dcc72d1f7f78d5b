//! Heuristics: estimates of the distance to the nearest error.
//!
//! A heuristic is built from the engine's `Machine` and a [`HeuristicGoal`], by its constructor or
//! by name through [`build`]; [`HEURISTICS`] lists all of them. Each states its claims
//! (admissible, consistent, safe), and `testkit/src/estimates.rs` tests them on hundreds of
//! small models against true distances.
//!
//! A distance counts steps: an atomic sequence counts one for each of its edges, a rendezvous is
//! one step of two processes, merged statements are one step.
//!
//! Modules, imports point upwards only:
//!
//! | module | holds |
//! |---|---|
//! | `request` | rows of the registry, and what they build a heuristic from |
//! | `incremental` | the decoded state, what differs in a successor, sums over processes and channels |
//! | `static_facts` | facts of process automata: blocking locations, distances, possible faults, ranges |
//! | `enabledness` | compiled tests whether a process can move |
//! | `combine` | sum, maximum, weight |
//! | `distance` | distances in process automata and between states |
//! | `formula` | distance of a formula from being true |
//! | `deadlock` | heuristics for deadlocks |
//! | [`relaxation`] | delete relaxation: h^max, h^add, h^FF |
//! | `facts` | delete relaxation on single facts: h^max, h^add, h^FF, landmark-cut |
//! | [`pattern`] | pattern databases |
//! | [`merge_and_shrink`] | merge-and-shrink abstractions |
//! | `goal_rows`, `registry` | the table of all heuristics |
//! | `view_rows` | the table of heuristics that need a factored view alone |
#![forbid(unsafe_code)]

mod combine;
mod deadlock;
mod distance;
mod enabledness;
mod error;
mod facts;
mod formula;
mod goal;
mod goal_rows;
mod incremental;
pub mod merge_and_shrink;
pub mod pattern;
mod registry;
pub mod relaxation;
mod request;
mod static_facts;
mod view_rows;

pub use beeline_kernel::{BoxedHeuristic, Files, NoFiles, Resources};
pub use combine::{Aggregation, Max, Sum, Weighted};
pub use deadlock::{
    Active, Active2000, DangerMeasure, Dangerous, DangerousQueues, DangerousStates,
    DeadlockFormula, FullQueues, JointDanger, LARGEST_GROUP, NonemptyQueues,
};
pub use distance::{
    AssertionDistance, ClaimDistance, FaultSites, Fsm, FsmState, Hamming, HammingUnit,
};
pub use error::BuildError;
pub use facts::{
    FactCombination, FactCosts, FactTask, FactoredTask, LandmarkCount, LandmarkCut, OperatorCosts,
    TASK_HEURISTICS, TaskHeuristicBuilder, TaskHeuristicRow, WatchedMax, build_for_task,
};
pub use formula::FormulaDistance;
pub use goal::{GoalKind, HeuristicGoal};
pub use registry::{HEURISTICS, build, build_with, find};
pub use request::{HeuristicBuilder, HeuristicRow, Request};
pub use view_rows::{VIEW_HEURISTICS, ViewHeuristicBuilder, ViewHeuristicRow, build_for_view};
