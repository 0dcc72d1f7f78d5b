//! Delete relaxation on single facts: a fact is a value of a factor, and a relaxed operator adds
//! facts where others hold.
//!
//! `relaxation` keeps sets of values and interprets expressions; here they are compiled to facts
//! once, which suits tasks of planning: thousands of operators with conjunctive conditions, and
//! costs other than 1. What is no conjunction of facts is relaxed further.
//!
//! | file | content |
//! |---|---|
//! | `fact_task.rs`, `compile.rs` | facts and relaxed operators of a factored system |
//! | `relevance.rs` | the relaxed operators on which the goal depends |
//! | `lists.rs` | lists of numbers, one after the other |
//! | `bucket_queue.rs` | facts by cost |
//! | `watched_max.rs` | h^max |
//! | `fact_costs.rs` | h^add and h^FF |
//! | `lmcut.rs` | landmark-cut |
//! | `landmarks.rs`, `landmark_count.rs` | landmarks that are facts, and how many are left |
//! | `task_rows.rs` | the heuristics of planning tasks, by name |

mod bucket_queue;
mod compile;
mod fact_costs;
mod fact_task;
mod landmark_count;
mod landmarks;
mod lists;
mod lmcut;
mod relevance;
mod task_rows;
mod watched_max;

pub use fact_costs::{FactCombination, FactCosts};
pub use fact_task::{FactTask, OperatorCosts};
pub use landmark_count::LandmarkCount;
pub use lmcut::LandmarkCut;
pub use task_rows::{
    FactoredTask, TASK_HEURISTICS, TaskHeuristicBuilder, TaskHeuristicRow, build_for_task,
};
pub use watched_max::WatchedMax;

use crate::request::HeuristicRow;

/// The heuristics of this module for models.
pub(crate) const ROWS: &[HeuristicRow] = &[lmcut::ROW, landmark_count::ROW];
