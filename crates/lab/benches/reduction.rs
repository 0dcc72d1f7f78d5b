//! Partial order reduction, measured: the number of remaining states, compared with SPIN; the
//! effect of cycle conditions; the length of trails; and whether it pays off.
//!
//! Run it with `bench/reduction`, which writes `bench/reduction.tsv` (every number) and
//! `docs/book/reduction.md` (the summary). With names of parts, only those are measured again, and
//! the others taken from the table: the page is made from the table alone.

mod reduced;

use std::fs;

use beeline_testkit::corpus::{Corpus, corpus_or_skip};

use beeline_lab::place::{beeline, root};
use reduced::{PARTS, Part, Table, page};

/// The inputs of the parts.
struct Ground {
    corpus: Corpus,
    /// The tool.
    beeline: String,
    /// Part of the name of the models that are measured.
    wanted: String,
}

impl Ground {
    fn wants(&self, model: &str) -> bool {
        model.contains(&self.wanted)
    }
}

fn main() {
    let Some(corpus) = corpus_or_skip("reduction, measured") else { return };
    let words: Vec<String> = std::env::args().skip(1).filter(|word| word != "--bench").collect();
    let is_wanted = |part: &&Part| words.is_empty() || words.iter().any(|word| word == part.name);
    let wanted = std::env::var("BEELINE_MODEL").unwrap_or_default();
    let is_complete = wanted.is_empty();
    let ground = Ground { corpus, beeline: beeline(), wanted };
    let file = root().join("bench/reduction.tsv");
    let before =
        fs::read_to_string(&file).map_or_else(|_| Table::default(), |text| Table::read(&text));
    let mut table = Table::default();
    for part in &PARTS {
        if is_wanted(&part) {
            (part.measure)(&ground, &mut table);
        } else {
            table.take(&before, part.name);
        }
    }
    if is_complete {
        fs::write(file, table.text()).expect("the table can be written");
        fs::write(root().join("docs/book/reduction.md"), page(&table)).expect("so can the page");
    } else {
        print!("{}", table.text());
    }
}
