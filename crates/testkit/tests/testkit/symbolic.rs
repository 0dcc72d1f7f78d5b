//! Sets of states have the states of the interpreter, on the models of the project and on random
//! programs; see [`beeline_testkit::symbolic`].

use beeline_test_size::portion;
use beeline_testkit::generate::{self, Config, Feature};
use beeline_testkit::model::MODES;
use beeline_testkit::symbolic::{SymbolicCompared, check_counts};
use beeline_testkit::symbolic_search::{SearchesCompared, check_searches};
use beeline_testkit::{chosen, fixture, model};

#[test]
fn the_models_of_the_project_are_counted() {
    let mut compared = SymbolicCompared::default();
    for fixture in fixture::all() {
        let front = model::read(&fixture.file).expect("our models can be read");
        for options in MODES {
            check_counts(&fixture.name, &front.hir, options, None, portion(20_000), &mut compared);
        }
    }
    assert!(compared.complaints.is_empty(), "{:#?}", compared.complaints);
    assert!(compared.exact >= 60 && compared.counts >= portion(170), "{compared:?}");
}

/// `&&` and `||` look at an index out of range or not; where they do not, it is a legal branch.
#[test]
fn indices_out_of_range_beside_a_condition_are_counted() {
    for [first, second] in [
        ["i < 3 && a[i] == 0", "i > 2 || a[i] == 1"],
        ["a[i] == 0 && i < 3", "i > 2 || a[i] == 1"],
        ["i < 3 && a[i] == 0", "a[i] == 1 || i > 2"],
        ["!(i > 2 || a[i] != 0)", "!(i < 3 && a[i] == 0)"],
    ] {
        let text = format!(
            "byte a[3]; byte i = 5; byte n;
            active proctype P() {{ do :: n < 3 && ({first}) -> n++ :: n < 4 && ({second}) -> n++
                :: i > 0 -> i-- :: n > 1 -> a[n - 2] = 1 - a[n - 2]; n = 0 :: i == 0 -> break od }}"
        );
        let front = model::read_text("an index", &text);
        assert_eq!(model::first_error(&front), None);
        for options in MODES {
            let mut compared = SymbolicCompared::default();
            check_counts(&text, &front.hir, options, None, 10_000, &mut compared);
            assert!(compared.complaints.is_empty(), "{:#?}", compared.complaints);
            assert!(compared.exact == 1 && compared.counts > 0, "{compared:?}");
            assert!(compared.states > 500, "{compared:?}");
        }
    }
}

#[test]
fn searches_find_shortest_paths_to_the_errors_of_the_models_of_the_project() {
    let mut compared = SearchesCompared::default();
    for fixture in fixture::all() {
        let front = model::read(&fixture.file).expect("our models can be read");
        for options in MODES {
            check_searches(&fixture.name, &front.hir, options, portion(2_000), &mut compared);
        }
    }
    println!("{}", compared.table);
    assert!(compared.complaints.is_empty(), "{:#?}", compared.complaints);
    let SearchesCompared { exact, errors, absent, searches, .. } = compared;
    println!("{exact} views, {errors} errors, {absent} absent, {searches} searches");
    assert!(
        exact >= 60 && errors - absent >= portion(20) && searches >= portion(500),
        "{compared:?}"
    );
    assert!(compared.informed >= portion(250), "{}", compared.informed);
}

#[test]
fn searches_find_shortest_paths_to_the_errors_of_random_programs() {
    let mut compared = SearchesCompared::default();
    for seed in chosen::seeds(portion(200)) {
        let Some(text) = random_program(seed) else { continue };
        let front = model::read_text("random", &text);
        let options = MODES[seed as usize / 2 % 2];
        check_searches(&format!("seed {seed}"), &front.hir, options, 1_000, &mut compared);
    }
    assert!(compared.complaints.is_empty(), "{:#?}", compared.complaints);
    let SearchesCompared { errors, absent, searches, .. } = compared;
    println!("{errors} errors, {absent} absent, {searches} searches");
    assert!(
        errors - absent >= portion(50) && searches >= portion(600),
        "{errors} {absent} {searches}"
    );
}

/// A random program without errors of the front-end.
fn random_program(seed: u64) -> Option<String> {
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
    model::first_error(&model::read_text("random", &text)).is_none().then_some(text)
}

#[test]
fn random_programs_are_counted() {
    let mut compared = SymbolicCompared::default();
    for seed in chosen::seeds(portion(200)) {
        let Some(text) = random_program(seed) else { continue };
        let front = model::read_text("random", &text);
        let options = MODES[seed as usize / 2 % 2];
        let name = format!("seed {seed}");
        check_counts(&name, &front.hir, options, None, 3_000, &mut compared);
    }
    println!("{compared:?}");
    assert!(compared.complaints.is_empty(), "{:#?}", compared.complaints);
    assert!(compared.counts >= portion(200), "{compared:?}");
}
