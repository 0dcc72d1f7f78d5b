//! Factored systems that are not exact: they have states and steps that the model lacks, or the
//! model exceeds their bounds.

use std::sync::Arc;

use beeline_factored::{Deviation, System};
use beeline_kernel::{FaultKind, Faults};
use beeline_model::{SymbolicProblem, Unsupported};
use beeline_symbolic::{Set, SymbolicError, SymbolicGoal, SymbolicSystem};

/// Refuses a system that is not exact.
///
/// # Errors
///
/// When it is not, with the reasons; `subject` is what needs an exact one.
pub(crate) fn refuse_inexact(system: &System, subject: &str) -> Result<(), Unsupported> {
    if system.precision.is_exact() {
        return Ok(());
    }
    let reasons: Vec<&str> = system.precision.reasons().collect();
    Err(Unsupported::new(format!(
        "{subject} need an exact symbolic view of the model, which has {}",
        reasons.join(", ")
    )))
}

/// What the model has beyond the bounds of a system, if a step from one of these states, all that
/// are reachable, shows that it has more.
///
/// # Errors
///
/// When a limit is reached, or an operator has too many outcomes.
pub(crate) fn excess<'s>(
    symbolic: &mut SymbolicSystem<'_>,
    system: &'s System,
    reached: &Set,
) -> Result<Option<&'s str>, SymbolicError> {
    let Some(excess) = &system.excess else { return Ok(None) };
    let mut beyond = SymbolicGoal::faults(system, Faults::of(&[FaultKind::Limit]));
    Ok((!beyond.find(symbolic, reached)?.is_empty()).then_some(excess))
}

/// The refusal of a model that exceeds the bounds of its system.
pub(crate) fn refuse_excess(excess: &str, subject: &str) -> Unsupported {
    Unsupported::new(format!(
        "{subject} need an exact symbolic view of the model, which has {excess}: raise the bound \
         with --instances"
    ))
}

/// The problem in which an absent error is absent from the model, too, and how much its system
/// deviates from the model. `None` if the system may lack states of the model.
pub(crate) fn proof_problem(
    mut problem: SymbolicProblem,
) -> Option<(SymbolicProblem, Option<Deviation>)> {
    let deviation = problem.view.system.precision.deviation();
    if deviation == Some(Deviation::OtherSteps) {
        return None;
    }
    if deviation.is_some() {
        problem.view.system = Arc::new(problem.view.system.without_control());
    }
    Some((problem, deviation))
}
