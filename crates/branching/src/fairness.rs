//! Fairness constraints: what fair paths do infinitely often.

use std::collections::BTreeSet;

use beeline_factored::Operator;
use beeline_model::BranchingProblem;
use beeline_symbolic::{Set, StepSet, SymbolicError};

use crate::kripke::KripkeStructure;

/// The paths that count.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FairnessRequest {
    /// All paths.
    #[default]
    None,
    /// Those on which each process that is enabled for ever moves infinitely often.
    WeakProcesses,
}

/// A constraint: infinitely often, the path is in one of the states or takes one of the steps.
#[derive(Debug)]
pub(crate) struct FairnessConstraint {
    pub(crate) states: Set,
    pub(crate) steps: Option<StepSet>,
    /// The process that takes the steps.
    pub(crate) process: Option<u32>,
}

/// The constraints of a problem: its own, and those of processes if requested.
pub(crate) fn constraints(
    structure: &mut KripkeStructure<'_>,
    problem: &BranchingProblem,
    request: FairnessRequest,
) -> Result<Vec<FairnessConstraint>, SymbolicError> {
    let all = structure.all().clone();
    let mut found = Vec::new();
    for condition in &problem.fairness {
        let states = structure.system.states_where(condition, &all)?;
        found.push(FairnessConstraint { states, steps: None, process: None });
    }
    if request == FairnessRequest::WeakProcesses {
        let steps = &problem.view.system.steps;
        let processes: BTreeSet<u32> = steps.iter().map(|step| step.label.process).collect();
        for process in processes {
            let is_own = |step: &Operator| step.label.process == process && !step.only_reports();
            let own = (0u32..).zip(steps).filter(|(_, step)| is_own(step));
            let own: Vec<u32> = own.map(|(at, _)| at).collect();
            let enabled = structure.system.enabled(&own, &all)?;
            let states = structure.not(&enabled)?;
            let steps = Some(structure.system.step_set(&own));
            found.push(FairnessConstraint { states, steps, process: Some(process) });
        }
    }
    Ok(found)
}
