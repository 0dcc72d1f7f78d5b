//! The automatic strategy of `beeline check` on models by other people: are its verdicts right,
//! does it find the errors of single searches, with trails as short, and does it prove what can be
//! proved? For comparison, SPIN with its defaults.
//!
//! Run it with `bench/auto`, which writes `bench/auto.tsv` (every model) and
//! `docs/book/auto-measured.md` (the summary). Single searches are those of `bench/quality.tsv`,
//! and some with the full time where those or the automatic strategy found nothing.

mod default_spin;
mod measured;

use std::collections::BTreeMap;
use std::fs;

use beeline_lab::ask::{ask, for_each};
use beeline_lab::place::{beeline, root};
use beeline_testkit::corpus::{Corpus, Entry, Status, corpus_or_skip};
use default_spin::Rival;

const MEMORY: &str = "4G";
/// Models measured in parallel.
const THREADS: usize = 2;
const KINDS: [&str; 2] = ["deadlock", "assertions"];
/// The searches with the full time where others found nothing.
const SINGLES: [&str; 4] = ["dfs", "random-dfs", "gbfs", "bfs"];

/// The truth about a model.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Truth {
    Safe,
    Violated,
    /// SPIN's verifier reports an error that is neither a deadlock nor an assertion.
    Complaint,
}

/// A trail, and the search that found it.
#[derive(Clone)]
struct Trail {
    steps: u64,
    by: String,
}

/// The result of the automatic strategy for a property.
struct Said {
    verdict: String,
    trail: Option<Trail>,
}

/// A model with its results.
struct Run {
    model: String,
    truth: Truth,
    /// By kind.
    said: [Said; 2],
    seconds: f64,
    /// The best trail of a single search, by kind.
    single: [Option<Trail>; 2],
    spin: Rival,
}

impl Run {
    fn is_violated(&self) -> bool {
        self.said.iter().any(|said| said.verdict == "violated")
    }

    fn is_proved(&self) -> bool {
        self.said.iter().all(|said| said.verdict == "holds")
    }

    fn is_wrong(&self) -> bool {
        match self.truth {
            Truth::Safe => self.is_violated(),
            Truth::Violated => self.is_proved(),
            Truth::Complaint => false,
        }
    }
}

fn main() {
    let Some(corpus) = corpus_or_skip("the automatic strategy, measured") else { return };
    let seconds = std::env::var("BEELINE_BENCH_SECONDS").ok().and_then(|n| n.parse().ok());
    let seconds: u64 = seconds.unwrap_or(60);
    let mut wanted: Vec<String> =
        std::env::args().skip(1).filter(|word| word != "--bench").collect();
    let is_again = wanted.iter().any(|word| word == "--again");
    wanted.retain(|word| word != "--again");
    let (mut tasks, mut unknown) = (Vec::new(), Vec::new());
    for entry in corpus.entries.iter().filter(|entry| entry.spin_accepts && !entry.embedded_c) {
        match truth(&corpus, &entry.name) {
            Some(truth) => tasks.push((entry, truth)),
            None => unknown.push(entry.name.clone()),
        }
    }
    let mut runs = if is_again { read_table(&tasks) } else { Vec::new() };
    if !is_again || !wanted.is_empty() {
        let is_wanted = |name: &str| wanted.iter().any(|word| name.contains(word.as_str()));
        tasks.retain(|(entry, _)| wanted.is_empty() || is_wanted(&entry.name));
        for run in measure(&tasks, seconds) {
            match runs.iter_mut().find(|before| before.model == run.model) {
                Some(before) => *before = run,
                None => runs.push(run),
            }
        }
    }
    if wanted.is_empty() || is_again {
        write(&runs, &unknown, seconds);
    } else {
        print!("{}", measured::page(&runs, &unknown, seconds));
    }
}

/// The results for these models.
fn measure(tasks: &[(&Entry, Truth)], seconds: u64) -> Vec<Run> {
    let (beeline, known) = (beeline(), known_trails());
    for_each(tasks, THREADS, |(entry, truth)| {
        let file = entry.file.to_string_lossy();
        let (said, took) = automatic(&beeline, &file, seconds);
        let mut single =
            KINDS.map(|kind| known.get(&(entry.name.clone(), kind.to_owned())).cloned());
        if *truth == Truth::Violated {
            let has_none = single.iter().all(Option::is_none);
            for (at, kind) in KINDS.iter().enumerate() {
                let is_missed = single[at].is_some() && said[at].trail.is_none();
                if has_none || is_missed {
                    let more = singles(&beeline, &file, kind, seconds);
                    single[at] = shorter(single[at].take(), more);
                }
            }
        }
        let spin = default_spin::run(&entry.file, seconds);
        let model = entry.name.clone();
        let run = Run { model, truth: *truth, said, seconds: took, single, spin };
        eprintln!("{}: {} {}, {took:.1} s", run.model, run.said[0].verdict, run.said[1].verdict);
        run
    })
}

/// The results in the table.
fn read_table(tasks: &[(&Entry, Truth)]) -> Vec<Run> {
    let known = |name: &str| {
        let task = tasks.iter().find(|(entry, _)| entry.name == name);
        task.map(|(_, truth)| *truth)
    };
    let text = fs::read_to_string(root().join("bench/auto.tsv")).expect("it is there");
    text.lines().skip(1).filter_map(|line| read(line, known)).collect()
}

fn write(runs: &[Run], unknown: &[String], seconds: u64) {
    let page = measured::page(runs, unknown, seconds);
    fs::write(root().join("bench/auto.tsv"), measured::table(runs)).expect("it can be written");
    fs::write(root().join("docs/book/auto-measured.md"), page).expect("so can the page");
}

