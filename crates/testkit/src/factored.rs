//! The factored view over-approximates the machine: in every state of hundreds of models each move
//! is one of its steps, each error one of its goals, and each value in its range.

use std::collections::{HashMap, HashSet};
use std::fmt::Write as _;

use beeline_analysis::factored::{FactoredGoal, relaxed_view};
use beeline_engine::automata::AutomataOptions;
use beeline_engine::interpreter::{Machine, Move, Stepwise};
use beeline_factored::{
    ANY_PROCESS, Factor, FactorId, FactoredView, Interval, Operator, RangeScratch, Ranges,
};
use beeline_kernel::{FaultKind, Space};
use beeline_promela::hir::Model;

/// The limit of explored states for each model.
const MOST: usize = 1_000;

/// What was compared, so that a test that compares nothing is noticed.
#[derive(Debug, Default)]
pub struct Compared {
    /// Models with a factored view.
    pub models: usize,
    /// Models without one.
    pub without_view: usize,
    /// Moves of the machine.
    pub moves: usize,
    /// Those that fail.
    pub faults: usize,
    /// States without a move.
    pub deadlocks: usize,
    complaints: String,
}

/// A state in the view: an interval for each factor, and the reported factors.
struct Seen {
    ranges: Ranges,
    values: Vec<Vec<i32>>,
}

fn see(view: &FactoredView, state: &[u8]) -> Option<Seen> {
    let mut values = vec![Vec::new(); view.system.factors.len()];
    let fits = view.reading.read(state, &mut |factor: FactorId, value| {
        values[factor.index()].push(value);
    });
    if !fits {
        return None;
    }
    let interval = |(at, values): (usize, &Vec<i32>)| {
        let all = values.iter().map(|&value| Interval::one(value)).reduce(Interval::hull);
        all.unwrap_or(view.ranges.get(FactorId(at as u32)))
    };
    let intervals = values.iter().enumerate().map(interval).collect();
    Some(Seen { ranges: Ranges::given(&view.system, intervals), values })
}

/// Whether a step may lead from one state to the other.
fn leads(
    view: &FactoredView,
    step: &Operator,
    from: &Seen,
    to: &Seen,
    scratch: &mut RangeScratch,
) -> bool {
    let Some(outcome) = from.ranges.outcome(&step.actions, scratch) else { return false };
    let set: HashMap<FactorId, Interval> = outcome.iter().copied().collect();
    view.system.factors.iter().enumerate().all(|(at, factor)| {
        let id = FactorId(at as u32);
        if factor.is_summary {
            return true;
        }
        let [value] = to.values[at][..] else { return false };
        match set.get(&id) {
            Some(values) => values.contains(value),
            None => from.values[at] == to.values[at],
        }
    })
}

/// The changes, for messages.
fn explain(view: &FactoredView, from: &Seen, to: &Seen) -> String {
    let mut text = String::new();
    for (at, factor) in view.system.factors.iter().enumerate() {
        let (before, after) = (&from.values[at], &to.values[at]);
        if before != after {
            let _ = write!(text, " {} {before:?} {after:?}", factor.name);
        }
    }
    text
}

/// The possible steps of a move.
fn steps_of<'a>(
    by_edge: &'a HashMap<u32, Vec<&'a Operator>>,
    step: &Move,
) -> impl Iterator<Item = &'a &'a Operator> {
    let pid = step.pid as u32;
    let all = by_edge.get(&step.edge.0).map_or(&[][..], Vec::as_slice);
    all.iter().filter(move |one| one.label.process == pid || one.label.process == ANY_PROCESS)
}

