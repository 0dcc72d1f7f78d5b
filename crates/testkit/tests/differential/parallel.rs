//! Searches in threads agree with those of one thread on the corpus; see
//! [`beeline_testkit::parallel`] and [`beeline_testkit::rounds`]. `BEELINE_STATES` is the limit of
//! states: a run with 200,000 takes long. `BEELINE_RUNS` is the number of runs of each model, of 600
//! with all seeds of random delays and all numbers of threads.

use beeline_engine::automata::AutomataOptions;
use beeline_testkit::delayed::runs;
use beeline_testkit::parallel::check;
use beeline_testkit::{chosen, corpus, model, rounds};

#[test]
fn the_corpus_is_the_same_in_threads() {
    let Some(corpus) = corpus::corpus_or_skip("threads on the corpus") else {
        return;
    };
    let most = chosen::states(20_000) as u64;
    let (mut compared, mut slept) = (0, 0);
    let entries = corpus.entries.iter();
    let entries = entries.filter(|entry| entry.spin_accepts && !entry.embedded_c);
    for (item, entry) in entries.enumerate() {
        let runs: Vec<_> = runs(item, chosen::runs(2)).collect();
        let front = model::read(&entry.file).expect("corpus files can be read");
        let options = AutomataOptions::OPTIMISED;
        if model::first_error(&front).is_none()
            && let Some(more) = check(&entry.name, &front.hir, options, &runs, most)
        {
            (compared, slept) = (compared + 1, slept + more);
        }
    }
    println!("{compared} models, {slept} slept");
    assert!(compared > 50 && slept > 10_000, "{compared} {slept}");
}

#[test]
fn the_corpus_is_the_same_in_rounds() {
    let Some(corpus) = corpus::corpus_or_skip("rounds on the corpus") else {
        return;
    };
    let most = chosen::states(3_000);
    let (mut searches, mut errors) = (0, 0);
    let entries = corpus.entries.iter();
    let entries = entries.filter(|entry| entry.spin_accepts && !entry.embedded_c);
    for (item, entry) in entries.enumerate() {
        let runs: Vec<_> = runs(item, chosen::runs(2)).collect();
        let front = model::read(&entry.file).expect("corpus files can be read");
        let options = AutomataOptions::OPTIMISED;
        if model::first_error(&front).is_none()
            && let Some(more) = rounds::check(&entry.name, &front.hir, options, &runs, most)
        {
            (searches, errors) = (searches + more.searches, errors + more.errors);
        }
    }
    println!("{searches} searches, {errors} errors");
    assert!(searches > 200 && errors > 50, "{searches} {errors}");
}
