//! A reduced space has what the full one has, on the corpus; see [`beeline_testkit::reduction`].
//! `BEELINE_STATES` chooses larger models.

use beeline_engine::automata::AutomataOptions;
use beeline_engine::interpreter::Machine;
use beeline_testkit::reduction::{Compared, compare, invariants};
use beeline_testkit::{chosen, corpus, model};

#[test]
fn the_corpus_is_reduced_soundly() {
    let Some(corpus) = corpus::corpus_or_skip("reduction on the corpus") else {
        return;
    };
    let most = chosen::states(10_000);
    let mut all = Compared::default();
    for entry in corpus.entries.iter().filter(|entry| entry.spin_accepts && !entry.embedded_c) {
        let front = model::read(&entry.file).expect("corpus files can be read");
        if model::first_error(&front).is_some() {
            continue;
        }
        let machine = Machine::new(&front.hir, AutomataOptions::OPTIMISED)
            .with_invariants(invariants(&front.hir));
        compare(&entry.name, &machine, most, &mut all);
    }
    let shares = [0, 1, 2].map(|aim| all.share(aim));
    println!("{} spaces, {} deadlocks, reduced to {shares:?}", all.spaces, all.deadlocks);
    assert!(all.spaces >= 150, "only {} spaces compared", all.spaces);
    assert!(all.broken > 50, "only {} invariants did not hold", all.broken);
}
