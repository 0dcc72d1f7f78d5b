//! The steps that are possible from a single valuation, each after the shortest delay.

use beeline_kernel::Fault;

use super::cases::Case;
use super::concrete::{ConcreteState, Mismatch};
use super::possible_steps::StepGuard;
use super::symbolic::{SymbolicEngine, before};
use super::synchronisation::Part;
use crate::network::memory::Memory;
use crate::zones::Constraint;
use crate::zones::bound::{constant, is_strict};

/// A step with the delay before it, in units of its state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DelayedStep {
    /// The delay.
    pub delay: i64,
    /// The edges.
    pub step: Vec<Part>,
}

/// Units of time are made smaller until there are so many in 1.
const MOST_UNITS: i64 = 1_000_000;

/// The possible steps. If bounds are strict, one that is possible may need smaller units of time: the
/// state gets them if there is no step otherwise.
pub fn earliest_steps(
    engine: &SymbolicEngine<'_>,
    state: &mut ConcreteState<'_>,
) -> Vec<DelayedStep> {
    loop {
        let found = steps_in_units(engine, state);
        if !found.is_empty() || state.scale >= MOST_UNITS || !state.has_step_later() {
            return found;
        }
        state.scale *= 10;
        state.clocks.iter_mut().for_each(|clock| *clock *= 10);
    }
}

fn steps_in_units(engine: &SymbolicEngine<'_>, state: &ConcreteState<'_>) -> Vec<DelayedStep> {
    let mut memory = Memory::new(engine.net);
    memory.variables.clone_from(&state.memory.variables);
    memory.locations.clone_from(&state.memory.locations);
    let Ok(Some(invariants)) = engine.invariants(&mut memory) else { return Vec::new() };
    let may_delay = engine.may_delay(&mut memory);
    let mut candidates: Vec<(Vec<Part>, Vec<Case>)> = Vec::new();
    engine.possible.all(&mut memory, &mut |_, step, guard| {
        // A step that fails is one, too.
        let (StepGuard::Holds(cases) | StepGuard::Fails(cases, _)) = guard;
        candidates.push((step.to_vec(), cases.list()));
    });
    let mut found: Vec<DelayedStep> = Vec::new();
    for (step, cases) in candidates {
        memory.variables.clone_from(&state.memory.variables);
        memory.locations.clone_from(&state.memory.locations);
        let target = match engine.execute(&mut memory, &step) {
            Err(Fault { .. }) => Some(Vec::new()),
            Ok(()) => {
                let resets = memory.resets.clone();
                let target = engine.invariants(&mut memory).ok().flatten();
                target.map(|target| before(&target, &resets))
            }
        };
        let Some(target) = target else { continue };
        let delays = cases.iter().filter_map(|case| {
            let all = case.constraints.iter().chain(&invariants).chain(&target);
            earliest(state, all, may_delay)
        });
        let Some(delay) = delays.min() else { continue };
        let mut after = state.clone();
        let is_possible = after.delay(delay).is_ok()
            && matches!(after.take(&step), Ok(()) | Err(Mismatch::Fault(_)));
        if is_possible && !found.iter().any(|other| other.step == step) {
            found.push(DelayedStep { delay, step });
        }
    }
    found
}

/// The shortest delay after which all constraints hold.
fn earliest<'c>(
    state: &ConcreteState<'_>,
    constraints: impl Iterator<Item = &'c Constraint>,
    may_delay: bool,
) -> Option<i64> {
    let (mut low, mut high) = (0, if may_delay { i64::MAX } else { 0 });
    for one in constraints {
        let difference = state.clocks[one.plus] - state.clocks[one.minus];
        let most = i64::from(constant(one.bound)) * state.scale - i64::from(is_strict(one.bound));
        match (one.plus, one.minus) {
            (0, 0) => {}
            (_, 0) => high = high.min(most - difference),
            (0, _) => low = low.max(difference - most),
            _ if difference <= most => {}
            _ => return None,
        }
    }
    (low <= high).then_some(low)
}
