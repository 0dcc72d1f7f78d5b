//! Shortened trails: models like those of [ELL01], one method at a time and all together, and the
//! depth-first trails of the corpus.
//!
//! Run it with `bench/improve`, which writes `bench/improve.tsv` (every run) and
//! `docs/book/improve.md` (the summary). It fails if a trail grows, or if a shortened one cannot be
//! replayed.

mod families;

use std::fmt::Write as _;
use std::fs;

use beeline_lab::ask::{ask, for_each, percent, verdict};
use beeline_lab::place::{beeline, root};
use beeline_testkit::corpus::{Corpus, Status, corpus_or_skip};
use beeline_testkit::spin::Scratch;
use serde_json::Value;

/// Time limit of depth-first search for an error.
const TO_FIND: &str = "3s";
/// Time limit of `improve`.
const TO_IMPROVE: &str = "10s";
/// Time limit of a search for the shortest trail.
const TO_PROVE: &str = "20s";
const MEMORY: &str = "2G";
/// Models measured in parallel: each run has one thread.
const THREADS: usize = 2;
/// Ratios to the shortest trail: at least this is bad, at most that is good enough.
const BAD: f64 = 2.0;
const GOOD: f64 = 1.1;

/// A trail of depth-first search, and its shortened form.
struct Shortened {
    model: String,
    kind: &'static str,
    given: u64,
    steps: u64,
    /// The method that found the shortest form.
    by: String,
    seconds: f64,
    /// A lower bound of the length; if it is proved, the length of a shortest trail.
    least: u64,
    /// The method of the proof that a trail has this length, if any.
    proof: Option<String>,
}

impl Shortened {
    fn is_bad(&self) -> bool {
        self.given as f64 > BAD * self.least as f64
    }

    fn is_good(&self) -> bool {
        self.steps as f64 <= GOOD * self.least as f64
    }
}

fn main() {
    let beeline = beeline();
    let wanted: Vec<String> = std::env::args().skip(1).filter(|word| word != "--bench").collect();
    let is_wanted =
        |name: &str| wanted.is_empty() || wanted.iter().any(|word| name.contains(word.as_str()));
    let families = families::measure(&beeline, is_wanted);
    let mut page = families::page(&families);
    let Some(corpus) = corpus_or_skip("improved trails on the corpus") else { return };
    let tasks = tasks(&corpus, is_wanted);
    let found = for_each(&tasks, THREADS, |(name, file, kind)| {
        let one = shorten(&beeline, name, file, kind);
        if let Some(Shortened { given, steps, least, by, .. }) = &one {
            eprintln!("{name} {kind}: {given} to {steps} by {by}, at least {least}");
        }
        one
    });
    let all: Vec<Shortened> = found.into_iter().flatten().collect();
    page += &corpus_page(&all, tasks.len());
    if !wanted.is_empty() {
        print!("{page}");
        return;
    }
    let rows = table(&all) + &families::rows(&families);
    fs::write(root().join("bench/improve.tsv"), rows).expect("the table can be written");
    fs::write(root().join("docs/book/improve.md"), page).expect("so can the page");
}

/// Models that may have errors, with the kind of error: all models except those that SPIN has
/// proved correct; the kind that SPIN found if it found one, and both otherwise.
fn tasks(corpus: &Corpus, is_wanted: impl Fn(&str) -> bool) -> Vec<(String, String, &'static str)> {
    let mut tasks = Vec::new();
    for entry in corpus.entries.iter().filter(|entry| entry.spin_accepts && !entry.embedded_c) {
        let full = corpus.result(&entry.name, "full");
        let is_safe =
            full.is_some_and(|row| row.status == Status::Complete && row.errors == Some(0));
        if is_wanted(&entry.name) && !is_safe {
            let file = entry.file.to_string_lossy().into_owned();
            let kinds = match known_error(corpus, &entry.name) {
                Some(kind) => vec![kind],
                None => vec!["deadlock", "assertions"],
            };
            tasks.extend(kinds.into_iter().map(|kind| (entry.name.clone(), file.clone(), kind)));
        }
    }
    tasks
}

/// SPIN's error of a model, as a property of ours.
fn known_error(corpus: &Corpus, name: &str) -> Option<&'static str> {
    let mut rows = ["dfs1_nopor", "bfs1"].into_iter().filter_map(|run| corpus.result(name, run));
    let error = rows.find_map(|row| row.error.as_deref().filter(|error| !error.is_empty()))?;
    Some(if error.starts_with("invalid end state") { "deadlock" } else { "assertions" })
}

