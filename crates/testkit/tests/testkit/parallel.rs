//! Searches in threads agree with those of one thread, on the models of the project and on random
//! programs; see [`beeline_testkit::parallel`] and [`beeline_testkit::rounds`]. `BEELINE_RUNS=600`
//! runs each of them with all seeds of random delays and all numbers of threads.

use beeline_engine::automata::AutomataOptions;
use beeline_promela::printer;
use beeline_test_size::portion;
use beeline_testkit::delayed::{DelayedRun, runs};
use beeline_testkit::generate::{self, Config, Feature};
use beeline_testkit::parallel::check;
use beeline_testkit::{chosen, fixture, model, rounds};

/// The runs of an item: `usual`, or as many as the environment says.
fn of(item: usize, usual: usize) -> Vec<DelayedRun> {
    runs(item, chosen::runs(usual)).collect()
}

#[test]
fn our_models_are_the_same_in_threads() {
    let (mut compared, mut slept) = (0, 0);
    let most = chosen::states(portion(130_000)) as u64;
    for (item, fixture) in fixture::all().into_iter().enumerate() {
        let front = model::read(&fixture.file).expect("our models can be read");
        let options = AutomataOptions::OPTIMISED;
        if let Some(more) = check(&fixture.name, &front.hir, options, &of(item, 6), most) {
            (compared, slept) = (compared + 1, slept + more);
        }
    }
    println!("{compared} models, {slept} slept");
    assert!(compared > 30 && slept > portion(10_000), "{compared} {slept}");
}

#[test]
fn random_programs_are_the_same_in_threads() {
    let more = [(Feature::FailingAssert, 10), (Feature::OutOfBounds, 10)];
    let (mut compared, mut slept) = (0, 0);
    for seed in chosen::seeds(portion(150)) {
        let config = Config::full().with_all(if seed % 2 == 1 { &more } else { &[] });
        let text = printer::print(&generate::program(seed, &config));
        let front = model::read_text(&format!("random-{seed}.pml"), &text);
        let runs = of(seed as usize, 2);
        let name = format!("seed {seed}\n{text}");
        let options = AutomataOptions::OPTIMISED;
        if let Some(more) = check(&name, &front.hir, options, &runs, 50_000) {
            (compared, slept) = (compared + 1, slept + more);
        }
    }
    println!("{compared} programs, {slept} slept");
    assert!(compared > portion(50), "{compared}");
}

#[test]
fn our_models_are_the_same_in_rounds() {
    let (mut searches, mut errors) = (0, 0);
    let most = chosen::states(6_000);
    for (item, fixture) in fixture::all().into_iter().enumerate() {
        let front = model::read(&fixture.file).expect("our models can be read");
        let options = AutomataOptions::OPTIMISED;
        if let Some(more) = rounds::check(&fixture.name, &front.hir, options, &of(item, 6), most) {
            (searches, errors) = (searches + more.searches, errors + more.errors);
        }
    }
    println!("{searches} searches, {errors} errors");
    assert!(searches > portion(100) && errors > portion(20), "{searches} {errors}");
}

#[test]
fn random_programs_are_the_same_in_rounds() {
    let more = [(Feature::FailingAssert, 10), (Feature::OutOfBounds, 10)];
    let (mut searches, mut errors) = (0, 0);
    for seed in chosen::seeds(portion(120)) {
        let config = Config::full().with_all(if seed % 2 == 1 { &more } else { &[] });
        let text = printer::print(&generate::program(seed, &config));
        let front = model::read_text(&format!("random-{seed}.pml"), &text);
        let runs = of(seed as usize, 2);
        let name = format!("seed {seed}\n{text}");
        let options = AutomataOptions::OPTIMISED;
        if let Some(more) = rounds::check(&name, &front.hir, options, &runs, 3_000) {
            (searches, errors) = (searches + more.searches, errors + more.errors);
        }
    }
    println!("{searches} searches, {errors} errors");
    assert!(searches > portion(100) && errors > portion(20), "{searches} {errors}");
}
