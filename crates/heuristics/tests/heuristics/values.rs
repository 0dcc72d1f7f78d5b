//! The estimates of each heuristic for states of small models, computed by hand.

use beeline_engine::automata::AutomataOptions;
use beeline_engine::claim::Product;
use beeline_engine::interpreter::Machine;
use beeline_heuristics::{HEURISTICS, HeuristicGoal, build, find};
use beeline_kernel::spec::Spec;
use beeline_kernel::{Estimate, Expansion, Space};
use beeline_promela::hir::{ExprKind, Model, UnaryOp};
use beeline_promela::preprocess::NoIncludes;

fn read(text: &str) -> Model {
    let options = beeline_promela::preprocess::PreprocessOptions::default();
    let front = beeline_promela::read("model.pml", text, &mut NoIncludes, &options);
    let messages: Vec<&str> = front.diagnostics.iter().map(|one| one.message.as_str()).collect();
    assert!(!front.diagnostics.has_errors(), "{messages:?} in {text}");
    front.hir
}

/// The state after these choices among successors.
fn walk(space: &dyn Space, choices: &[usize]) -> Vec<u8> {
    let (mut state, mut expansion) = (Vec::new(), Expansion::default());
    space.initial(&mut state).expect("it begins");
    for &choice in choices {
        space.expand(&state, &mut expansion);
        state = expansion.state(choice).to_vec();
    }
    state
}

/// Compares estimates, written as `name value` in lines; a dead end is `-`.
fn check(text: &str, goal: fn(&Model) -> HeuristicGoal, choices: &[usize], expected: &[&str]) {
    let model = read(text);
    let mut machine = Machine::new(&model, AutomataOptions::PLAIN);
    let goal = goal(&model);
    if let HeuristicGoal::Claim = goal {
        let claim = (0..model.processes.len()).find_map(|number| machine.never(number));
        let claim = machine.never_claim(claim.expect("there is a claim"));
        machine = machine.watched_by(claim);
    }
    let state = match Product::new(&machine, &machine) {
        Some(product) => walk(&product, choices),
        None => walk(&machine, choices),
    };
    let told: Vec<String> = expected
        .iter()
        .map(|line| {
            let (name, _) = line.rsplit_once(' ').expect("a name and a value");
            let spec = Spec::parse(name).expect("it is well formed");
            let mut heuristic = build(&spec, &machine, &goal).expect("it can be built");
            match heuristic.estimate(&state) {
                Estimate::Finite(cost) => format!("{name} {cost}"),
                Estimate::DeadEnd => format!("{name} -"),
            }
        })
        .collect();
    assert_eq!(told, expected, "{choices:?} in {text}");
}

fn invariant(model: &Model) -> HeuristicGoal {
    let formula = &model.formulas.first().expect("there is a formula").formula;
    match &formula.kind {
        ExprKind::Unary(UnaryOp::Always, always) => HeuristicGoal::Invariant((**always).clone()),
        _ => panic!("an invariant is always true"),
    }
}

fn claim(_: &Model) -> HeuristicGoal {
    HeuristicGoal::Claim
}

const PHILOSOPHERS: &str = include_str!("../../../../models/philosophers.pml");
const TELEGRAPH: &str = include_str!("../../../../models/telegraph.pml");

#[test]
fn philosophers_with_empty_hands() {
    // All philosophers are about to put down a fork, which fills a queue.
    let expected = [
        "blind 0",
        "nonempty-queues 0",
        "full-queues 4",
        "active 4",
        "active-2000 4",
        "dangerous-states 0",
        "dangerous-queues 0",
        "dangerous 4",
        "joint-dangerous-states 0",
        "joint-dangerous 4",
        "deadlock-formula 4",
    ];
    check(PHILOSOPHERS, |_| HeuristicGoal::Deadlock, &[], &expected);
}

#[test]
fn philosophers_at_a_full_table() {
    // All four forks are on the table; all philosophers can take the left one.
    let expected = [
        "nonempty-queues 4",
        "full-queues 0",
        "active 4",
        "active-2000 4",
        "dangerous-states 0",
        "dangerous-queues 0",
        "dangerous 4",
        "deadlock-formula 4",
    ];
    check(PHILOSOPHERS, |_| HeuristicGoal::Deadlock, &[0, 1, 2, 3], &expected);
}

