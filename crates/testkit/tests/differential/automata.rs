//! Our automata are those of SPIN's `pan -d`: on the project's own models, on
//! the corpus and on random programs, merged and plain.
//!
//! The remaining differences are listed, with their reasons, in `tests/differences/automata.tsv`;
//! `UPDATE_EXPECT=1` rewrites it.

use std::path::Path;

use beeline_engine::automata::{self, AutomataOptions};
use beeline_promela::printer;
use beeline_testkit::generate::{self, Config};
use beeline_testkit::spin::{self, OracleError, Scratch, Translator};
use beeline_testkit::{chosen, compare, corpus, fixture, model};
use expect_test::expect_file;

const MODES: [(Translator, AutomataOptions); 2] = [
    (Translator::Default, AutomataOptions::OPTIMISED),
    (Translator::Plain, AutomataOptions::PLAIN),
];

/// The differences; `Err` when SPIN has no result.
fn check(file: &Path) -> Result<Vec<String>, OracleError> {
    let front = model::read(file).expect("models can be read");
    let error = model::first_error(&front);
    assert_eq!(error, None, "{}", file.display());
    let mut found = Vec::new();
    for (translator, options) in MODES {
        let pan = spin::automata(file, translator)?;
        let ours = automata::build(&front.hir, options);
        let lines = compare::differences(&front.hir, &ours, &pan);
        found.extend(lines.into_iter().map(|line| format!("{translator:?}: {line}")));
    }
    Ok(found)
}

#[test]
fn the_models_of_the_project_agree() {
    if !spin::available_or_skip("automata of the project's models") {
        return;
    }
    for fixture in fixture::all() {
        let found = check(&fixture.file).expect("SPIN compiles our own models");
        assert!(found.is_empty(), "{}:\n{}", fixture.name, found.join("\n"));
    }
}

#[test]
fn the_corpus_agrees() {
    let Some(corpus) = corpus::corpus_or_skip("automata of the corpus") else {
        return;
    };
    if !spin::available_or_skip("automata of the corpus") {
        return;
    }
    let mut table = String::from("model\tdifference\n");
    let (mut compared, mut differ) = (0, 0);
    for entry in corpus.entries.iter().filter(|entry| entry.spin_accepts && !entry.embedded_c) {
        compared += 1;
        let lines = match check(&entry.file) {
            Ok(found) => found,
            Err(OracleError::Compile(_)) => {
                vec!["SPIN's own verifier does not compile: nothing to compare with".to_owned()]
            }
            Err(error) => vec![format!("UNEXPLAINED: {error}")],
        };
        differ += usize::from(!lines.is_empty());
        for line in lines {
            table += &format!("{}\t{line}\n", entry.name);
        }
    }
    assert!(compared >= 450, "only {compared} models were compared");
    expect_file!["../differences/automata.tsv"].assert_eq(&table);
    assert!(differ * 50 <= compared, "more than 2 % differ:\n{table}");
    assert!(!table.contains("UNEXPLAINED"), "{table}");
}

#[test]
fn random_programs_agree() {
    if !spin::available_or_skip("automata of random programs") {
        return;
    }
    let scratch = Scratch::new().expect("a scratch directory");
    for seed in chosen::seeds(150) {
        let text = printer::print(&generate::program(seed, &Config::full()));
        let file = scratch.path().join(format!("random-{seed}.pml"));
        std::fs::write(&file, &text).expect("scratch files can be written");
        let found = check(&file).unwrap_or_else(|error| panic!("seed {seed}: {error}\n{text}"));
        assert!(found.is_empty(), "seed {seed}:\n{}\n{text}", found.join("\n"));
    }
}
