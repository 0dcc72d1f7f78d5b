//! The effect of estimates of the whole system on the automatic strategy: states stored and time
//! until an error is found, with them and without, for every error of the corpus.
//!
//! Run it with `bench/estimates`, which writes `bench/estimates.tsv` (every error) and
//! `docs/book/estimates.md` (the summary).

mod foreseen;

use std::fs;
use std::path::Path;

use beeline_testkit::corpus::{Corpus, corpus_or_skip};
use serde_json::Value;

use beeline_lab::tool::{Ran, beeline, field, root, run};
use foreseen::{Found, Row, WAYS, page, read, table};

/// Time limit of a run in seconds, unless `BEELINE_BENCH_SECONDS` is set.
const SECONDS: u64 = 20;
/// The number of runs, of which the fastest counts.
const RUNS: usize = 3;

fn main() {
    let file = root().join("bench/estimates.tsv");
    let known = fs::read_to_string(&file).ok();
    let write_page = |rows: &[Row]| {
        fs::write(root().join("docs/book/estimates.md"), page(rows)).expect("it can be written");
    };
    if std::env::args().any(|word| word == "--page") {
        return write_page(&read(&known.expect("there is a table")));
    }
    let Some(corpus) = corpus_or_skip("estimates, measured") else { return };
    let seconds = std::env::var("BEELINE_BENCH_SECONDS").ok().and_then(|n| n.parse().ok());
    let limit = format!("{}s", seconds.unwrap_or(SECONDS));
    let beeline = beeline();
    let errors = match &known {
        Some(table) => {
            read(table).into_iter().map(|Row { model, property, .. }| (model, property)).collect()
        }
        None => errors(&beeline, &corpus, &limit),
    };
    let mut rows = Vec::new();
    for (model, property) in errors {
        let file = corpus.root.join(&model);
        let found = WAYS.map(|way| measure(&beeline, &file, &property, way, &limit));
        eprintln!("{model}, {property}: {:?}", found.each_ref().map(|one| one.stored));
        rows.push(Row { model, property, found });
    }
    fs::write(file, table(&rows)).expect("the table can be written");
    write_page(&rows);
}

/// The command line of a check that ends with the first violation.
fn words<'a>(beeline: &'a str, file: &'a str, way: &'a str, limit: &'a str) -> Vec<&'a str> {
    let what = [beeline, "check", file, "--json", "--no-trail", "--no-improve", "--jobs", "1"];
    let how = ["--search", way, "--time", limit, "--memory", "3G"];
    [&what[..], &how].concat()
}

/// The violated properties of each model.
fn errors(beeline: &str, corpus: &Corpus, limit: &str) -> Vec<(String, String)> {
    let mut errors = Vec::new();
    for entry in corpus.entries.iter().filter(|entry| entry.spin_accepts && !entry.embedded_c) {
        let file = entry.file.to_string_lossy();
        let said = said(&run(&root(), &words(beeline, &file, WAYS[0], limit)));
        for property in said["properties"].as_array().into_iter().flatten() {
            if property["verdict"] == "violated" {
                let name = property["name"].as_str().unwrap_or_default().to_owned();
                errors.push((entry.name.clone(), name));
            }
        }
    }
    errors
}

/// The JSON output of a run.
fn said(ran: &Ran) -> Value {
    let line = ran.output.lines().next().unwrap_or_default();
    serde_json::from_str(line).unwrap_or(Value::Null)
}

/// Searches for an error with one configuration.
fn measure(beeline: &str, file: &Path, property: &str, way: &str, limit: &str) -> Found {
    let file = file.to_string_lossy();
    let mut words = words(beeline, &file, way, limit);
    words.extend(["--property", property]);
    let runs: Vec<Ran> = (0..RUNS).map(|_| run(&root(), &words)).collect();
    let said = said(&runs[0]);
    let is_found = said["properties"][0]["verdict"] == "violated";
    Found {
        stored: is_found.then(|| field(&runs[0].output, "stored") as u64),
        seconds: runs.iter().map(|ran| ran.cpu).fold(f64::INFINITY, f64::min),
        by: said["properties"][0]["found_by"].as_str().unwrap_or_default().to_owned(),
    }
}