#[test]
fn philosophers_in_a_deadlock() {
    let expected = [
        "nonempty-queues 0",
        "active 0",
        "active-2000 0",
        "dangerous 0",
        "joint-dangerous-states 0",
        "joint-dangerous-queues 0",
        "joint-dangerous 0",
        "deadlock-formula 0",
        "max(active, h5) 0",
    ];
    check(PHILOSOPHERS, |_| HeuristicGoal::Deadlock, &[0, 1, 2, 3, 0, 1, 1, 1], &expected);
}

#[test]
fn the_telegraph_after_its_start() {
    // Each of the eight units can take one of the four licences.
    let expected = ["nonempty-queues 4", "full-queues 8", "active 8", "active-2000 4"];
    check(TELEGRAPH, |_| HeuristicGoal::Deadlock, &[0], &expected);
}

#[test]
fn a_rendezvous_moves_two() {
    let text = "chan q = [0] of { bit }; \
        active proctype a() { if :: q!1 :: skip fi; false } \
        active proctype b() { if :: q?1 :: skip fi; false }";
    // Both are one step away, and a single step advances both.
    let expected = [
        "active 2",
        "dangerous-states 2",
        "h3(half) 1",
        "weighted(h3, 1.5) 3",
        "sum(h3, active) 4",
    ];
    check(text, |_| HeuristicGoal::Deadlock, &[], &expected);
    let model = read(text);
    let machine = Machine::new(&model, AutomataOptions::PLAIN);
    let heuristic =
        build(&Spec::named("h3"), &machine, &HeuristicGoal::Deadlock).expect("it is known");
    assert!(!heuristic.claims().admissible && heuristic.claims().safe);
}

#[test]
fn a_process_that_never_waits_prevents_every_deadlock() {
    let text = "byte x; active proctype p() { do :: x++ :: x = 0 od }";
    check(
        text,
        |_| HeuristicGoal::Deadlock,
        &[],
        &["h3 -", "h4 -", "h5 -", "h8 -", "deadlock-formula -"],
    );
}

#[test]
fn assertions_of_children_are_seen_from_afar() {
    let text = "byte x; \
        proctype child() { x = 1; assert(x == 3) } \
        active proctype parent() { skip; run child(); do :: skip od }";
    // skip, run, x = 1, assert; for an existing child, three more to make it false.
    let expected = ["assertion-distance 4", "assertion-distance(assertions) 4", "formula 4"];
    check(text, |_| HeuristicGoal::Assertions, &[], &expected);
    check(text, |_| HeuristicGoal::Assertions, &[0, 0], &["assertion-distance 2", "formula 2"]);
    check(text, |_| HeuristicGoal::Assertions, &[0, 0, 0], &["assertion-distance 1", "formula 1"]);
    let harmless = "byte x; active proctype p() { do :: x < 9 -> x++ od }";
    check(harmless, |_| HeuristicGoal::Assertions, &[], &["assertion-distance -", "formula -"]);
    let divides = "byte x; active proctype p() { skip; x = 1 / x }";
    check(divides, |_| HeuristicGoal::Assertions, &[], &["assertion-distance 2", "formula 2"]);
}

#[test]
fn invariants_count_how_far_they_are_from_false() {
    let rest = "byte x = 3; byte y; chan q = [5] of { bit }; mtype = { red, green }; \
        mtype m = red; active proctype p() { x = 1; y = 1; m = green; q!1; at: x = 2 }";
    let formula = |condition: &str| format!("{rest} ltl i {{ [] ({condition}) }}");
    let cases = [
        ("x < 10", "formula 7"),
        ("x != 10", "formula 7"),
        ("x == 3", "formula 1"),
        ("x > 3 && y == 0", "formula 0"),
        ("x < 10 || y == 0", "formula 8"),
        ("!(x > 5 && y == 1)", "formula 4"),
        ("m == red", "formula 1"),
        ("len(q) < 3", "formula 3"),
        ("len(q) == 0", "formula 1"),
        ("!(p@at)", "formula 4"),
        ("true", "formula -"),
        ("true || x < 10", "formula -"),
    ];
    for (condition, expected) in cases {
        check(&formula(condition), invariant, &[], &[expected]);
    }
}

#[test]
fn claims_count_their_steps_and_how_far_their_guards_are() {
    let text = "byte x; active proctype p() { do :: x < 9 -> x++ od } \
        never { do :: x == 1 -> break :: true od; do :: x == 7 -> break :: true od }";
    // Two steps of the claim, of which the last needs no step of the system.
    check(text, claim, &[], &["claim-distance 1", "formula 8"]);
    let queues = "chan q = [5] of { bit }; active proctype p() { do :: q!1 :: q?_ od }";
    for (guard, expected) in [("full(q)", "formula 5"), ("nempty(q)", "formula 1")] {
        let text = format!("{queues} never {{ do :: {guard} -> break :: true od }}");
        check(&text, claim, &[], &["claim-distance 0", expected]);
    }
}

