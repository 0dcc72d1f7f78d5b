//! Printed programs are read back as the same tree.

use beeline_promela::ast::Program;
use beeline_promela::preprocess::{NoIncludes, PreprocessOptions};
use beeline_promela::{Frontend, printer};
use beeline_testkit::generate::{self, Config};
use beeline_testkit::{chosen, corpus, fixture, model};

fn read(text: &str) -> Frontend {
    beeline_promela::read("printed.pml", text, &mut NoIncludes, &PreprocessOptions::default())
}

/// Prints, reads back, and compares a meaningful program.
fn check(name: &str, program: &Program) {
    let text = printer::print(program);
    let again = read(&text);
    assert_eq!(model::first_error(&again), None, "{name}: the printed text has errors\n{text}");
    check_tree(name, program);
}

/// Prints, reads back, and compares any tree.
fn check_tree(name: &str, program: &Program) {
    let text = printer::print(program);
    let again = read(&text);
    if again.program != *program {
        let once_more = printer::print(&again.program);
        let differs = text.lines().zip(once_more.lines()).find(|(a, b)| a != b);
        panic!("{name}: reads back as another tree, first at {differs:?}\n{text}");
    }
}

#[test]
fn random_trees_survive_printing() {
    for seed in chosen::seeds(600) {
        check_tree(&format!("syntax, seed {seed}"), &generate::program(seed, &Config::syntax()));
        check(&format!("full, seed {seed}"), &generate::program(seed, &Config::full()));
    }
}

#[test]
fn the_models_of_the_project_survive_printing() {
    for fixture in fixture::all() {
        let front = model::read(&fixture.file).expect("our models can be read");
        check(&fixture.name, &front.program);
    }
}

#[test]
fn the_corpus_survives_printing() {
    let Some(corpus) = corpus::corpus_or_skip("printing of the corpus") else {
        return;
    };
    for entry in corpus.entries.iter().filter(|entry| entry.spin_accepts && !entry.embedded_c) {
        let front = model::read(&entry.file).expect("corpus files can be read");
        if !front.diagnostics.has_errors() {
            check(&entry.name, &front.program);
        }
    }
}
