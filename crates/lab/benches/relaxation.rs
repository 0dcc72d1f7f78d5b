//! Relaxation heuristics compared with the claim distance: [AWW15] Fig. 2, on the models of the
//! BEEM database.
//!
//! Run it with `bench/relaxation`, which writes `bench/relaxation.tsv` (every run) and
//! `docs/book/relaxation.md` with its figures (the summary). Some of these models have a known
//! error (`relaxed/known.rs`); `relaxed/goal.rs` determines the goal in the others.

mod relaxed;

use std::fs;
use std::path::Path;

use beeline_testkit::corpus::{Corpus, Entry, corpus_or_skip};

use beeline_lab::tool::{beeline, root};
use relaxed::{Instance, SEARCHES, Table, figures, known_error, last_reached, page, run};

/// Time limit of a run in seconds, unless `BEELINE_BENCH_SECONDS` is set.
const SECONDS: f64 = 20.0;

fn main() {
    let file = root().join("bench/relaxation.tsv");
    if std::env::args().any(|word| word == "--page") {
        let table = fs::read_to_string(&file).expect("there is a table");
        return write(&Table::read(&table));
    }
    let Some(corpus) = corpus_or_skip("relaxation heuristics, measured") else { return };
    let wanted = std::env::var("BEELINE_MODEL").unwrap_or_default();
    let limit = std::env::var("BEELINE_BENCH_SECONDS").ok().and_then(|n| n.parse().ok());
    let mut table = Table { limit: limit.unwrap_or(SECONDS), runs: Vec::new() };
    let is_wanted = |entry: &&Entry| {
        entry.group == "beem" && entry.spin_accepts && entry.name.contains(&wanted)
    };
    let beeline = beeline();
    for entry in corpus.entries.iter().filter(is_wanted) {
        let name = Path::new(&entry.name).with_extension("");
        let name = name.file_name().expect("it is a file").to_string_lossy().into_owned();
        let goal = known_error(&name, &entry.file).or_else(|| last_reached(&entry.file));
        let goal = goal.map(|goal| claim(&goal));
        let own = has_deadlock(&corpus, &entry.name).then(|| "deadlock".to_owned());
        for property in goal.into_iter().chain(own) {
            let instance = Instance { model: name.clone(), property };
            let text = fs::read_to_string(&entry.file).expect("it was read before");
            let runs = run(&beeline, &text, &instance, table.limit);
            let solved = runs.iter().filter(|run| run.found.is_some()).count();
            eprintln!("{name}, {}: {solved} of {}", instance.property, SEARCHES.len());
            // An error that no search finds is not useful for comparison.
            if solved > 0 {
                table.runs.extend(runs);
            }
        }
    }
    if wanted.is_empty() {
        fs::write(file, table.text()).expect("the table can be written");
        write(&table);
    } else {
        print!("{}{}", table.text(), page(&table));
    }
}

/// The claim that a condition is never true.
fn claim(goal: &str) -> String {
    format!("never {{ do :: ({goal}) -> break :: else od }}")
}

fn has_deadlock(corpus: &Corpus, name: &str) -> bool {
    let errors = corpus.results.iter().filter(|row| row.name == name);
    errors.filter_map(|row| row.error.as_deref()).any(|error| error.starts_with("invalid end"))
}

fn write(table: &Table) {
    let book = root().join("docs/book");
    fs::write(book.join("relaxation.md"), page(table)).expect("the page can be written");
    fs::create_dir_all(book.join("relaxation")).expect("there is room");
    for (name, svg) in figures(table) {
        fs::write(book.join("relaxation").join(name), svg).expect("so can its figures");
    }
}
