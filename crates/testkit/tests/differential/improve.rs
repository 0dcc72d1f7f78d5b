//! Trails of depth-first search, shortened, on the corpus; see [`beeline_testkit::improvement`].
//! `BEELINE_STATES` sets how many states a search may expand (default 20,000).

use beeline_testkit::checking::promela;
use beeline_testkit::improvement::{Tally, compare};
use beeline_testkit::{corpus, model};

#[test]
fn trails_become_shorter_on_the_corpus() {
    let Some(corpus) = corpus::corpus_or_skip("trail improvement on the corpus") else {
        return;
    };
    let states = std::env::var("BEELINE_STATES").ok().and_then(|n| n.parse().ok());
    let states = states.unwrap_or(20_000);
    let mut tally = Tally::default();
    for entry in corpus.entries.iter().filter(|entry| entry.spin_accepts && !entry.embedded_c) {
        let row = corpus.result(&entry.name, "dfs1_nopor");
        if row.is_none_or(|row| row.errors.is_none_or(|errors| errors == 0)) {
            continue;
        }
        let front = model::read(&entry.file).expect("corpus files can be read");
        if model::first_error(&front).is_none() {
            compare(&entry.name, &promela(&front), states, &mut tally);
        }
    }
    println!("{tally:?}");
    assert!(tally.trails >= 80 && tally.confirmed >= 40, "{tally:?}");
}
