//! Value ranges contain what the interpreter computes, on the models of the project and on random
//! programs; see [`beeline_testkit::value_ranges`].

use beeline_engine::automata::AutomataOptions;
use beeline_engine::interpreter::Machine;
use beeline_promela::printer;
use beeline_test_size::portion;
use beeline_testkit::generate::{self, Config, Feature};
use beeline_testkit::value_ranges::{RangesCompared, compare};
use beeline_testkit::{chosen, fixture, model};

#[test]
fn the_models_of_the_project_stay_in_their_ranges() {
    let mut all = RangesCompared::default();
    for fixture in fixture::all() {
        let front = model::read(&fixture.file).expect("our models can be read");
        let machine = Machine::new(&front.hir, AutomataOptions::OPTIMISED);
        compare(&fixture.name, &machine.checking_overflow(true), 5_000, &mut all);
    }
    assert!(all.models > 30 && all.values > 100_000, "{all:?}");
    assert!(all.narrow * 2 > all.values, "{all:?}");
}

#[test]
fn random_programs_stay_in_their_ranges() {
    let faults = [
        (Feature::FailingAssert, 10),
        (Feature::OutOfBounds, 10),
        (Feature::DivideByZero, 10),
        (Feature::LocalConstant, 50),
    ];
    let mut all = RangesCompared::default();
    for seed in chosen::seeds(portion(1_000)) {
        let config = Config::full().with_all(if seed % 2 == 1 { &faults } else { &[] });
        let text = printer::print(&generate::program(seed, &config));
        let front = model::read_text(&format!("random-{seed}.pml"), &text);
        assert_eq!(model::first_error(&front), None, "seed {seed}\n{text}");
        let options = [AutomataOptions::OPTIMISED, AutomataOptions::PLAIN][seed as usize / 2 % 2];
        let machine = Machine::new(&front.hir, options).checking_overflow(true);
        compare(&format!("seed {seed}\n{text}"), &machine, 500, &mut all);
    }
    assert!(
        all.models > portion(500) && all.values > portion(100_000) && all.faults > portion(100),
        "{all:?}"
    );
}
