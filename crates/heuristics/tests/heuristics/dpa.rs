//! The distance-preserving abstraction of models: its estimate of the initial state, and its time.

use std::cell::RefCell;
use std::time::{Duration, Instant};

use beeline_engine::automata::AutomataOptions;
use beeline_engine::interpreter::Machine;
use beeline_heuristics::{HeuristicGoal, Resources, build_with};
use beeline_kernel::spec::Spec;
use beeline_kernel::{Cost, Estimate};
use beeline_promela::hir::Model;
use beeline_promela::preprocess::NoIncludes;

fn read(text: &str) -> Model {
    let options = beeline_promela::preprocess::PreprocessOptions::default();
    beeline_promela::read("model.pml", text, &mut NoIncludes, &options).hir
}

/// The estimate of the initial state.
fn at_first(text: &str, spec: &str, goal: &HeuristicGoal) -> Estimate {
    with_remarks(text, spec, goal).0
}

/// The estimate, with the remarks of the heuristic.
fn with_remarks(text: &str, spec: &str, goal: &HeuristicGoal) -> (Estimate, Vec<String>) {
    let model = read(text);
    let machine = Machine::new(&model, AutomataOptions::PLAIN);
    let spec = Spec::parse(spec).expect("it is well formed");
    let told = RefCell::new(Vec::new());
    let tell = |remark: String| told.borrow_mut().push(remark);
    let built =
        build_with(&spec, &machine, goal, Resources { tell: &tell, ..Resources::default() });
    let mut heuristic = built.expect("it can be built");
    let first = machine.initial().expect("it begins");
    (heuristic.estimate(&first.bytes), told.take())
}

fn finite(cost: u32) -> Estimate {
    Estimate::Finite(Cost(cost))
}

/// Three clients that share a resource through a tree of two cells, all by rendezvous: an arbiter
/// tree as in [DFP06] §7, with an arbiter that does not record which client it served.
const ARBITER: &str = "
mtype = { ask, grant, done };
chan low[3] = [0] of { mtype };
chan high[2] = [0] of { mtype };
byte users;
active [3] proctype client() {
    do :: low[_pid]!ask; low[_pid]?grant; users++; assert(users < 2); users--; low[_pid]!done od
}
active proctype left() {
    do
    :: low[0]?ask; high[0]!ask; high[0]?grant; low[0]!grant; low[0]?done; high[0]!done
    :: low[1]?ask; high[0]!ask; high[0]?grant; low[1]!grant; low[1]?done; high[0]!done
    od
}
active proctype right() {
    do :: low[2]?ask; high[1]!ask; high[1]?grant; low[2]!grant; low[2]?done; high[1]!done od
}
active proctype root() {
    do
    :: high[0]?ask; high[0]!grant; high[0]?done
    :: high[1]?ask; high[1]!grant; FORGETS
    od
}
";

#[test]
fn a_small_arbiter_tree_that_works_is_proved_without_a_search() {
    let text = ARBITER.replace("FORGETS", "high[1]?done");
    assert_eq!(at_first(&text, "dpa(n=10000)", &HeuristicGoal::Assertions), Estimate::DeadEnd);
}

#[test]
fn in_a_broken_one_the_estimate_is_near_to_the_truth() {
    let text = ARBITER.replace("FORGETS", "skip");
    let distance = 12;
    assert_eq!(at_first(&text, "dpa(n=10000)", &HeuristicGoal::Assertions), finite(distance));
    let Estimate::Finite(Cost(estimate)) = at_first(&text, "dpa(500)", &HeuristicGoal::Assertions)
    else {
        panic!("an error can be reached");
    };
    assert!((distance / 2..=distance).contains(&estimate), "{estimate} of {distance}");
}

#[test]
fn a_budget_ends_composing_and_that_is_told() {
    let text = ARBITER.replace("FORGETS", "skip");
    let with = |arguments: &str| {
        let spec = format!("max(blind, dpa(n=10000, {arguments}))");
        let (estimate, remarks) = with_remarks(&text, &spec, &HeuristicGoal::Assertions);
        let Estimate::Finite(Cost(estimate)) = estimate else { panic!("an error can be reached") };
        (estimate, remarks.join("\n"))
    };
    let whole = (12, String::new());
    assert_eq!(with("shrink=bisimulation"), whole);
    assert_eq!(with("seconds=3600"), whole);
    assert_eq!(with("seconds=3600, shrink=bisimulation, labels=combined"), whole);
    let cut = |arguments: &str, cause: &str, most: u32| {
        let (estimate, remark) = with(arguments);
        assert!(estimate <= most, "{arguments}: {estimate}");
        let expected =
            format!("dpa is cut short: {cause}, so its estimates are lower than they could be");
        assert_eq!(remark, expected, "{arguments}");
    };
    // Not even the components could be built.
    cut("seconds=0", "its time limit was reached", 0);
    cut("bytes=0", "its memory limit was reached (`bytes`)", 0);
    // Intermediate limits yield intermediate results.
    let mut between = 0;
    for shift in 10..24 {
        let arguments = format!("bytes={}", 1 << shift);
        let found = with(&arguments);
        if found != whole {
            cut(&arguments, "its memory limit was reached (`bytes`)", 12);
            between += u32::from((1..12).contains(&found.0));
        }
    }
    assert!(between > 0);
}

#[test]
fn steps_of_a_claim_count_as_none() {
    let text = "byte x; active proctype p() { do :: x < 3 -> x++ od } \
                never { do :: x == 3 -> break :: else od; false || true }";
    let model = read(text);
    let machine = Machine::new(&model, AutomataOptions::PLAIN);
    let claim = machine.never(1).expect("there is a claim");
    let machine = machine.clone().watched_by(machine.never_claim(claim));
    let spec = Spec::parse("dpa").expect("it is well formed");
    let mut heuristic =
        beeline_heuristics::build(&spec, &machine, &HeuristicGoal::Claim).expect("it can be built");
    let first = machine.initial().expect("it begins");
    let Estimate::Finite(Cost(estimate)) = heuristic.estimate(&first.bytes) else {
        panic!("the claim can be violated");
    };
    assert!((6..=8).contains(&estimate), "{estimate}");
}

#[test]
fn a_large_model_takes_no_longer_than_the_bounds_allow() {
    let text = "
        byte cells[200]; short places[60]; chan all[20] = [6] of { byte, byte, short };
        active [12] proctype p() {
            byte i, j; short k;
            do
            :: cells[i] = cells[j] + k; i = (i + 1) % 200
            :: all[j % 20]!i,j,k
            :: all[i % 20]?i,j,k
            :: places[j % 60] = k + i
            :: k = places[j % 60] * i; j = k & 127
            :: i > 198 && j == 77 && k == 12 -> assert(cells[3] != 7)
            od
        }";
    let begin = Instant::now();
    let estimate = at_first(text, "dpa", &HeuristicGoal::Assertions);
    assert!(matches!(estimate, Estimate::Finite(_)), "{estimate:?}");
    assert!(begin.elapsed() < Duration::from_secs(60), "{:?}", begin.elapsed());
}
