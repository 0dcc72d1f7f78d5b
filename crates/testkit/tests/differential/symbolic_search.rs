//! Searches on sets of states find shortest paths to the errors of the corpus; see
//! [`beeline_testkit::symbolic_search`]. `BEELINE_STATES` chooses larger models.

use beeline_engine::automata::AutomataOptions;
use beeline_testkit::symbolic_search::{SearchesCompared, check_searches};
use beeline_testkit::{chosen, corpus, model};

#[test]
fn searches_find_shortest_paths_to_the_errors_of_the_corpus() {
    let Some(corpus) = corpus::corpus_or_skip("symbolic searches") else { return };
    let mut compared = SearchesCompared::default();
    for entry in corpus.entries.iter().filter(|entry| entry.spin_accepts && !entry.embedded_c) {
        let front = model::read(&entry.file).expect("corpus files can be read");
        let options = AutomataOptions::OPTIMISED;
        check_searches(&entry.name, &front.hir, options, chosen::states(2_000), &mut compared);
    }
    println!("{}", compared.table);
    let SearchesCompared { exact, errors, absent, searches, stopped, .. } = compared;
    println!(
        "{exact} views, {errors} errors, {absent} absent, {searches} searches, {stopped} stopped"
    );
    assert!(compared.complaints.is_empty(), "{:#?}", compared.complaints);
    assert!(errors - absent >= 40 && searches >= 1_000, "{errors} {absent} {searches}");
}
