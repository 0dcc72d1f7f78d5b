//! The factored view over-approximates the machine: in every state of hundreds of models each move
//! is one of its steps, each error one of its goals, and each value in its range.

use std::collections::{HashMap, HashSet};
use std::fmt::Write as _;

use beeline_analysis::factored::{FactoredGoal, FactoredView};
use beeline_engine::automata::AutomataOptions;
use beeline_engine::interpreter::{Machine, Move, Stepwise};
use beeline_factored::{ANY_PROCESS, Factor, FactorId, Interval, Operator, RangeScratch, Ranges};
use beeline_kernel::{FaultKind, Space, SplitMix64};
use beeline_promela::hir::Model;
use beeline_testkit::generate::{self, Config, Feature};
use beeline_testkit::{corpus, fixture, model};

/// The limit of explored states for each model.
const MOST: usize = 1_000;

/// Counters of the comparison, so that a test that compares nothing fails.
#[derive(Default)]
struct Compared {
    models: usize,
    without_view: usize,
    moves: usize,
    faults: usize,
    deadlocks: usize,
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

fn check(name: &str, model: &Model, options: AutomataOptions, compared: &mut Compared) {
    let machine = Machine::new(model, options);
    let Ok(start) = machine.initial() else { return };
    let (view, deadlock) = (
        FactoredView::of(&machine, &FactoredGoal::Faults),
        FactoredView::of(&machine, &FactoredGoal::Deadlock),
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

fn conclude(compared: &Compared) {
    let Compared { models, without_view, moves, faults, deadlocks, complaints, .. } = compared;
    println!(
        "{models} models ({without_view} without a view), {moves} moves, {faults} faults, {deadlocks} deadlocks"
    );
    assert!(complaints.is_empty(), "\n{complaints}");
}

const MODES: [AutomataOptions; 2] = [AutomataOptions::PLAIN, AutomataOptions::OPTIMISED];

#[test]
fn every_move_of_the_models_of_the_project_is_a_step() {
    let mut compared = Compared::default();
    for fixture in fixture::all() {
        let front = model::read(&fixture.file).expect("our models can be read");
        for options in MODES {
            check(&fixture.name, &front.hir, options, &mut compared);
        }
    }
    conclude(&compared);
    assert!(compared.models >= 60 && compared.faults > 10 && compared.deadlocks > 10);
    assert!(compared.without_view <= 4, "{} have no view", compared.without_view);
}

#[test]
fn every_move_of_random_programs_is_a_step() {
    let mut compared = Compared::default();
    let count = std::env::var("BEELINE_RANDOM").ok().and_then(|n| n.parse().ok()).unwrap_or(600);
    for seed in 0..count {
        let rare = [
            (Feature::Run, 40),
            (Feature::DStep, 12),
            (Feature::Unless, 10),
            (Feature::OutOfBounds, 4),
            (Feature::DivideByZero, 4),
            (Feature::RemoteReference, 20),
            (Feature::Provided, 15),
            (Feature::LocalConstant, 50),
            (Feature::FailingAssert, 8),
            (Feature::Atomic, 15),
        ];
        let full = |config: Config, &(one, weight): &(Feature, u32)| config.with(one, weight);
        let config = match seed % 2 {
            0 => Config::full(),
            _ => rare.iter().fold(Config::full(), full),
        };
        let program = generate::program(seed, &config);
        let text = beeline_promela::printer::print(&program);
        let front = model::read_text("random", &text);
        if model::first_error(&front).is_some() {
            continue;
        }
        check(&format!("seed {seed}"), &front.hir, MODES[seed as usize / 2 % 2], &mut compared);
    }
    conclude(&compared);
    assert!(compared.models >= 300 && compared.faults > 100 && compared.deadlocks > 50);
}

#[test]
fn every_move_of_the_corpus_is_a_step() {
    let Some(corpus) = corpus::corpus_or_skip("factored view") else { return };
    let mut compared = Compared::default();
    for entry in corpus.entries.iter().filter(|entry| entry.spin_accepts && !entry.embedded_c) {
        let front = model::read(&entry.file).expect("corpus files can be read");
        check(&entry.name, &front.hir, AutomataOptions::OPTIMISED, &mut compared);
    }
    conclude(&compared);
    assert!(compared.models >= 350, "only {} models", compared.models);
}

/// A model whose processes end and are started again, with the same numbers or with others.
fn waves(seed: u64) -> String {
    const BODIES: [&str; 8] = [
        "assert(d != 3)",
        "d == 1",
        "x = x + d",
        "do :: x > 3 -> break :: else -> x++ od",
        "if :: d > 0 && x < 4 -> x++; run K(d - 1) :: else fi",
        "if :: x < 4 -> x++; run L(d) :: else fi",
        "chan own = [1] of { byte }; own!d; own?d; assert(d < 9)",
        "to!d; do :: d > 1 -> d-- :: else -> break od",
    ];
    const STARTS: [&str; 9] = [
        "run K(1)",
        "run K(2)",
        "run L(0)",
        "run L(3)",
        "_nr_pr == 1",
        "_nr_pr < 4",
        "x = 0",
        "if :: run K(3) :: run L(1) fi",
        "assert(x < 9)",
    ];
    let mut rng = SplitMix64::new(seed);
    let mut one_of = |all: &[&'static str]| all[rng.below(all.len())];
    let (k, l) = (one_of(&BODIES), one_of(&BODIES));
    let first =
        one_of(&["", "", "active proctype A() { x = 1 }", "active proctype A() { run K(0) }"]);
    let active = one_of(&["", "", "active "]);
    let starts: Vec<&str> = (0..4).map(|_| one_of(&STARTS)).collect();
    let starts = starts.join("; ");
    let starts = match one_of(&["once", "atomic", "loop"]) {
        "once" => format!("{starts}; {starts}"),
        "atomic" => format!("atomic {{ {starts} }}; {starts}"),
        _ => format!("byte n; do :: n < 3 -> n++; {starts} :: else -> break od"),
    };
    format!(
        "byte x; chan to = [2] of {{ byte }};\n{first}\n{active}proctype K(byte d) {{ {k} }}\n\
         proctype L(byte d) {{ {l} }}\ninit {{ {starts} }}\n"
    )
}

#[test]
fn every_move_of_processes_that_come_again_is_a_step() {
    let mut compared = Compared::default();
    for seed in 0..600 {
        let text = waves(seed);
        let front = model::read_text("waves", &text);
        assert!(model::first_error(&front).is_none(), "{text}");
        check(&text, &front.hir, MODES[seed as usize % 2], &mut compared);
    }
    conclude(&compared);
    assert!(compared.models >= 400, "only {} have a view", compared.models);
    assert!(compared.faults > 500 && compared.deadlocks > 500);
}

/// The names of the summary instances of a model.
fn crowds(text: &str) -> Vec<String> {
    let front = model::read_text("model.pml", text);
    let machine = Machine::new(&front.hir, AutomataOptions::PLAIN);
    let view = FactoredView::of(&machine, &FactoredGoal::Nothing).expect("it is small");
    let crowds = view.system.factors.iter().filter(|factor| factor.is_summary);
    crowds.map(|factor| factor.name.to_string()).collect()
}

#[test]
fn processes_that_start_behind_a_d_step_are_told_apart() {
    let text = |inside: &str| {
        format!(
            "byte a[2]; byte n;
             proctype P() {{ do :: a[0] = 0 od }}
             init {{ d_step {{ {inside} }}; atomic {{ run P(); run P() }} }}"
        )
    };
    assert_eq!(crowds(&text("a[0] = 1; a[1] = 2")), Vec::<String>::new());
    assert_eq!(crowds(&text("if :: n == 0 -> a[0] = 1 :: else -> a[1] = 1 fi")), ["P[*]@"]);
}

#[test]
fn a_rendezvous_that_fails_in_what_it_compares_is_a_step() {
    let text = "byte g; chan c = [0] of { byte, byte };
        active proctype P() { c?eval((g & 3 / g) % 3), 1 }
        active proctype Q() { c!2, 1 }";
    let front = model::read_text("fails", text);
    let mut compared = Compared::default();
    check("fails", &front.hir, AutomataOptions::PLAIN, &mut compared);
    conclude(&compared);
    assert!(compared.faults > 0);
}
