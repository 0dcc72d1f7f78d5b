//! The factored view allows all that the machine allows, on the corpus; see
//! [`beeline_testkit::factored`].

use beeline_engine::automata::AutomataOptions;
use beeline_testkit::exact_view::{ExactCompared, check_exact, conclude_exact};
use beeline_testkit::factored::{Compared, check, conclude};
use beeline_testkit::{corpus, model};

#[test]
fn every_move_of_the_corpus_is_a_step() {
    let Some(corpus) = corpus::corpus_or_skip("factored view") else { return };
    let mut compared = Compared::default();
    for entry in corpus.entries.iter().filter(|entry| entry.spin_accepts && !entry.embedded_c) {
        let front = model::read(&entry.file).expect("corpus files can be read");
        check(&entry.name, &front.hir, AutomataOptions::OPTIMISED, &mut compared);
    }
    conclude(&compared);
    assert!(compared.models >= 350, "only {} models", compared.models);
}

#[test]
fn exact_views_of_the_corpus_have_its_states() {
    let Some(corpus) = corpus::corpus_or_skip("exact views") else { return };
    let mut compared = ExactCompared::default();
    for entry in corpus.entries.iter().filter(|entry| entry.spin_accepts && !entry.embedded_c) {
        let front = model::read(&entry.file).expect("corpus files can be read");
        check_exact(&entry.name, &front.hir, AutomataOptions::OPTIMISED, 5_000, &mut compared);
    }
    conclude_exact(&compared);
    assert!(compared.exact >= 330, "only {} are exact", compared.exact);
    assert!(compared.compared >= 150, "only {} models", compared.compared);
}
