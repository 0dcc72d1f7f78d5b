//! An explorer on digitised time, which shares no code with the zones: clocks are multiples of a
//! fraction, time passes by single fractions, and states are the plain values.
//!
//! With n clocks, a fraction of 1 / (n + 1) suffices for each region to have a point on every path,
//! since bounds are integers: strict ones, too. Clocks beyond the largest constant are cut off.

use std::collections::{HashSet, VecDeque};

use beeline_timed::model::TimedModel;
use beeline_timed::network::TimedNetwork;
use beeline_timed::network::code::Code;
use beeline_timed::network::traverse;
use beeline_timed::resolve::queries::QueryCode;
use beeline_timed::semantics::concrete::ConcreteState;
use beeline_timed::semantics::synchronisation::Part;

use crate::exploring::Answer;

/// The largest number in a model, as a bound of all constants.
fn largest(net: &TimedNetwork) -> i64 {
    let initial = net.variables.iter().map(|one| i64::from(one.initial.max(one.high.min(20))));
    let constants = net.constants.iter().map(|&one| i64::from(one));
    initial.chain(constants).chain([12]).filter(|&one| one < 100).max().unwrap_or(12)
}

/// Whether a condition compares a difference of clocks.
fn has_differences(model: &TimedModel) -> bool {
    let processes = model.network().processes.iter();
    let guards = processes.flat_map(|process| {
        let invariants = process.locations.iter().filter_map(|one| one.invariant.as_ref());
        process.edges.iter().filter_map(|edge| edge.guard.as_ref()).chain(invariants)
    });
    let queries = model.queries().iter().filter_map(|query| match &query.code {
        QueryCode::Possibly(code) | QueryCode::Invariantly(code) => Some(code),
        _ => None,
    });
    guards.chain(queries).any(traverse::has_differences)
}

/// The answers to the queries of a model.
///
/// # Panics
///
/// When there are more states than these.
pub(crate) fn digitised(model: &TimedModel, most: usize) -> Vec<Answer> {
    let net = model.network();
    let scale = net.clocks.len() as i64 + 1;
    let cut = (largest(net) + 1) * scale;
    let has_differences = has_differences(model);
    let mut goals: Vec<(usize, &Code, bool)> = Vec::new();
    let mut answers = Vec::new();
    for (at, query) in model.queries().iter().enumerate() {
        answers.push(match &query.code {
            QueryCode::Possibly(code) => {
                goals.push((at, code, true));
                Answer::No
            }
            QueryCode::Invariantly(code) => {
                goals.push((at, code, false));
                Answer::Yes
            }
            _ => Answer::Open,
        });
    }
    let mut known: HashSet<(Vec<u32>, Vec<i32>, Vec<i64>)> = HashSet::new();
    let mut open = VecDeque::new();
    let add = |state: ConcreteState<'_>, known: &mut HashSet<_>| {
        known.insert((
            state.memory.locations.clone(),
            state.memory.variables.clone(),
            state.clocks.clone(),
        ))
    };
    let first = ConcreteState::new(net, scale);
    add(first.clone(), &mut known);
    open.push_back(first);
    while let Some(state) = open.pop_front() {
        assert!(known.len() <= most, "the model is too large for digitised time");
        for &(at, code, holds) in &goals {
            let mut here = state.clone();
            here.memory.begin(&[]);
            if here.holds(code) == Ok(holds) {
                answers[at] = if holds { Answer::Yes } else { Answer::No };
            }
        }
        let mut next: Vec<ConcreteState<'_>> = Vec::new();
        let mut later = state.clone();
        if later.delay(1).is_ok() {
            // Where differences count, runs are cut off instead of clocks.
            if !has_differences {
                later.clocks[1..].iter_mut().for_each(|clock| *clock = (*clock).min(cut));
                next.push(later);
            } else if later.clocks.iter().all(|&clock| clock <= cut) {
                next.push(later);
            }
        }
        for step in candidates(net, &state) {
            let mut after = state.clone();
            if after.take(&step).is_ok() {
                next.push(after);
            }
        }
        for state in next {
            if add(state.clone(), &mut known) {
                open.push_back(state);
            }
        }
    }
    answers
}

/// All steps of one, two or more processes; whether they are possible is for the semantics to say.
fn candidates(net: &TimedNetwork, state: &ConcreteState<'_>) -> Vec<Vec<Part>> {
    let own = |process: usize| -> Vec<Part> {
        let location = state.memory.locations[process] as usize;
        let edges = net.processes[process].leaving[location].iter();
        edges
            .flat_map(|&edge| {
                let variants = net.processes[process].edges[edge as usize].variants();
                let process = process as u32;
                (0..variants).map(move |variant| Part { process, edge, variant })
            })
            .collect()
    };
    let all: Vec<Vec<Part>> = (0..net.processes.len()).map(own).collect();
    let mut steps = Vec::new();
    for (first, parts) in all.iter().enumerate() {
        for &part in parts {
            // Any choice of at most one edge of each other process, in order.
            let mut open = vec![vec![part]];
            for (other, its) in all.iter().enumerate() {
                if other == first {
                    continue;
                }
                let mut more = Vec::new();
                for step in &open {
                    for &one in its {
                        let mut step = step.clone();
                        step.push(one);
                        more.push(step);
                    }
                }
                open.extend(more);
            }
            steps.extend(open);
        }
    }
    steps
}