/// Compares the moves of a machine with the steps of its factored view.
pub fn check(name: &str, model: &Model, options: AutomataOptions, compared: &mut Compared) {
    let machine = Machine::new(model, options);
    let Ok(start) = machine.initial() else { return };
    let (view, deadlock) = (
        relaxed_view(&machine, &FactoredGoal::Faults),
        relaxed_view(&machine, &FactoredGoal::Deadlock),
    );
    let (Ok(view), Ok(deadlock)) = (view, deadlock) else {
        compared.without_view += 1;
        return;
    };
    compared.models += 1;
    let mut by_edge: HashMap<u32, Vec<&Operator>> = HashMap::new();
    for step in &view.system.steps {
        by_edge.entry(step.label.edge).or_default().push(step);
    }
    let complaints = compared.complaints.len();
    let mut known = HashSet::from([start.bytes.clone()]);
    let mut states = vec![start.bytes];
    let mut at = 0;
    let stepwise = Stepwise(&machine);
    let mut expansion = beeline_kernel::Expansion::default();
    let mut scratch = RangeScratch::default();
    while at < states.len() && compared.complaints.len() == complaints {
        let state = states[at].clone();
        at += 1;
        let Some(seen) = see(&view, &state) else {
            let _ = writeln!(compared.complaints, "{name}: a state cannot be read");
            continue;
        };
        for (number, values) in seen.values.iter().enumerate() {
            let id = FactorId(number as u32);
            for &value in values {
                if !view.ranges.get(id).contains(value) {
                    let factor = &view.system.factor(id).name;
                    let _ = writeln!(compared.complaints, "{name}: {factor} is {value}");
                }
            }
        }
        stepwise.expand(&state, &mut expansion);
        if expansion.deadlock {
            compared.deadlocks += 1;
            let seen = see(&deadlock, &state).expect("it can be read");
            let goals = &deadlock.system.goals;
            let mut met = |conditions| seen.ranges.may_hold(conditions, &mut scratch);
            if !goals.iter().any(|goal| met(&goal.conditions)) {
                let _ = writeln!(compared.complaints, "{name}: no goal for a deadlock");
            }
        }
        let now = machine.decode(&state);
        let moves = machine.moves(&now).or_else(|released| machine.moves(&released));
        for step in moves.expect("nobody has control for ever").moves {
            compared.moves += 1;
            if let Some(fault) = step.fault {
                compared.faults += 1;
                let error = view.system.factors.len() - 1;
                let mut fails = |one: &&&Operator| {
                    let outcome = seen.ranges.outcome(&one.actions, &mut scratch);
                    outcome.is_some_and(|set| {
                        set.iter().any(|(id, value)| id.index() == error && value.may_be_true())
                    })
                };
                if !steps_of(&by_edge, &step).any(|one| fails(&one)) {
                    let _ = writeln!(
                        compared.complaints,
                        "{name}: {fault:?} of {} by {:?} is no step",
                        step.pid, step.edge
                    );
                }
                if !fault.is_survivable() || fault == FaultKind::Index {
                    continue;
                }
            }
            let next = &step.next.bytes;
            if states.len() < MOST && known.insert(next.clone()) {
                states.push(next.clone());
            }
            let Some(to) = see(&view, next) else {
                let _ = writeln!(compared.complaints, "{name}: a successor cannot be read");
                continue;
            };
            let stays = |(at, factor): (usize, &Factor)| {
                factor.is_summary || seen.values[at] == to.values[at]
            };
            // A process that leaves a summary instance changes no factor.
            if view.system.factors.iter().enumerate().all(stays) {
                continue;
            }
            if !steps_of(&by_edge, &step).any(|one| leads(&view, one, &seen, &to, &mut scratch)) {
                let _ = writeln!(
                    compared.complaints,
                    "{name}: the move of {} by {:?} to {:?} is no step: {}",
                    step.pid,
                    step.edge,
                    step.partner,
                    explain(&view, &seen, &to)
                );
            }
        }
    }
}

/// Prints what was compared.
///
/// # Panics
///
/// When something was not allowed.
pub fn conclude(compared: &Compared) {
    let Compared { models, without_view, moves, faults, deadlocks, complaints, .. } = compared;
    println!(
        "{models} models ({without_view} without a view), {moves} moves, {faults} faults, {deadlocks} deadlocks"
    );
    assert!(complaints.is_empty(), "\n{complaints}");
}
