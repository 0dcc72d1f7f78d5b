//! An explorer on digitised time, which shares no code with the zones: clocks are multiples of a
//! fraction, time passes by single fractions, and states are the plain values.
//!
//! With n clocks, a fraction of 1 / (n + 1) suffices for each region to have a point on every path,
//! since bounds are integers: strict ones, too. Clocks beyond the largest constant are cut off. A
//! maximal run is a cycle of the digitised states, or ends in one without successors.

use std::collections::{HashMap, VecDeque};

use beeline_kernel::FaultKind;
use beeline_timed::model::TimedModel;
use beeline_timed::network::TimedNetwork;
use beeline_timed::network::code::Code;
use beeline_timed::network::traverse;
use beeline_timed::resolve::queries::{Query, QueryCode};
use beeline_timed::semantics::concrete::{ConcreteState, Mismatch};
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

/// Locations, variables and clocks.
type PlainState = (Vec<u32>, Vec<i32>, Vec<i64>);

/// The states of a model in digitised time, each with its successors.
struct Digitised<'n> {
    states: Vec<ConcreteState<'n>>,
    successors: Vec<Vec<u32>>,
    /// By state: whether the first of its successors is that after a unit of time.
    has_delay: Vec<bool>,
    /// The kinds of faults of steps.
    faults: Vec<FaultKind>,
}

impl<'n> Digitised<'n> {
    /// All reachable states, with so many units of time in 1.
    fn new(model: &'n TimedModel, most: usize, scale: i64) -> Digitised<'n> {
        let net = model.network();
        let cut = (largest(net) + 1) * scale;
        let has_differences = has_differences(model);
        let mut known: HashMap<PlainState, u32> = HashMap::new();
        let mut graph = Digitised {
            states: Vec::new(),
            successors: Vec::new(),
            has_delay: Vec::new(),
            faults: Vec::new(),
        };
        let mut number = |state: ConcreteState<'n>, states: &mut Vec<ConcreteState<'n>>| {
            let memory = &state.memory;
            let key = (memory.locations.clone(), memory.variables.clone(), state.clocks.clone());
            *known.entry(key).or_insert_with(|| {
                states.push(state);
                states.len() as u32 - 1
            })
        };
        number(ConcreteState::new(net, scale), &mut graph.states);
        while graph.successors.len() < graph.states.len() {
            assert!(graph.states.len() <= most, "the model is too large for digitised time");
            let state = graph.states[graph.successors.len()].clone();
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
            graph.has_delay.push(!next.is_empty());
            for step in candidates(net, &state) {
                let mut after = state.clone();
                match after.take(&step) {
                    Ok(()) => next.push(after),
                    Err(Mismatch::Fault(fault)) if !graph.faults.contains(&fault.kind) => {
                        graph.faults.push(fault.kind);
                    }
                    Err(_) => {}
                }
            }
            let next = next.into_iter().map(|state| number(state, &mut graph.states));
            let next = next.collect();
            graph.successors.push(next);
        }
        graph
    }

    /// The states in which a condition has a truth value.
    fn those(&self, code: &Code, truth: bool) -> Vec<bool> {
        self.states.iter().map(|state| state.clone().is(code, truth)).collect()
    }

    /// The states from which a maximal run stays among some states: the greatest set of them in
    /// which each has a successor in the set, or none at all.
    fn staying(&self, mut among: Vec<bool>) -> Vec<bool> {
        let mut predecessors = vec![Vec::new(); self.states.len()];
        let mut left = vec![0; self.states.len()];
        for (from, next) in self.successors.iter().enumerate() {
            for &to in next {
                predecessors[to as usize].push(from);
                left[from] += usize::from(among[to as usize]);
            }
        }
        let is_out =
            |state: usize, left: &[usize]| left[state] == 0 && !self.successors[state].is_empty();
        let mut open: Vec<usize> = (0..among.len()).filter(|&one| !among[one]).collect();
        let stuck = (0..among.len()).filter(|&one| among[one] && is_out(one, &left));
        open.extend(stuck.collect::<Vec<_>>());
        let mut is_closed = vec![false; among.len()];
        while let Some(state) = open.pop() {
            if std::mem::replace(&mut is_closed[state], true) {
                continue;
            }
            let was_in = std::mem::replace(&mut among[state], false);
            for &before in &predecessors[state] {
                left[before] -= usize::from(was_in);
                if among[before] && is_out(before, &left) {
                    open.push(before);
                }
            }
        }
        among
    }
}

/// The answers to the queries of a model.
///
/// # Panics
///
/// When there are more states than these.
pub(crate) fn digitised(model: &TimedModel, most: usize) -> Vec<Answer> {
    let graph = Digitised::new(model, most, model.network().clocks.len() as i64 + 1);
    let of = |is_true: bool| if is_true { Answer::Yes } else { Answer::No };
    let is_one = |states: Vec<bool>| states.contains(&true);
    let answer = |query: &Query| match &query.code {
        QueryCode::Possibly(code) => of(is_one(graph.those(code, true))),
        QueryCode::Invariantly(code) => of(!is_one(graph.those(code, false))),
        QueryCode::PotentiallyAlways(code) => of(graph.staying(graph.those(code, true))[0]),
        QueryCode::Eventually(code) => of(!graph.staying(graph.those(code, false))[0]),
        QueryCode::LeadsTo(code, then) => {
            let begin = graph.those(code, true);
            let mut staying = graph.staying(graph.those(then, false)).into_iter().zip(begin);
            of(!staying.any(|(stays, begins)| stays && begins))
        }
        QueryCode::Refused(_) => Answer::Open,
    };
    model.queries().iter().map(answer).collect()
}

/// The kinds of faults of steps.
pub(crate) fn faults(model: &TimedModel, most: usize) -> Vec<FaultKind> {
    Digitised::new(model, most, model.network().clocks.len() as i64 + 1).faults
}

/// The units of time after which a condition can hold at the earliest, and those in 1.
pub(crate) fn earliest(model: &TimedModel, most: usize, code: &Code) -> (Option<i64>, i64) {
    // The time since the start is one more clock.
    let scale = model.network().clocks.len() as i64 + 2;
    let graph = Digitised::new(model, most, scale);
    let met = graph.those(code, true);
    let mut times = vec![None; met.len()];
    // Steps take no time, so that they come first.
    let mut open = VecDeque::from([(0_u32, 0_i64)]);
    while let Some((state, time)) = open.pop_front() {
        let state = state as usize;
        if times[state].is_some() {
            continue;
        }
        times[state] = Some(time);
        if met[state] {
            return (Some(time), scale);
        }
        for (at, &to) in graph.successors[state].iter().enumerate() {
            match at == 0 && graph.has_delay[state] {
                true => open.push_back((to, time + 1)),
                false => open.push_front((to, time)),
            }
        }
    }
    (None, scale)
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
