//! Explicit enumeration of factored systems: the semantics that symbolic computations must have.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use beeline_factored::{Operator, System, successors};

/// The cost of each step, and that of an operator.
pub(crate) type Costs = (u64, fn(&Operator) -> u32);

/// Each step of the model costs 1.
pub(crate) const STEPS: Costs = (1, |_| 0);

/// Operators cost 0, 1 or 2.
pub(crate) const MIXED: Costs = (0, |operator| operator.label.edge % 3);

pub(crate) type State = Vec<i32>;

/// A state together with the process that holds control.
type Held = (Option<u32>, State);

/// The outcomes of an operator, whatever shuts it out.
fn outcomes(operator: &Operator, state: &State) -> BTreeSet<State> {
    let mut found = BTreeSet::new();
    successors(operator, state, &mut |after| found.extend([after.to_vec()])).expect("few outcomes");
    found
}

/// Whether an operator is applicable and not shut out.
pub(crate) fn is_applicable(system: &System, at: usize, state: &State) -> bool {
    let operator = &system.steps[at];
    let excluding = operator.shut_out_by.map_or(&[][..], |id| &system.shut_outs[id.0 as usize]);
    let is_excluding = |&other: &u32| !outcomes(&system.steps[other as usize], state).is_empty();
    !outcomes(operator, state).is_empty() && !excluding.iter().any(is_excluding)
}

/// The states after one operator, or after the loss of control.
fn after(system: &System, held: &Held) -> BTreeSet<Held> {
    let costed = costed_after(system, held, STEPS);
    costed.into_iter().filter_map(|(_, next)| next).collect()
}

/// The states after one operator, or after the loss of control, and the costs. `None` if the
/// operator fails.
fn costed_after(
    system: &System,
    (holder, state): &Held,
    (per_step, cost): Costs,
) -> BTreeSet<(u64, Option<Held>)> {
    let mut found = BTreeSet::new();
    let mut is_stuck = true;
    for (at, operator) in system.steps.iter().enumerate() {
        let may_move = holder.is_none_or(|process| process == operator.label.process);
        if !may_move || !is_applicable(system, at, state) {
            continue;
        }
        is_stuck = false;
        let cost = u64::from(cost(operator)) + if holder.is_none() { per_step } else { 0 };
        if operator.fails.is_some() {
            found.insert((cost, None));
        } else {
            let new = outcomes(operator, state).into_iter();
            found.extend(new.map(|new| (cost, Some((operator.holds, new)))));
        }
    }
    if is_stuck && holder.is_some() {
        found.insert((0, Some((None, state.clone()))));
    }
    found
}

/// The least costs from a state, by Dijkstra's algorithm.
pub(crate) struct LeastCosts {
    /// To states of the model: one step, or any number of steps.
    pub(crate) states: BTreeMap<State, u64>,
    /// To a failing step.
    pub(crate) failure: Option<u64>,
}

/// How far to go.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Reach {
    OneStep,
    AllSteps,
}

/// The least costs from a state.
pub(crate) fn least_costs(system: &System, from: &State, costs: Costs, reach: Reach) -> LeastCosts {
    let mut found = LeastCosts { states: BTreeMap::new(), failure: None };
    let mut done: BTreeSet<Held> = BTreeSet::new();
    // The first entry is the start, which a single step may lead back to.
    let mut waiting = BTreeSet::from([(0, 0, (None, from.clone()))]);
    while let Some((cost, steps, held)) = waiting.pop_first() {
        let is_start = steps == 0;
        if !is_start && !done.insert(held.clone()) {
            continue;
        }
        if held.0.is_none() && (!is_start || reach == Reach::AllSteps) {
            found.states.entry(held.1.clone()).or_insert(cost);
            if reach == Reach::OneStep {
                continue;
            }
        }
        for (more, next) in costed_after(system, &held, costs) {
            match next {
                Some(next) => {
                    waiting.insert((cost + more, 1, next));
                }
                None => {
                    let all = cost + more;
                    found.failure = Some(found.failure.map_or(all, |known| known.min(all)));
                }
            }
        }
    }
    found
}

/// The states after one step of the model.
pub(crate) fn image(system: &System, state: &State) -> BTreeSet<State> {
    let mut found = BTreeSet::new();
    let mut seen: BTreeSet<Held> = BTreeSet::new();
    let mut waiting = vec![(None, state.clone())];
    while let Some(one) = waiting.pop() {
        for new in after(system, &one) {
            if new.0.is_none() {
                found.insert(new.1);
            } else if seen.insert(new.clone()) {
                waiting.push(new);
            }
        }
    }
    found
}

/// All reachable states by holder.
pub(crate) fn reachable(system: &System) -> BTreeMap<Option<u32>, BTreeSet<State>> {
    let first = (None, system.initial.clone());
    let mut seen = BTreeSet::from([first.clone()]);
    let mut waiting = vec![first];
    while let Some(one) = waiting.pop() {
        let new = after(system, &one).into_iter().filter(|new| seen.insert(new.clone()));
        waiting.extend(new);
    }
    let mut found: BTreeMap<Option<u32>, BTreeSet<State>> = BTreeMap::new();
    for (holder, state) in seen {
        found.entry(holder).or_default().insert(state);
    }
    found
}

/// The number of steps to each reachable state of the model.
pub(crate) fn distances(system: &System) -> BTreeMap<State, usize> {
    let mut found = BTreeMap::from([(system.initial.clone(), 0)]);
    let mut waiting = VecDeque::from([system.initial.clone()]);
    while let Some(state) = waiting.pop_front() {
        let distance = found[&state] + 1;
        for new in image(system, &state) {
            if !found.contains_key(&new) {
                found.insert(new.clone(), distance);
                waiting.push_back(new);
            }
        }
    }
    found
}

/// Whether a state has no step, not even a failing one.
pub(crate) fn is_deadlock(system: &System, state: &State) -> bool {
    (0..system.steps.len()).all(|at| !is_applicable(system, at, state))
}
