//! What is printed reads back as the same tree: models of the project and random trees.

use beeline_testkit::generate::{self, Config};
use beeline_testkit::roundtrip::{check, check_tree};
use beeline_testkit::{chosen, fixture, model};

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
