//! Spaces of small tasks, for tests.

use std::sync::Arc;

use beeline_kernel::Deadline;

use crate::encode::encode;
use crate::ground::ground;
use crate::read::{PlanningText, read};
use crate::space::PlanningSpace;
use crate::task::NumberRange;

/// The space of a task whose numbers are 0, 1 and 2.
pub(crate) fn space(domain: &str, problem: &str) -> Arc<PlanningSpace> {
    let text = |name, text| PlanningText { name, text };
    let given = read(text("domain", domain), text("problem", problem));
    let messages: Vec<&str> = given.diagnostics.iter().map(|one| &*one.message).collect();
    let mut task = given.task.unwrap_or_else(|| panic!("{messages:?}\n{domain}"));
    task.range = NumberRange { least: 0, greatest: 2 };
    let ground = ground(&task, Deadline::NEVER, usize::MAX).expect("the task is small");
    Arc::new(PlanningSpace::new(encode(&ground, Deadline::NEVER)))
}
