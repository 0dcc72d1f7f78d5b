//! Sets of states have the states of the interpreter, on the models of the project and on random
//! programs; see [`beeline_testkit::symbolic`].

use beeline_testkit::generate::{self, Config, Feature};
use beeline_testkit::model::MODES;
use beeline_testkit::symbolic::{SymbolicCompared, check_counts};
use beeline_testkit::{chosen, fixture, model};

#[test]
fn the_models_of_the_project_are_counted() {
    let mut compared = SymbolicCompared::default();
    for fixture in fixture::all() {
        let front = model::read(&fixture.file).expect("our models can be read");
        for options in MODES {
            check_counts(&fixture.name, &front.hir, options, None, 20_000, &mut compared);
        }
    }
    assert!(compared.complaints.is_empty(), "{:#?}", compared.complaints);
    assert!(compared.exact >= 60 && compared.counts >= 170, "{compared:?}");
}

#[test]
fn random_programs_are_counted() {
    let mut compared = SymbolicCompared::default();
    for seed in chosen::seeds(200) {
        let rare = [
            (Feature::DStep, 8),
            (Feature::Unless, 15),
            (Feature::OutOfBounds, 4),
            (Feature::DivideByZero, 4),
            (Feature::Provided, 10),
            (Feature::FailingAssert, 8),
            (Feature::Atomic, 25),
        ];
        let config = match seed % 2 {
            0 => Config::full(),
            _ => Config::full().with_all(&rare),
        };
        let text = beeline_promela::printer::print(&generate::program(seed, &config));
        let front = model::read_text("random", &text);
        if model::first_error(&front).is_some() {
            continue;
        }
        let options = MODES[seed as usize / 2 % 2];
        let name = format!("seed {seed}");
        check_counts(&name, &front.hir, options, None, 3_000, &mut compared);
    }
    assert!(compared.complaints.is_empty(), "{:#?}", compared.complaints);
    assert!(compared.counts >= 200, "{compared:?}");
}
