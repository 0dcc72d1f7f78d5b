//! Sleep sets are sound: a process that is independent of a step has the same transitions before
//! and after it, and both orders reach the same state. An exploration with sleep sets has the
//! counts and findings of one without them, in the same order.

use std::collections::HashSet;

use beeline_engine::automata::AutomataOptions;
use beeline_engine::interpreter::Machine;
use beeline_jit::NativeSpace;
use beeline_kernel::{Expander, Expansion, SleepSet, Space, StepLabel};
use beeline_promela::hir::Model;
use beeline_promela::printer;
use beeline_search::{self as search, Exploration, ExplorationOrder, Finding, SliceBudget, Stats};
use beeline_testkit::generate::{self, Config, Feature};
use beeline_testkit::{chosen, corpus, fixture, model};

const MODES: [AutomataOptions; 2] = [AutomataOptions::PLAIN, AutomataOptions::OPTIMISED];

/// The targets of the transitions of a process, each with its label and its length.
fn ways_of(expansion: &Expansion, process: u32) -> Vec<(StepLabel, u32, Vec<u8>)> {
    let ways = expansion.successors.transitions().iter().zip(expansion.states());
    let own = ways.filter(|(way, _)| way.label.process == process);
    own.map(|(way, state)| (way.label, way.steps, state.to_vec())).collect()
}

/// Counters of the comparison.
#[derive(Default)]
struct Seen {
    asked: usize,
    undisturbed: usize,
    slept: u64,
}

impl Seen {
    fn add(&mut self, other: &Seen) {
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

fn check(
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

#[test]
fn sleepers_of_our_models_make_no_difference() {
    let mut seen = Seen::default();
    for fixture in fixture::all() {
        let front = model::read(&fixture.file).expect("our models can be read");
        for options in MODES {
            let more = check(&fixture.name, &front.hir, options, 1_000, 20_000);
            seen.add(&more.unwrap_or_default());
        }
    }
    println!("{} of {} undisturbed, {} slept", seen.undisturbed, seen.asked, seen.slept);
    assert!(seen.slept > 10_000, "{}", seen.slept);
}

#[test]
fn sleepers_of_the_corpus_make_no_difference() {
    let Some(corpus) = corpus::corpus_or_skip("sleepers of the corpus") else {
        return;
    };
    let most = chosen::states(100);
    let mut seen = Seen::default();
    for entry in corpus.entries.iter().filter(|entry| entry.spin_accepts && !entry.embedded_c) {
        let front = model::read(&entry.file).expect("corpus files can be read");
        if model::first_error(&front).is_none() {
            let more = check(&entry.name, &front.hir, AutomataOptions::OPTIMISED, most, 20 * most);
            seen.add(&more.unwrap_or_default());
        }
    }
    println!("{} of {} undisturbed, {} slept", seen.undisturbed, seen.asked, seen.slept);
    assert!(seen.undisturbed > 10_000 && seen.slept > 10_000);
}

/// Every other program may also fail, and has special features of states.
fn config(seed: u64) -> Config {
    let more = [
        (Feature::FailingAssert, 10),
        (Feature::OutOfBounds, 10),
        (Feature::DivideByZero, 10),
        (Feature::Priority, 5),
        (Feature::Deterministic, 5),
        (Feature::Hidden, 10),
        (Feature::LocalConstant, 50),
        (Feature::Trace, 5),
    ];
    Config::full().with_all(if seed % 2 == 1 { &more } else { &[] })
}

#[test]
fn sleepers_of_random_programs_make_no_difference() {
    let mut seen = Seen::default();
    for seed in chosen::seeds(300) {
        let text = printer::print(&generate::program(seed, &config(seed)));
        let front = model::read_text(&format!("random-{seed}.pml"), &text);
        assert_eq!(model::first_error(&front), None, "seed {seed}\n{text}");
        for options in MODES {
            let name = format!("seed {seed}, {options:?}\n{text}");
            let more = check(&name, &front.hir, options, 300, 3_000);
            seen.add(&more.unwrap_or_default());
        }
    }
    println!("{} of {} undisturbed, {} slept", seen.undisturbed, seen.asked, seen.slept);
    assert!(seen.undisturbed > 10_000 && seen.slept > 1_000);
}

/// An atomic loop that stops at its own beginning, with another value of its variable: a step that
/// sets the awaited value there is not independent of it.
#[test]
fn an_edge_that_follows_itself_waits_for_what_it_reads_then() {
    let text = "byte a[2]; byte g;\n\
                active proctype P() { a[0] = 1 }\n\
                active proctype Q() { a[1] = 1 }\n\
                active proctype R() { byte i;\n\
                atomic { do :: i < 2 -> a[i] != 0; i++; g = i :: else -> break od; g = 0 } }\n";
    let front = model::read_text("again.pml", text);
    for options in MODES {
        let seen = check("again.pml", &front.hir, options, 100, 100).expect("it can be compiled");
        assert!(seen.asked > 0 && seen.undisturbed < seen.asked);
    }
}