/// Finds an error depth-first, shortens its trail, and computes the shortest length.
fn shorten(beeline: &str, name: &str, file: &str, kind: &'static str) -> Option<Shortened> {
    let scratch = Scratch::new().expect("a scratch directory");
    let place = |name: &str| scratch.path().join(name).to_string_lossy().into_owned();
    let (long, short) = (place("long.trail"), place("short.trail"));
    let check = |search: &str, time: &str| {
        let words = ["check", file, "--json", "--property", kind, "--search", search];
        let limits = ["--time", time, "--memory", MEMORY, "--trail", &long];
        let said = ask(&[&[beeline], &words[..], &limits].concat()).said;
        (said["verdict"] == "violated").then(|| said["properties"][0]["trail"].clone())
    };
    let given = check("dfs", TO_FIND)?["steps"].as_u64()?;
    let words = ["improve", file, &long, "--json", "--trail", &short];
    let limits = ["--time", TO_IMPROVE, "--memory", MEMORY];
    let improved = ask(&[&[beeline], &words[..], &limits].concat());
    let said = &improved.said;
    let steps = said["trail"]["length"].as_u64().unwrap_or_else(|| panic!("{name}: {said}"));
    assert!(steps <= given, "{name}: a trail grows from {given} to {steps}");
    if steps < given {
        let replayed = ask(&[beeline, "replay", file, &short, "--json"]);
        assert_eq!(replayed.exit, 0, "{name}: the trail cannot be followed");
    }
    let last = said["improvements"].as_array().and_then(|all| all.last());
    let by = last.map_or("-", |last| last["by"].as_str().unwrap_or("-")).to_owned();
    let mut least = said["lower_bound"].as_u64().unwrap_or(0).max(1);
    let mut proof = (said["shortest"] == true).then(|| "improve".to_owned());
    let admissible = if kind == "deadlock" {
        "astar(dangerous-states(half))"
    } else {
        "astar(assertion-distance)"
    };
    for search in ["dijkstra", admissible] {
        if proof.is_some() {
            break;
        }
        let Some(trail) = check(search, TO_PROVE) else { continue };
        // A trail to another failing statement may be shorter than any to this one.
        if trail["shortest"] == true {
            least = trail["steps"].as_u64().unwrap_or(least);
            proof = Some(search.to_owned());
        }
    }
    let model = name.to_owned();
    Some(Shortened { model, kind, given, steps, by, seconds: improved.seconds, least, proof })
}

/// Every trail, one in a line.
fn table(all: &[Shortened]) -> String {
    let mut out =
        "model\tkind\tgiven\timproved\tby\tseconds\tshortest or more\tproved by\n".to_owned();
    for Shortened { model, kind, given, steps, by, seconds, least, proof } in all {
        let proof = proof.as_deref().unwrap_or("");
        writeln!(out, "{model}\t{kind}\t{given}\t{steps}\t{by}\t{seconds:.2}\t{least}\t{proof}")
            .expect("it is a string");
    }
    out
}

fn corpus_page(all: &[Shortened], tried: usize) -> String {
    let bad: Vec<_> = all.iter().filter(|one| one.is_bad()).collect();
    let good = bad.iter().filter(|one| one.is_good()).count();
    let optimal = all.iter().filter(|one| one.proof.is_some() && one.steps == one.least).count();
    let proved = all.iter().filter(|one| one.proof.is_some()).count();
    let share = percent(good, bad.len());
    let mut out = format!(
        "\n## Other people's models\n\n\
         {tried} pairs of a corpus model and a kind of error, deadlock or failed assertion, were\n\
         tried: all but the models that SPIN has proved to be without errors, with the kind that\n\
         SPIN finds in them, and both where it finds none. In {} of them our depth-first search finds an error within {TO_FIND}; its trail is given to\n\
         `beeline improve --time {TO_IMPROVE}`, with {MEMORY} of memory, {THREADS} models at a time on a\n\
         machine with two cores that ran other programs as well. No trail became longer, and `beeline replay`\n\
         follows each shortened trail. All of them are in `bench/improve.tsv`.\n\n\
         The length of a shortest trail is known for {proved}: where `improve` did not prove it,\n\
         `dijkstra` or A\\* with an admissible heuristic had {TO_PROVE} each. For the others it is replaced by a\n\
         lower bound, so that their ratios are overestimated. In the end,\n\
         {optimal} of the {proved} are shortest.\n\n\
         **{}**: of {} depth-first trails longer than {BAD} × the shortest, {good} ({share:.0} %) end\n\
         within {GOOD} × of it; at least half of them should.\n\n\
         | length, as a multiple of the shortest | depth-first | improved |\n\
         |---|---|---|\n",
        all.len(),
        verdict(2 * good >= bad.len()),
        bad.len(),
    );
    let classes = [(1.0, "1"), (1.1, "≤ 1.1"), (2.0, "≤ 2"), (10.0, "≤ 10"), (f64::MAX, "> 10")];
    let mut above = -1.0;
    for (most, name) in classes {
        let count = |steps: fn(&Shortened) -> u64| {
            let ratio = |one: &Shortened| steps(one) as f64 / one.least as f64;
            all.iter().map(ratio).filter(|&ratio| ratio > above && ratio <= most).count()
        };
        let (before, after) = (count(|one| one.given), count(|one| one.steps));
        writeln!(out, "| {name} | {before} | {after} |").expect("it is a string");
        above = most;
    }
    out += &format!(
        "\nTrails that do not end within {GOOD} ×:\n\n\
         | model | error | depth-first | improved | by | shortest | s |\n\
         |---|---|---|---|---|---|---|\n"
    );
    for one in bad.iter().filter(|one| !one.is_good()) {
        let Shortened { model, kind, given, steps, by, seconds, least, proof } = one;
        let least = if proof.is_some() { format!("{least}") } else { format!("≥ {least}") };
        writeln!(out, "| {model} | {kind} | {given} | {steps} | {by} | {least} | {seconds:.1} |")
            .expect("it is a string");
    }
    out += "\nMethods that made the last improvement:\n\n| method | trails |\n|---|---|\n";
    let mut names: Vec<&str> = all.iter().map(|one| &*one.by).collect();
    names.sort_unstable();
    for group in names.chunk_by(|one, two| one == two) {
        let name = if group[0] == "-" { "none" } else { group[0] };
        writeln!(out, "| {name} | {} |", group.len()).expect("it is a string");
    }
    out
}

/// A number of a JSON object, 0 where there is none.
fn number(value: &Value) -> u64 {
    value.as_u64().unwrap_or(0)
}
