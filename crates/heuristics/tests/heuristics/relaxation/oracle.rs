//! The truth about small systems: distances between states, and relaxed states computed by
//! enumerating their states.

use std::collections::{BTreeMap, BTreeSet, HashMap, VecDeque};

use beeline_factored::{FactorId, Instruction, Operator, System, holds, successors};

/// The reachable states, with their distances to a goal.
pub(crate) struct Graph {
    pub(crate) states: Vec<Vec<i32>>,
    /// Source, target and cost.
    pub(crate) edges: Vec<(usize, usize, u32)>,
    pub(crate) distances: Vec<Option<u32>>,
}

/// The state space; none if it has more states than `most`.
pub(crate) fn graph(system: &System, most: usize) -> Option<Graph> {
    let mut numbers = HashMap::from([(system.initial.clone(), 0)]);
    let mut states = vec![system.initial.clone()];
    let mut edges = Vec::new();
    let mut at = 0;
    while at < states.len() {
        if states.len() > most {
            return None;
        }
        for step in &system.steps {
            let state = states[at].clone();
            let told = successors(step, &state, &mut |next| {
                let to = *numbers.entry(next.to_vec()).or_insert_with(|| {
                    states.push(next.to_vec());
                    states.len() - 1
                });
                edges.push((at, to, step.cost));
            });
            told.expect("small steps");
        }
        at += 1;
    }
    let mut distances: Vec<Option<u32>> =
        states.iter().map(|state| is_goal(system, state).then_some(0)).collect();
    // Costs are 0 or 1, and the graph is small.
    loop {
        let mut changed = false;
        for &(from, to, cost) in &edges {
            let Some(there) = distances[to] else { continue };
            if distances[from].is_none_or(|known| known > there + cost) {
                distances[from] = Some(there + cost);
                changed = true;
            }
        }
        if !changed {
            return Some(Graph { states, edges, distances });
        }
    }
}

pub(crate) fn is_goal(system: &System, state: &[i32]) -> bool {
    system.goals.iter().any(|goal| holds(goal, state).expect("small goals"))
}

/// The distance of the initial state to a goal, where every step costs 1.
pub(crate) fn distance(system: &System) -> u32 {
    let mut seen = BTreeSet::from([system.initial.clone()]);
    let mut waiting = VecDeque::from([(system.initial.clone(), 0)]);
    while let Some((state, far)) = waiting.pop_front() {
        if is_goal(system, &state) {
            return far;
        }
        for step in &system.steps {
            let told = successors(step, &state, &mut |next| {
                if seen.insert(next.to_vec()) {
                    waiting.push_back((next.to_vec(), far + 1));
                }
            });
            told.expect("small steps");
        }
    }
    panic!("no goal is reachable");
}

/// A set of values for each factor.
pub(crate) type Sets = Vec<BTreeSet<i32>>;

pub(crate) fn relax(state: &[i32]) -> Sets {
    state.iter().map(|&value| BTreeSet::from([value])).collect()
}

/// Calls `visit` on states of a relaxed state, one for each combination of values of the factors
/// `looked_at`; false if there are too many.
fn each_state(sets: &Sets, looked_at: &BTreeSet<FactorId>, visit: &mut impl FnMut(&[i32])) -> bool {
    const MOST: usize = 3000;
    let sizes = looked_at.iter().map(|factor| sets[factor.index()].len());
    if sizes.product::<usize>() > MOST {
        return false;
    }
    let any = sets.iter().map(|set| *set.first().expect("every factor has a value")).collect();
    let mut states: Vec<Vec<i32>> = vec![any];
    for factor in looked_at {
        let with = |state: &Vec<i32>, value: i32| {
            let mut state = state.clone();
            state[factor.index()] = value;
            state
        };
        let values = &sets[factor.index()];
        let more = states.iter().flat_map(|state| values.iter().map(move |&one| with(state, one)));
        states = more.collect();
    }
    states.iter().for_each(|state| visit(state));
    true
}

/// The relaxed state after a step: the union over all states of the relaxed state.
fn taken(step: &Operator, sets: &Sets) -> Option<Sets> {
    let mut looked_at = BTreeSet::new();
    step.exprs(|expr| expr.factors(&mut |factor| looked_at.extend([factor])));
    for action in &step.actions {
        if let Instruction::Set(all) = action {
            // The elements of an array that are not assigned keep their values.
            looked_at.extend(all.iter().flat_map(|one| one.place.factors()));
        }
    }
    let mut after = sets.clone();
    let mut is_told = true;
    let is_small = each_state(sets, &looked_at, &mut |state| {
        let told = successors(step, state, &mut |next| {
            for &factor in &looked_at {
                after[factor.index()].insert(next[factor.index()]);
            }
        });
        is_told &= told.is_ok();
    });
    (is_small && is_told).then_some(after)
}

fn has_goal(system: &System, sets: &Sets) -> Option<bool> {
    for goal in &system.goals {
        let mut looked_at = BTreeSet::new();
        for condition in &goal.conditions {
            condition.factors(&mut |factor| looked_at.extend([factor]));
        }
        let (mut found, mut is_told) = (false, true);
        let is_small = each_state(sets, &looked_at, &mut |state| match holds(goal, state) {
            Ok(holds) => found |= holds,
            Err(_) => is_told = false,
        });
        if found {
            return Some(true);
        }
        if !is_small || !is_told {
            return None;
        }
    }
    Some(false)
}

/// h+: the cost of the cheapest relaxed plan. `None` when the limit is exceeded, `Some(None)` when
/// there is no plan.
pub(crate) fn h_plus(system: &System, state: &[i32]) -> Option<Option<u32>> {
    h_plus_within(400, system, state)
}

/// h+ with at most `most` relaxed states.
pub(crate) fn h_plus_within(most: usize, system: &System, state: &[i32]) -> Option<Option<u32>> {
    let mut best = BTreeMap::from([(relax(state), 0)]);
    let mut waiting = VecDeque::from([(relax(state), 0)]);
    while let Some((sets, far)) = waiting.pop_front() {
        if best[&sets] < far {
            continue;
        }
        if has_goal(system, &sets)? {
            return Some(Some(far));
        }
        for step in &system.steps {
            let next = taken(step, &sets)?;
            let cost = far + step.cost;
            if best.get(&next).is_none_or(|&known| known > cost) {
                best.insert(next.clone(), cost);
                if best.len() > most {
                    return None;
                }
                match step.cost {
                    0 => waiting.push_front((next, cost)),
                    _ => waiting.push_back((next, cost)),
                }
            }
        }
    }
    Some(None)
}

/// The first layer with a goal; a layer has the results of all steps in the previous one.
pub(crate) fn layers(system: &System, state: &[i32]) -> Option<Option<u32>> {
    let mut sets = relax(state);
    let join = |sets: &Sets, cost: u32| {
        let mut all = sets.clone();
        for step in system.steps.iter().filter(|step| step.cost == cost) {
            for (set, more) in all.iter_mut().zip(taken(step, sets)?) {
                set.extend(more);
            }
        }
        Some(all)
    };
    for layer in 0.. {
        loop {
            let more = join(&sets, 0)?;
            if more == sets {
                break;
            }
            sets = more;
        }
        if has_goal(system, &sets)? {
            return Some(Some(layer));
        }
        let more = join(&sets, 1)?;
        if more == sets {
            return Some(None);
        }
        sets = more;
    }
    unreachable!("sets cannot grow for ever")
}
