//! Heuristics for deadlocks: active processes, queues, dangerous locations.

pub(crate) mod active;
pub(crate) mod active_2000;
pub(crate) mod danger;
pub(crate) mod dangerous;
pub(crate) mod dangerous_queues;
pub(crate) mod dangerous_states;
pub(crate) mod deadlock_formula;
pub(crate) mod full_queues;
pub(crate) mod joint_danger;
pub(crate) mod nonempty_queues;

use crate::request::HeuristicRow;

pub use active::Active;
pub use active_2000::Active2000;
pub use danger::DangerMeasure;
pub use dangerous::Dangerous;
pub use dangerous_queues::DangerousQueues;
pub use dangerous_states::DangerousStates;
pub use deadlock_formula::DeadlockFormula;
pub use full_queues::FullQueues;
pub use joint_danger::{JointDanger, LARGEST_GROUP};
pub use nonempty_queues::NonemptyQueues;

/// The heuristics of this module.
pub(crate) const ROWS: &[HeuristicRow] = &[
    nonempty_queues::ROW,
    full_queues::ROW,
    active::ROW,
    active_2000::ROW,
    dangerous_states::ROW,
    dangerous_queues::ROW,
    dangerous::ROW,
    joint_danger::STATES_ROW,
    joint_danger::QUEUES_ROW,
    joint_danger::ROW,
    deadlock_formula::ROW,
];
