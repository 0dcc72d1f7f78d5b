//! Explicit enumeration of factored systems: the semantics that symbolic computations must have.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use beeline_factored::{Operator, System, successors};

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
fn after(system: &System, (holder, state): &Held) -> BTreeSet<Held> {
    let mut found = BTreeSet::new();
    let mut is_stuck = true;
    for (at, operator) in system.steps.iter().enumerate() {
        let may_move = holder.is_none_or(|process| process == operator.label.process);
        if !may_move || !is_applicable(system, at, state) {
            continue;
        }
        is_stuck = false;
        if !operator.is_fatal {
            let new = outcomes(operator, state).into_iter().map(|new| (operator.holds, new));
            found.extend(new);
        }
    }
    if is_stuck && holder.is_some() {
        found.insert((None, state.clone()));
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