#[test]
fn known_states_are_approached() {
    let text = "byte x; active proctype p() { x = 1; x = 2; x = 3; x = 7 } \
        active proctype q() { skip; skip }";
    let target = |model: &Model| {
        let machine = Machine::new(model, AutomataOptions::PLAIN);
        // The younger process moves first among the successors.
        HeuristicGoal::State(walk(&machine, &[0, 1, 1]))
    };
    let expected = [
        "fsm-state 3",
        "fsm-state(max) 2",
        "fsm-state(half) 2",
        "hamming(values) 3",
        "fsm(combine=max, locations=[]) 0",
    ];
    check(text, target, &[], &expected);
    check(text, target, &[0, 1, 1], &["fsm-state 0", "hamming 0", "hamming(values) 0"]);
    // No process can go back.
    check(text, target, &[1, 1, 1], &["fsm-state -"]);
}

#[test]
fn locations_are_named_by_labels() {
    let text = "byte x; active [2] proctype p() { x = 1; x = 2; far: x = 3; end: x = 4 }";
    let expected = ["fsm(p@far) 2", "fsm([p@far, p@end]) 5", "fsm([p@far, p@end], max) 3"];
    check(text, |_| HeuristicGoal::Deadlock, &[], &expected);
}

#[test]
fn errors_say_what_there_is() {
    let model = read("active proctype p() { skip }");
    let machine = Machine::new(&model, AutomataOptions::PLAIN);
    let refused = |text: &str| {
        let spec = Spec::parse(text).expect("it is well formed");
        let built = build(&spec, &machine, &HeuristicGoal::Deadlock);
        built.err().expect("it is refused").to_string()
    };
    assert!(refused("zzz").starts_with("there is no heuristic `zzz`; there are: blind, nonempty-"));
    assert!(refused("actve").contains("; did you mean `active`? There are: blind, nonempty-"));
    assert_eq!(
        refused("hamming"),
        "heuristic `hamming` does not apply to this goal (deadlock); it applies to: known state"
    );
    assert_eq!(
        refused("active(3)"),
        "heuristic `active`: too many arguments; it takes no arguments"
    );
    assert_eq!(
        refused("h6(size=2)"),
        "heuristic `joint-dangerous-states`: there is no argument `size`; it takes: group"
    );
    assert_eq!(
        refused("h6(9)"),
        "heuristic `joint-dangerous-states`: `group` is `9`; \
         expected: number of processes in a group, 1 to 4 (default: 2)"
    );
    assert_eq!(
        refused("fsm(p@nowhere)"),
        "heuristic `fsm`: `locations` names `p@nowhere`, which does not exist; \
         expected: a list of \"proctype@label\" (default: where the property is violated)"
    );
    assert_eq!(refused("max"), "heuristic `max`: `of` is missing; expected: a heuristic");
    assert!(refused("max(h1, h9)").starts_with("there is no heuristic `h9`"));
}

#[test]
fn every_name_is_used_once() {
    let names = HEURISTICS.iter().flat_map(|row| row.aliases.iter().chain([&row.name]));
    let names: Vec<&&str> = names.collect();
    for (at, name) in names.iter().enumerate() {
        assert!(!names[..at].contains(name), "{name}");
        assert!(find(name).is_some());
    }
}

#[test]
fn patterns_prove_what_the_rest_of_the_model_has_no_part_in() {
    let text = "byte turn, x;
        active [2] proctype P() {
            do :: turn == _pid -> x++; assert(x == 1); x--; turn = 1 - _pid od
        }
        active [3] proctype Noise() { byte n; do :: n < 30 -> n++ :: n > 0 -> n-- od }";
    let assertions = |_: &Model| HeuristicGoal::Assertions;
    // Without the turn there is a path: two processes enter and increment x, and one asks. A table
    // of 3 states cannot hold the locations of one process, so only the last step counts.
    let kept = "pdb(of=[\"x\", \"P[0]\", \"P[1]\"]) 5";
    check(
        text,
        assertions,
        &[],
        &["pdb -", "pdb(auto, states=3) 1", kept, "pdb(of=\"Noise[2]\") 1"],
    );
}
