//! Sets of states have SPIN's counts on the corpus; see [`beeline_testkit::symbolic`].
//! `BEELINE_STATES` chooses larger models.

use beeline_engine::automata::AutomataOptions;
use beeline_testkit::symbolic::{SymbolicCompared, check_counts};
use beeline_testkit::{chosen, corpus, model};

#[test]
fn the_corpus_is_counted() {
    let Some(corpus) = corpus::corpus_or_skip("symbolic counts") else { return };
    let mut compared = SymbolicCompared::default();
    for entry in corpus.entries.iter().filter(|entry| entry.spin_accepts && !entry.embedded_c) {
        let front = model::read(&entry.file).expect("corpus files can be read");
        let options = AutomataOptions::OPTIMISED;
        let most = chosen::states(20_000);
        check_counts(&entry.name, &front.hir, options, None, most, &mut compared);
    }
    println!("{compared:?}");
    assert!(compared.complaints.is_empty(), "{:#?}", compared.complaints);
    assert!(compared.exact >= 330, "only {} views are exact", compared.exact);
    assert!(compared.counts >= 450, "only {} counts", compared.counts);
}