/// SPIN's result for deadlocks and assertions.
fn truth(corpus: &Corpus, name: &str) -> Option<Truth> {
    let rows = corpus.results.iter().filter(|row| row.name == name);
    // xr and xs are only checked with reduction, as in searches for cycles.
    let is_safety = |config: &str| !config.starts_with("acc") && config != "np";
    let is_promise = |error: &str| error.ends_with("partial order reduction invalid");
    let errors = rows.filter_map(|row| Some((row.config.as_str(), row.error.as_deref()?)));
    let found = errors.filter(|&(config, error)| is_safety(config) || is_promise(error));
    let found = found.map(|(_, error)| error).filter(|error| !error.is_empty());
    let found: Vec<&str> = found.collect();
    let kinds = ["invalid end state", "assertion violated"];
    if found.iter().any(|error| kinds.iter().any(|kind| error.starts_with(kind))) {
        return Some(Truth::Violated);
    }
    // Such as the number of fields in a receive, or a violation of exclusivity.
    if !found.is_empty() {
        return Some(Truth::Complaint);
    }
    let full = corpus.result(name, "full").filter(|row| row.status == Status::Complete)?;
    (full.errors == Some(0)).then_some(Truth::Safe)
}

/// A line of the table, if the truth about the model is known.
fn read(line: &str, known: impl Fn(&str) -> Option<Truth>) -> Option<Run> {
    let fields: Vec<&str> = line.split('\t').collect();
    let trail = |steps: usize, by: usize| {
        let (steps, by) = (fields[steps].parse().ok()?, fields[by].to_owned());
        Some(Trail { steps, by })
    };
    let spin = ["violated", "holds", "unknown"].into_iter().find(|word| *word == fields[13])?;
    Some(Run {
        model: fields[0].to_owned(),
        truth: known(fields[0])?,
        said: [3, 8]
            .map(|at| Said { verdict: fields[at].to_owned(), trail: trail(at + 1, at + 2) }),
        seconds: fields[2].parse().ok()?,
        single: [3, 8].map(|at| trail(at + 4, at + 3)),
        spin: Rival {
            verdict: spin,
            steps: fields[14].parse().ok(),
            seconds: fields[15].parse().ok()?,
        },
    })
}

fn automatic(beeline: &str, file: &str, seconds: u64) -> ([Said; 2], f64) {
    let limit = format!("{seconds}s");
    let mut words = vec![beeline, "check", file, "--json", "--no-trail"];
    words.extend(KINDS.iter().flat_map(|kind| ["--property", kind]));
    words.extend(["--property", "runtime-errors"]);
    words.extend(["--time", &limit, "--memory", MEMORY]);
    let asked = ask(&words);
    if asked.said.is_null() {
        eprintln!("{file}: no answer, exit code {}", asked.exit);
    }
    let said = |name: &str| {
        let all = asked.said["properties"].as_array();
        let property = all.and_then(|all| all.iter().find(|one| one["name"] == name));
        let property = property.cloned().unwrap_or_default();
        let by = property["found_by"].as_str().unwrap_or_default().to_owned();
        Said {
            verdict: property["verdict"].as_str().unwrap_or("none").to_owned(),
            trail: property["trail"]["steps"].as_u64().map(|steps| Trail { steps, by }),
        }
    };
    let faults = worse(said("assertions"), said("runtime-errors"));
    ([said("deadlock"), faults], asked.seconds)
}

/// Run-time errors are counted with the assertions, as SPIN counts them.
fn worse(assertions: Said, errors: Said) -> Said {
    if errors.verdict == "holds" {
        return assertions;
    }
    let is_violated = |said: &Said| said.verdict == "violated";
    match (is_violated(&assertions), is_violated(&errors)) {
        (true, true) => {
            let trail = shorter(assertions.trail, errors.trail);
            Said { trail, verdict: assertions.verdict }
        }
        (true, false) => assertions,
        _ => errors,
    }
}

/// The best trail of single searches.
fn singles(beeline: &str, file: &str, kind: &str, seconds: u64) -> Option<Trail> {
    let limit = format!("{seconds}s");
    let search = |search: &&str| {
        let words = [beeline, "check", file, "--json", "--no-trail", "--property", kind];
        let rest = ["--search", search, "--time", &limit, "--memory", MEMORY];
        let said = ask(&[&words[..], &rest].concat()).said;
        let steps = said["properties"][0]["trail"]["steps"].as_u64()?;
        Some(Trail { steps, by: (*search).to_owned() })
    };
    SINGLES.iter().filter_map(search).min_by_key(|trail| trail.steps)
}

fn shorter(one: Option<Trail>, two: Option<Trail>) -> Option<Trail> {
    one.into_iter().chain(two).min_by_key(|trail| trail.steps)
}

/// The shortest trails of `bench/quality.tsv`, by model and kind.
fn known_trails() -> BTreeMap<(String, String), Trail> {
    let text = fs::read_to_string(root().join("bench/quality.tsv")).expect("it is there");
    let mut known: BTreeMap<(String, String), Trail> = BTreeMap::new();
    for line in text.lines().skip(1) {
        let fields: Vec<&str> = line.split('\t').collect();
        let [model, kind, search, _, steps, ..] = &fields[..] else { continue };
        let steps = steps.parse().expect("steps are a number");
        let trail = Trail { steps, by: (*search).to_owned() };
        let place = known.entry(((*model).to_owned(), (*kind).to_owned()));
        let best = place.or_insert_with(|| trail.clone());
        if trail.steps < best.steps {
            *best = trail;
        }
    }
    known
}
