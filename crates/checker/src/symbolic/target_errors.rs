//! The errors of a search target, as sets of states.

use beeline_factored::{Deviation, FactorExpr};
use beeline_kernel::{FaultKind, Faults};
use beeline_model::SymbolicProblem;
use beeline_search::{Invariants, SearchTarget};
use beeline_symbolic::{
    Set, SymbolicError, SymbolicGoal, SymbolicSystem, applicable_condition, deadlock_condition,
};
use beeline_translation::FactoredError;

use crate::observe::TERMINAL_FAULTS;

/// The errors of a target in a factored system.
#[derive(Clone, Copy)]
pub(crate) struct TargetErrors<'p> {
    problem: &'p SymbolicProblem,
    kind: TargetKind<'p>,
}

#[derive(Clone, Copy)]
enum TargetKind<'p> {
    Deadlock,
    Faults(Faults),
    Invariant(&'p FactorExpr),
}

impl<'p> TargetErrors<'p> {
    /// `None` if the factored system does not show the errors of this target.
    pub(crate) fn new(
        problem: &'p SymbolicProblem,
        target: SearchTarget,
    ) -> Option<TargetErrors<'p>> {
        let faults = SearchTarget { faults: target.faults, ..SearchTarget::NOTHING };
        let kind = if target == SearchTarget::DEADLOCK {
            TargetKind::Deadlock
        } else if let Invariants::Only(number) = target.invariants
            && target == SearchTarget::invariant(number)
        {
            TargetKind::Invariant(problem.invariants.get(number as usize)?.as_ref()?)
        } else if target == faults && !target.faults.intersects(problem.unseen) {
            TargetKind::Faults(target.faults)
        } else {
            return None;
        };
        Some(TargetErrors { problem, kind })
    }

    /// Whether the factored system has all errors of this kind that the model has, if it deviates
    /// from the model by at most this and has no control.
    pub(crate) fn are_all_shown(self, deviation: Option<Deviation>) -> bool {
        match (deviation, self.kind) {
            (None | Some(Deviation::MoreEnds), _) => true,
            // With more steps, fewer states are without a step.
            (Some(Deviation::MoreSteps), kind) => !matches!(kind, TargetKind::Deadlock),
            (Some(Deviation::OtherSteps), _) => false,
        }
    }

    /// The goal of a search.
    pub(crate) fn goal(self) -> SymbolicGoal<'p> {
        match self.kind {
            TargetKind::Deadlock => SymbolicGoal::invalid_ends(),
            TargetKind::Faults(faults) => SymbolicGoal::faults(&self.problem.view.system, faults),
            TargetKind::Invariant(condition) => {
                SymbolicGoal::states(move |system: &mut SymbolicSystem<'_>, set: &Set| {
                    let holds = system.states_where(condition, set)?;
                    Ok(system.forest().difference(set, &holds)?)
                })
            }
        }
    }

    /// What makes a state an error.
    pub(crate) fn condition(self) -> FactorExpr {
        let system = &self.problem.view.system;
        match self.kind {
            TargetKind::Deadlock => deadlock_condition(system),
            TargetKind::Faults(faults) => applicable_condition(system, &system.failing(faults)),
            TargetKind::Invariant(condition) => condition.clone().negated(),
        }
    }

    /// The errors as goals of a planning task.
    pub(crate) fn as_goal_of_task(self) -> FactoredError {
        match self.kind {
            TargetKind::Deadlock => FactoredError::Deadlock,
            TargetKind::Faults(faults) => FactoredError::Faults(faults),
            TargetKind::Invariant(condition) => {
                FactoredError::Violation(condition.clone().negated())
            }
        }
    }

    /// Whether the error is a failing step after the state.
    pub(crate) fn is_step(self) -> bool {
        matches!(self.kind, TargetKind::Faults(_))
    }
}

/// A terminal fault that a step from one of these states has.
///
/// # Errors
///
/// When a limit is reached, or an operator has too many outcomes.
pub(crate) fn terminal_fault(
    symbolic: &mut SymbolicSystem<'_>,
    problem: &SymbolicProblem,
    states: &Set,
) -> Result<Option<FaultKind>, SymbolicError> {
    for kind in TERMINAL_FAULTS {
        let mut goal = SymbolicGoal::faults(&problem.view.system, Faults::of(&[kind]));
        if !goal.find(symbolic, states)?.is_empty() {
            return Ok(Some(kind));
        }
    }
    Ok(None)
}
