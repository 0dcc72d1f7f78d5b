//! Value ranges contain what the interpreter computes, on the corpus; see
//! [`beeline_testkit::value_ranges`].

use beeline_engine::automata::AutomataOptions;
use beeline_engine::interpreter::Machine;
use beeline_testkit::value_ranges::{RangesCompared, compare};
use beeline_testkit::{chosen, corpus, model};

#[test]
fn the_corpus_stays_in_its_ranges() {
    let Some(corpus) = corpus::corpus_or_skip("value ranges on the corpus") else {
        return;
    };
    let most = chosen::states(1_000);
    let mut all = RangesCompared::default();
    for entry in corpus.entries.iter().filter(|entry| entry.spin_accepts && !entry.embedded_c) {
        let front = model::read(&entry.file).expect("corpus files can be read");
        if model::first_error(&front).is_some() {
            continue;
        }
        let machine = Machine::new(&front.hir, AutomataOptions::OPTIMISED);
        compare(&entry.name, &machine.checking_overflow(true), most, &mut all);
    }
    println!("{all:?}");
    assert!(all.models >= 400, "{all:?}");
}
