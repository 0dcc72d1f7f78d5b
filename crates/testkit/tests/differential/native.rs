//! Native code finds what the interpreter finds, on the corpus; see [`beeline_testkit::native`].

use beeline_testkit::model::MODES;
use beeline_testkit::native::compare;
use beeline_testkit::{chosen, corpus, model};

#[test]
fn the_corpus_agrees() {
    let Some(corpus) = corpus::corpus_or_skip("native code on the corpus") else {
        return;
    };
    let most = chosen::states(300);
    let (mut compared, mut refused) = (0, 0);
    for entry in corpus.entries.iter().filter(|entry| entry.spin_accepts && !entry.embedded_c) {
        let front = model::read(&entry.file).expect("corpus files can be read");
        if model::first_error(&front).is_some() {
            continue;
        }
        for options in MODES {
            match compare(&entry.name, &front.hir, options, most) {
                Some(_) => compared += 1,
                None => refused += 1,
            }
        }
    }
    assert!(compared >= 800, "only {compared} compared, {refused} not compiled");
}
