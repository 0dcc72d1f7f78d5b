//! Sleep sets are sound on the models of the project and on random programs; see
//! [`beeline_testkit::sleep_sets`].

use beeline_promela::printer;
use beeline_test_size::portion;
use beeline_testkit::generate::{self, Config, Feature};
use beeline_testkit::model::MODES;
use beeline_testkit::sleep_sets::{Seen, check};
use beeline_testkit::{chosen, fixture, model};

#[test]
fn sleepers_of_our_models_make_no_difference() {
    let mut seen = Seen::default();
    for fixture in fixture::all() {
        let front = model::read(&fixture.file).expect("our models can be read");
        for options in MODES {
            let more = check(&fixture.name, &front.hir, options, portion(1_000), 20_000);
            seen.add(&more.unwrap_or_default());
        }
    }
    println!("{} of {} undisturbed, {} slept", seen.undisturbed, seen.asked, seen.slept);
    assert!(seen.slept > portion(10_000), "{}", seen.slept);
}

/// Every other program may also fail, and has what is special about a state.
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
    for seed in chosen::seeds(portion(300)) {
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
    assert!(seen.undisturbed > portion(10_000) && seen.slept > portion(1_000));
}

/// An atomic loop that stops at its own beginning, with another value of its variable: a
/// step that sets what it waits for there is not independent of it.
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
