//! What is printed reads back as the same tree: the corpus.

use beeline_testkit::roundtrip::check;
use beeline_testkit::{corpus, model};

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
