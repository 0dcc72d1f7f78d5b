//! The interpreter walks as many states and transitions as the models of the project claim, and as
//! SPIN does on what random programs do not have.

use beeline_engine::automata::AutomataOptions;
use beeline_engine::interpreter::Machine;
use beeline_jit::NativeSpace;
use beeline_testkit::agreement::agree;
use beeline_testkit::counting::{Errors, MODES, count, pan_counts};
use beeline_testkit::spin::{self, Scratch};
use beeline_testkit::{fixture, model};

#[test]
fn the_models_of_the_project_have_the_counts_they_claim() {
    for fixture in fixture::all() {
        let (Some(stored), Some(transitions)) =
            (fixture.expect.states(), fixture.expect.transitions())
        else {
            panic!("{} does not say how many states it has", fixture.name);
        };
        let front = model::read(&fixture.file).expect("our models can be read");
        let (counts, _) = count(&front.hir, AutomataOptions::PLAIN, stored);
        let found = (counts.stored, counts.transitions);
        assert_eq!(found, (stored, transitions), "{}", fixture.name);
    }
}

/// What random programs do not come to.
const RARE: &[&str] = &[
    // `else` beside an offer waits until a receiver is there, as for any other statement.
    "chan c = [0] of { byte };
     active proctype A() { if :: c!1 :: else -> assert(false) fi }
     active proctype B() { c?1 }",
    "chan c = [0] of { byte }; byte n;
     active proctype A() { do :: n < 3 -> if :: c!1 :: else -> n++ fi :: else -> break od }
     active proctype B() { end: do :: c?1 :: n == 1 -> c?2 od }",
    "chan c = [0] of { byte }; byte n;
     active proctype A() { if :: else -> n = 1 :: c!1 fi }
     active [2] proctype B() { byte x; if :: c?x -> n = x + 1 :: n == 1 fi }",
    // A process whose `provided` clause is false outranks no other,
    "byte x;
     active proctype A() { x = 1 }
     active proctype B() priority 4 provided (x == 1) { x = 2 }",
    // and one that waits for a timeout outranks others that do.
    "byte x;
     active proctype A() priority 3 { timeout -> x = 1 }
     active proctype B() priority 1 { timeout -> assert(x == 1) }",
    "byte x;
     active proctype A() { timeout -> x = 1 }
     active proctype B() { enabled(0) -> x = 2 }",
    // Inside of an atomic sequence, too, `_last` is the process that moved last.
    "byte n, x;
     active proctype A() { do :: n < 2 -> n++ :: n > 0 -> n-- od }
     active proctype B() { do :: atomic { n == 1; x = _last; assert(x == 1); x = 0; n = _last } od }",
    "byte n, x; chan q = [1] of { byte };
     active proctype A() { do :: n = 1 - n :: q?x od }
     active proctype B() { do :: atomic { n == 1 -> q!1; x = _last; if :: x == 0 -> n = 2 :: else fi } od }",
    // A process that must have no choice, and has one: with a rendezvous, after `else`, inside
    // of an atomic sequence, and with an escape.
    "byte x;
     D_proctype P() { if :: x = 1 :: x = 2 fi; if :: x == 1 -> x = 3 :: x >= 1 -> x = 4 :: else fi }
     init { run P() }",
    "chan c = [0] of { byte }; byte x;
     active proctype Q() { c?x } active proctype R() { c?x }
     D_proctype P() { do :: c!1 :: c!2 :: x > 1 -> break :: else od }
     init { run P() }",
    "byte x;
     D_proctype P() { atomic { x++; if :: x > 0 :: x > 1 :: x == 1 fi; x = 0 } }
     init { run P(); run P() }",
    "byte x;
     D_proctype P() { { x = 1; x = 2 } unless { if :: x == 1 :: x > 0 fi } }
     init { run P() }",
    // Whether somebody can move may depend on whether others can.
    "byte x;
     active [3] proctype P() {
       if
       :: _pid < 2 -> if :: enabled(_pid + 1) -> x = 1 fi
       :: _pid == 2; if :: x == 1 -> x = 2 :: x = 3 fi
       fi
     }",
];

#[test]
fn what_is_rare_has_spin_s_counts_and_errors() {
    let scratch = Scratch::new().expect("a scratch directory");
    let has_spin = spin::available_or_skip("counts of what is rare");
    for (number, text) in RARE.iter().enumerate() {
        let file = scratch.path().join(format!("rare-{number}.pml"));
        std::fs::write(&file, text).expect("scratch files can be written");
        let front = model::read(&file).expect("just written");
        assert_eq!(model::first_error(&front), None, "{text}");
        for (translator, options) in MODES {
            let machine = Machine::new(&front.hir, options);
            if let Ok(native) = NativeSpace::compile(&machine) {
                assert!(agree(&machine, &native, text) > 0, "{text}");
            }
            if !has_spin {
                continue;
            }
            let (spin, errors) = pan_counts(&file, translator).expect("they are small");
            let (ours, found) = count(&front.hir, options, spin.stored);
            assert_eq!((ours, Errors::of(&found)), (spin, errors), "{translator:?}: {text}");
        }
    }
}
