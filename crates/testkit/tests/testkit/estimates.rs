//! Every heuristic keeps what it claims on models that random programs do not come to; see
//! [`beeline_testkit::estimates`].

use std::collections::HashSet;

use beeline_engine::automata::AutomataOptions;
use beeline_engine::claim::Product;
use beeline_engine::interpreter::Machine;
use beeline_heuristics::{HeuristicGoal, build};
use beeline_kernel::spec::Spec;
use beeline_kernel::{Cost, Estimate, Expansion, FaultKind, Space};
use beeline_testkit::estimates::{Compared, check_model, conclude};
use beeline_testkit::model::{self, MODES};

/// What random programs rarely do.
const TRICKY: &[&str] = &[
    // One step moves two processes to where they are stuck.
    "chan q = [0] of { bit }; active proctype a() { if :: q!1 :: skip fi; false } \
     active proctype b() { if :: q?1 :: skip fi; false }",
    // A d_step that cannot go on, one that goes round for ever, one that offers a message.
    "byte x; active proctype p() { x = 2; d_step { skip; x == 1 } }",
    "byte x; active proctype p() { x = 2; d_step { do :: x = 1 - x od } }",
    "chan q = [0] of { bit }; active proctype p() { skip; d_step { q!1; skip } } \
     active proctype r() { q?_ }",
    // Channels that are not there, or not any more.
    "chan q; chan other = [1] of { byte }; active proctype p() { skip; q!1 }",
    "chan q = [1] of { chan }; active proctype p() { chan c; q?c; c!c } \
     active proctype r() { chan own = [1] of { chan }; q!own }",
    "chan q = [1] of { byte }; proctype p(chan c) { c!1 } \
     init { chan none; run p(q); run p(none) }",
    "chan q = [1] of { byte }; byte n; chan none; active proctype p() { q!1; n = len(q); q = none; n = len(q) }",
    // Clauses without a value, indices, and what starts what.
    "byte x; byte a[2]; active proctype p() provided (a[x] == 0) { skip; skip } \
     active proctype r() { x = 1; x = 2 }",
    "byte x; byte a[3]; active proctype p() { do :: x < 4 -> a[x] = 1; x++ od }",
    "byte x; proctype c() { x++; assert(x < 2) } proctype b() { run c() } \
     active proctype a() { atomic { skip; run b() }; x = run b() }",
    "proctype c(byte n) { assert(n < 3); if :: n < 4 -> run c(n + 1) :: else fi } \
     init { run c(0); do :: skip od }",
    // A process that ends makes place for one of another type, or of its own.
    "byte x; proctype a() { x = 1; x = 2 } proctype b() { x = 3 } \
     init { do :: run a(); _nr_pr == 1 :: run b(); _nr_pr == 1 od }",
    // Escapes, timeouts, priorities.
    "byte x; active proctype p() { { do :: x < 3 -> x++ od } unless { x == 2; assert(false) } }",
    "byte x; active proctype p() { do :: x == 1 -> x = 2 :: timeout -> x = 1 od } \
     active proctype r() { x == 2; assert(x == 1) }",
    "byte x; active proctype p() priority 2 { x == 1; x = 2 } \
     active proctype r() priority 1 { x = 1; x == 0 }",
];

#[test]
fn heuristics_keep_their_claims_on_tricky_models() {
    let mut compared = Compared::default();
    for text in TRICKY {
        let front = model::read_text("tricky", text);
        assert_eq!(model::first_error(&front), None, "{text}");
        for options in MODES {
            check_model(text, &front.hir, options, &mut compared);
        }
    }
    conclude(&compared);
    assert_eq!(compared.models, 2 * TRICKY.len());
    assert!(compared.reachable[1] >= 20, "{:?}", compared.reachable);
}

/// Listing 1.1 of [AWW15]: six steps lead to the error, and four layers of relaxed states.
#[test]
fn the_worked_example_of_relaxation_comes_out_as_printed() {
    let text = "int a = 0, b = 0; chan c = [1] of { int };
        active proctype S() { again: c!a; a++; goto again }
        active proctype R() { again: c?b; goto again }
        never { do :: a == 2 && b == 1 -> break :: else od }";
    let front = model::read_text("listing 1.1", text);
    assert_eq!(model::first_error(&front), None);
    let machine = Machine::new(&front.hir, AutomataOptions::OPTIMISED);
    let claim = (0..3).find_map(|number| machine.never(number)).expect("there is a claim");
    let machine = machine.clone().watched_by(machine.never_claim(claim));
    let product = Product::new(&machine, &machine).expect("the claim watches");
    let mut first = Vec::new();
    Space::initial(&product, &mut first).expect("it begins");
    let estimate = |text: &str| {
        let spec = Spec::parse(text).expect("our specs are well formed");
        let heuristic = build(&spec, &machine, &HeuristicGoal::Claim);
        heuristic.expect("it is for claims").estimate(&first)
    };
    for spec in ["hpl", "hpl(values=intervals)", "hpl(channels=pooled)", "hmax"] {
        assert_eq!(estimate(spec), Estimate::Finite(Cost(4)), "{spec}");
    }
    assert!(estimate("hc") <= Estimate::Finite(Cost(1)));
    // Breadth-first, until the claim ends: one step after the other.
    let (mut layer, mut known) = (vec![first.clone()], HashSet::from([first.clone()]));
    let mut expansion = Expansion::default();
    let distance = (0..10).find(|_| {
        let mut next = Vec::new();
        for state in &layer {
            product.expand(state, &mut expansion);
            if expansion.faults.iter().any(|way| way.fault.kind == FaultKind::Claim) {
                return true;
            }
            next.extend(expansion.states().map(<[u8]>::to_vec));
        }
        next.retain(|state| known.insert(state.clone()));
        layer = next;
        false
    });
    assert_eq!(distance, Some(6));
}
