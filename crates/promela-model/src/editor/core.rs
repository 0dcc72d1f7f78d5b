//! The causal core of a trail: the steps without which the error does not happen.
//!
//! Source: ours, after action elimination. A step belongs to the core if the rest of the trail,
//! without this step and the steps that it enables, does not lead to such an error.

use beeline_kernel::{Deadline, Trail};
use beeline_model::same_error;
use beeline_promela::hir::Model;
use beeline_search::SearchTarget;

use super::given_trail::follow_steps;
use super::machine_of;
use super::steps::Executor;
use crate::semantics::SemanticsOptions;

/// Steps to try at most: a fraction of a second.
const STEP_LIMIT: usize = 100_000;

/// For each step of a trail, whether it belongs to the causal core. `None` when the step limit is
/// exceeded, or there is no error.
pub(crate) fn causal_core(
    model: &Model,
    trail: &Trail,
    semantics: SemanticsOptions,
    deadline: Deadline,
) -> Option<Vec<bool>> {
    if trail.claim.is_some() || trail.cycle_start.is_some() || trail.lines.len() > STEP_LIMIT / 4 {
        return None;
    }
    let machine = machine_of(model, trail, semantics);
    let recorded = follow_steps(&machine, trail, SearchTarget::ANYTHING).ok()??;
    let mut now = machine.initial().ok()?;
    let groups = recorded.groups();
    let target = same_error(recorded.given.found);
    let mut executor = Executor { deadline, ..Executor::new(&machine, target, STEP_LIMIT) };
    let mut needed = Vec::new();
    for (at, group) in groups.iter().enumerate() {
        let is_needed = executor.attempt(&now, &groups[at + 1..]).is_none();
        needed.extend(group.iter().map(|_| is_needed));
        now = executor.execute(&now, group)?.0;
    }
    // Steps behind the error, if there are any, change nothing.
    needed.resize(recorded.steps.len(), false);
    executor.is_patient().then_some(needed)
}
