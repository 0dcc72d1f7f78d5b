//! Sleep sets are sound on the corpus; see [`beeline_testkit::sleep_sets`].

use beeline_engine::automata::AutomataOptions;
use beeline_testkit::sleep_sets::{Seen, check};
use beeline_testkit::{chosen, corpus, model};

#[test]
fn sleepers_of_the_corpus_make_no_difference() {
    let Some(corpus) = corpus::corpus_or_skip("sleepers of the corpus") else {
        return;
    };
    let most = chosen::states(100);
    let mut seen = Seen::default();
    for entry in corpus.entries.iter().filter(|entry| entry.spin_accepts && !entry.embedded_c) {
        let front = model::read(&entry.file).expect("corpus files can be read");
        if model::first_error(&front).is_none() {
            let more = check(&entry.name, &front.hir, AutomataOptions::OPTIMISED, most, 20 * most);
            seen.add(&more.unwrap_or_default());
        }
    }
    println!("{} of {} undisturbed, {} slept", seen.undisturbed, seen.asked, seen.slept);
    assert!(seen.undisturbed > 10_000 && seen.slept > 10_000);
}
