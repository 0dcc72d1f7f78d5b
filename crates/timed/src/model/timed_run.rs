//! The run of a path: time stamps for its steps, executed on single valuations.

use beeline_search::FindingKind;

use crate::network::TimedNetwork;
use crate::semantics::concrete::{ConcreteState, Mismatch, replay};
use crate::semantics::schedule::{RunGoal, Schedule, schedule};
use crate::semantics::symbolic::SymbolicEngine;
use crate::semantics::synchronisation::Part;

/// A run that was executed.
pub(super) struct TimedRun<'n> {
    pub(super) steps: Vec<Vec<Part>>,
    pub(super) schedule: Schedule,
    /// Before the first step, after each step, and at the end. A step that fails has no state.
    pub(super) states: Vec<ConcreteState<'n>>,
}

/// Time stamps for steps, and the run with them, executed on single valuations. The run ends with
/// the finding.
pub(super) fn execute<'n>(
    net: &'n TimedNetwork,
    engine: &SymbolicEngine<'n>,
    steps: Vec<Vec<Part>>,
    found: Option<FindingKind>,
) -> Result<TimedRun<'n>, String> {
    let goal = match found {
        Some(FindingKind::Invariant(number)) => {
            let goal = &engine.goals[number as usize];
            RunGoal::Condition(&goal.code, goal.holds)
        }
        Some(FindingKind::Fault(fault)) => RunGoal::Fault(fault),
        Some(FindingKind::Deadlock) | None => RunGoal::Anywhere,
    };
    let schedule = schedule(engine, &steps, goal).ok_or("no times fit the steps of the path")?;
    let is_fault = matches!(found, Some(FindingKind::Fault(_)));
    let states = match replay(net, &steps, &schedule) {
        Ok(mut states) => {
            if is_fault {
                return Err("the last step does not fail".to_owned());
            }
            if let RunGoal::Condition(code, holds) = goal {
                let last = states.last_mut().expect("a run has states");
                last.memory.begin(&[]);
                if last.holds(code) != Ok(holds) {
                    return Err("the run does not end as the path does".to_owned());
                }
            }
            states
        }
        Err((at, Mismatch::Fault(fault)))
            if at + 1 == steps.len() && found == Some(FindingKind::Fault(fault)) =>
        {
            let before = Schedule { end: schedule.times[at], ..schedule.clone() };
            replay(net, &steps[..at], &before).map_err(|(at, why)| told(at, why))?
        }
        Err((at, why)) => return Err(told(at, why)),
    };
    Ok(TimedRun { steps, schedule, states })
}

fn told(at: usize, why: Mismatch) -> String {
    format!("step {} cannot be taken: {why}", at + 1)
}
