//! Sleep sets are sound: a process that is independent of a step has the same transitions before
//! and after it, and both orders reach the same state. An exploration with sleep sets has the
//! counts and findings of one without them, in the same order.

use std::collections::HashSet;

use beeline_engine::automata::AutomataOptions;
use beeline_engine::interpreter::Machine;
use beeline_jit::NativeSpace;
use beeline_kernel::{Expander, Expansion, SleepSet, Space, StepLabel};
use beeline_promela::hir::Model;
use beeline_search::{self as search, Exploration, ExplorationOrder, Finding, SliceBudget, Stats};

/// The targets of the transitions of a process, each with its label and its length.
fn ways_of(expansion: &Expansion, process: u32) -> Vec<(StepLabel, u32, Vec<u8>)> {
    let ways = expansion.successors.transitions().iter().zip(expansion.states());
    let own = ways.filter(|(way, _)| way.label.process == process);
    own.map(|(way, state)| (way.label, way.steps, state.to_vec())).collect()
}

/// What was looked at.
#[derive(Debug, Default)]
pub struct Seen {
    /// Pairs of steps.
    pub asked: usize,
    /// Those that are independent.
    pub undisturbed: usize,
    /// Steps that sleep sets left out.
    pub slept: u64,
}

impl Seen {
    /// Adds what was looked at elsewhere.
    pub fn add(&mut self, other: &Seen) {
        self.asked += other.asked;
        self.undisturbed += other.undisturbed;
        self.slept += other.slept;
    }
}

/// Queries each pair of steps of two processes in some states, and checks the results.
fn check_answers(name: &str, native: &NativeSpace<'_, '_>, most: usize) -> Seen {
    let mut seen = Seen::default();
    let mut state = Vec::new();
    if native.initial(&mut state).is_err() {
        return seen;
    }
    let mut expander = native.expander();
    let expand = |expander: &mut Box<dyn Expander + '_>, state: &[u8]| {
        let mut expansion = Expansion::default();
        expander.expand(state, &mut expansion);
        expansion
    };
    let mut known = HashSet::from([state.clone()]);
    let mut waiting = vec![state];
    while let Some(state) = waiting.pop() {
        let here = expand(&mut expander, &state);
        for (step, behind) in here.successors.transitions().iter().zip(here.states()) {
            let there = expand(&mut expander, behind);
            for process in (0..SleepSet::CAPACITY as u32).filter(|&p| p != step.label.process) {
                let own = ways_of(&here, process);
                let [(label, 1, beside)] = own.as_slice() else { continue };
                let asked = SleepSet::single(process);
                let answer = expander.commuting_with(&state, step.label, asked);
                let Some(answer) = answer else { return seen };
                seen.asked += 1;
                assert!(answer == asked || answer.is_empty(), "{name}");
                if answer.is_empty() {
                    continue;
                }
                seen.undisturbed += 1;
                let later = ways_of(&there, process);
                let [(again, 1, end)] = later.as_slice() else {
                    panic!("{name}\nprocess {process} behind {step:?} in {state:?}: {later:?}");
                };
                assert_eq!(again, label, "{name}\nbehind {step:?} in {state:?}");
                let other = ways_of(&expand(&mut expander, beside), step.label.process);
                let is_there = other.iter().any(|(by, _, to)| *by == step.label && to == end);
                assert!(is_there, "{name}\n{step:?} behind {label:?} in {state:?}: {other:?}");
            }
            if known.len() < most && !known.contains(behind) {
                known.insert(behind.to_vec());
                waiting.push(behind.to_vec());
            }
        }
    }
    seen
}

/// The counters and findings of an exploration.
fn explore(space: &dyn Space, order: ExplorationOrder, most: usize) -> (Stats, Vec<Finding>) {
    let options =
        search::ExplorationOptions { order, keep: 1_000, ..search::ExplorationOptions::default() };
    let Ok(mut exploration) = Exploration::new(space, options) else {
        return (Stats::default(), Vec::new());
    };
    exploration.advance(SliceBudget { expansions: most as u64 });
    (exploration.stats(), exploration.findings().to_vec())
}

/// Explores with the interpreter, which has no sleep sets, and with native code.
fn check_counts(
    name: &str,
    machine: &Machine<'_>,
    native: &NativeSpace<'_, '_>,
    most: usize,
) -> u64 {
    let mut slept = 0;
    for order in [ExplorationOrder::Breadth, ExplorationOrder::Depth] {
        let (awake, found) = explore(machine, order, most);
        let (stats, same) = explore(native, order, most);
        slept += stats.slept;
        assert_eq!(Stats { slept: 0, ..stats }, awake, "{name}\n{order:?}");
        // Inside atomic sequences, faults come in another order.
        let sorted = |mut found: Vec<Finding>| {
            found.sort_by_key(|finding| (finding.state.index(), format!("{:?}", finding.kind)));
            found
        };
        assert_eq!(sorted(same), sorted(found), "{name}\n{order:?}");
    }
    slept
}

/// Checks both on a model: up to `pairs` states for pairs of steps, up to `states` in an exploration.
/// `None` when the model cannot be compiled.
///
/// # Panics
///
/// When sleep sets make a difference.
pub fn check(
    name: &str,
    model: &Model,
    options: AutomataOptions,
    pairs: usize,
    states: usize,
) -> Option<Seen> {
    let machine = Machine::new(model, options);
    let native = NativeSpace::compile(&machine).ok()?;
    let seen = check_answers(name, &native, pairs);
    let slept = check_counts(name, &machine, &native, states);
    Some(Seen { slept, ..seen })
}
