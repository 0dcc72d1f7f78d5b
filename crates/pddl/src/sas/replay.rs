//! Execution of plans on the task as it is written. It shares no code with the encoding.

use super::sas_task::{SasFact, SasTask};
use crate::replay::{PlanFault, PlanStep, ReplayedPlan};

/// Executes a plan from the initial state. Operators with the same name are tried all: a plan is
/// valid if one of them leads to the goal each time, and costs what the cheapest choice costs.
///
/// # Errors
///
/// The first action that cannot be executed, or that the goal is not reached.
pub fn replay_sas(task: &SasTask, plan: &[PlanStep]) -> Result<ReplayedPlan, PlanFault> {
    let initial = task.variables.iter().map(|variable| variable.initial).collect();
    let mut states: Vec<(Vec<u32>, u64)> = vec![(derive(task, initial), 0)];
    for (at, step) in plan.iter().enumerate() {
        let name = step.to_string().trim_matches(['(', ')']).to_owned();
        let fault = |why: &str| PlanFault::Step {
            step: at + 1,
            action: step.to_string(),
            why: why.to_owned(),
        };
        let mut is_known = false;
        let mut next: Vec<(Vec<u32>, u64)> = Vec::new();
        for operator in task.operators.iter().filter(|one| one.name.eq_ignore_ascii_case(&name)) {
            is_known = true;
            for (state, cost) in &states {
                if !all_hold(&operator.conditions, state) {
                    continue;
                }
                let mut changed = state.clone();
                for effect in &operator.effects {
                    if all_hold(&effect.conditions, state) {
                        changed[effect.sets.variable] = effect.sets.value;
                    }
                }
                let reached = (derive(task, changed), cost + u64::from(operator.cost));
                match next.iter_mut().find(|one| one.0 == reached.0) {
                    Some(known) => known.1 = known.1.min(reached.1),
                    None => next.push(reached),
                }
            }
        }
        if !is_known {
            return Err(fault("there is no such action"));
        }
        if next.is_empty() {
            return Err(fault("its precondition does not hold"));
        }
        states = next;
    }
    let reached = states.iter().filter(|(state, _)| all_hold(&task.goal, state));
    let cost = reached.map(|one| one.1).min().ok_or(PlanFault::Goal)?;
    Ok(ReplayedPlan { cost: i64::try_from(cost).unwrap_or(i64::MAX), length: plan.len() })
}

fn all_hold(facts: &[SasFact], state: &[u32]) -> bool {
    facts.iter().all(|fact| state[fact.variable] == fact.value)
}

/// Sets derived variables, layer by layer, until no axiom applies.
fn derive(task: &SasTask, mut state: Vec<u32>) -> Vec<u32> {
    let layers = task.variables.iter().filter_map(|variable| variable.layer);
    let Some(last) = layers.max() else { return state };
    for (variable, value) in task.variables.iter().zip(&mut state) {
        if variable.layer.is_some() {
            *value = variable.initial;
        }
    }
    for layer in 0..=last {
        loop {
            let open = task.rules.iter().find(|rule| {
                task.variables[rule.sets.variable].layer == Some(layer)
                    && state[rule.sets.variable] != rule.sets.value
                    && all_hold(&rule.conditions, &state)
            });
            let Some(rule) = open else { break };
            state[rule.sets.variable] = rule.sets.value;
        }
    }
    state
}
