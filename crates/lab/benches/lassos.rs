//! Lassos of violated liveness properties, in the form of Table 5 of [ELL01]: those of searches for
//! cycles, of the two-phase improvement, of the automatic strategy, the shortest ones, and SPIN's.
//!
//! Run it with `bench/lassos`, which writes `bench/lassos.tsv` (every property) and
//! `docs/book/lassos.md` (the summary). It fails if searches disagree, if one ends without a
//! result, or if a lasso is shorter than one that is proved to be shortest.

mod lasso_page;
mod spin_lasso;
mod two_phases;

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use beeline_lab::ask::{ask, for_each};
use beeline_lab::place::{beeline, root};
use beeline_testkit::corpus::{Corpus, corpus_or_skip};
use beeline_testkit::fixture;
use serde_json::Value;
use spin_lasso::Theirs;
use two_phases::{Parts, Phases};

const MEMORY: &str = "3G";
/// Properties measured in parallel: each run has one thread.
const THREADS: usize = 2;
/// A run is killed after this many times its limit.
const PATIENCE: u64 = 3;
/// The searches for any cycle.
const SEARCHES: [&str; 3] = ["ndfs", "indfs", "scc"];

/// A property that a cycle violates, or may violate.
struct Task {
    model: String,
    file: PathBuf,
    property: String,
}

/// The result of a search.
#[derive(Clone)]
struct Said {
    verdict: String,
    /// `None` if it ends without a cycle.
    parts: Option<Parts>,
    steps: Option<u64>,
    shortest: bool,
    bound: u64,
    stored: u64,
    transitions: u64,
    seconds: f64,
}

/// A property with its results.
struct Row {
    model: String,
    property: String,
    searches: Vec<Said>,
    phases: Vec<Option<Phases>>,
    auto: Said,
    /// The search for the shortest lasso.
    bfs: Said,
    spin: Theirs,
}

impl Row {
    fn said(&self) -> impl Iterator<Item = (&str, &Said)> {
        let last = [("auto", &self.auto), ("bfs", &self.bfs)];
        SEARCHES.iter().copied().zip(&self.searches).chain(last)
    }

    /// The length of the shortest lasso, if it is proved.
    fn least(&self) -> Option<u64> {
        [&self.bfs, &self.auto].into_iter().find_map(|said| said.steps.filter(|_| said.shortest))
    }

    /// A lower bound of the length.
    fn bound(&self) -> u64 {
        self.least().unwrap_or_else(|| self.said().map(|(_, said)| said.bound).max().unwrap_or(0))
    }

    /// The shortest lasso of all our searches.
    fn best(&self) -> Option<u64> {
        let improved = self.phases.iter().flatten().map(|phases| phases.improved.total());
        self.said().filter_map(|(_, said)| said.steps).chain(improved).min()
    }

    fn is_cycle(&self) -> bool {
        self.said().any(|(_, said)| said.parts.is_some())
    }

    /// Contradictions in the results.
    fn problems(&self) -> Vec<String> {
        let mut problems = Vec::new();
        let verdicts: Vec<String> =
            self.said().map(|(name, said)| format!("{name} {}", said.verdict)).collect();
        let any = |verdict: &str| self.said().any(|(_, said)| said.verdict == verdict);
        if any("violated") && any("holds") {
            problems.push(format!("the searches disagree: {}", verdicts.join(", ")));
        }
        if any("none") {
            problems.push(format!("no answer: {}", verdicts.join(", ")));
        }
        if any("holds") && self.spin.parts.is_some() {
            problems.push(format!("SPIN finds a cycle: {}", verdicts.join(", ")));
        }
        if let (Some(least), Some(best)) = (self.least(), self.best())
            && best < least
        {
            problems.push(format!("{least} steps are not the least, since {best} do"));
        }
        for (name, (said, phases)) in SEARCHES.iter().zip(self.searches.iter().zip(&self.phases)) {
            if let (Some(steps), Some(phases)) = (said.parts, phases) {
                if phases.found != steps {
                    problems.push(format!("{name} finds {steps:?} and {:?}", phases.found));
                }
                if phases.improved.total() > phases.found.total() {
                    problems.push(format!("a lasso of {name} grows"));
                }
            }
        }
        problems.into_iter().map(|it| format!("{} {}: {it}", self.model, self.property)).collect()
    }
}

fn main() {
    let seconds = std::env::var("BEELINE_BENCH_SECONDS").ok().and_then(|n| n.parse().ok());
    let seconds: u64 = seconds.unwrap_or(20);
    let beeline = beeline();
    let wanted: Vec<String> = std::env::args().skip(1).filter(|word| word != "--bench").collect();
    let mut tasks = ours();
    match corpus_or_skip("lassos of the corpus") {
        Some(corpus) => tasks.extend(theirs(&corpus)),
        None => assert!(!wanted.is_empty(), "nothing is written without the corpus"),
    }
    let is_wanted = |task: &Task| wanted.iter().any(|word| task.model.contains(word.as_str()));
    tasks.retain(|task| wanted.is_empty() || is_wanted(task));
    let rows = for_each(&tasks, THREADS, |task| {
        let row = measure(&beeline, task, seconds);
        let steps = |said: &Said| said.steps.map_or("-".to_owned(), |steps| steps.to_string());
        let all: Vec<String> =
            row.said().map(|(name, said)| format!("{name} {}", steps(said))).collect();
        eprintln!("{} {}: {}", row.model, row.property, all.join(", "));
        row
    });
    let problems: Vec<String> = rows.iter().flat_map(Row::problems).collect();
    let page = lasso_page::page(&rows, &problems, seconds);
    if wanted.is_empty() {
        fs::write(root().join("bench/lassos.tsv"), lasso_page::table(&rows))
            .expect("it is written");
        fs::write(root().join("docs/book/lassos.md"), page).expect("so is the page");
    } else {
        print!("{page}");
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

/// The properties of our own models that are violated according to their headers.
fn ours() -> Vec<Task> {
    let mut tasks = Vec::new();
    for fixture in fixture::all() {
        let header = fixture.text.lines().next().unwrap_or_default();
        let header = header.trim_start_matches("/* expect: ").trim_end_matches(" */");
        for clause in header.split("; ") {
            let words: Vec<&str> = clause.split_whitespace().collect();
            let property = match &words[..] {
                ["ltl", name, "violated"] => name,
                ["never", "violated"] => "never",
                ["non-progress", "cycle"] => "progress",
                _ => continue,
            };
            let model = format!("models/{}.pml", fixture.name);
            let file = fixture.file.canonicalize().expect("it was read");
            tasks.push(Task { model, file, property: property.to_owned() });
        }
    }
    tasks
}

/// The properties of the corpus in which SPIN finds a cycle, and those for which it only reports
/// that its reduction is not applicable.
fn theirs(corpus: &Corpus) -> Vec<Task> {
    let mut tasks = Vec::new();
    for row in &corpus.results {
        let error = row.error.as_deref().unwrap_or_default();
        let kinds = ["acceptance cycle", "non-progress cycle", "error, partial order reduction"];
        let entry = corpus.entries.iter().find(|entry| entry.name == row.name);
        let Some(entry) = entry.filter(|entry| !entry.embedded_c) else { continue };
        if !kinds.iter().any(|kind| error.starts_with(kind)) {
            continue;
        }
        let property = match row.config.split_once(':') {
            Some((_, name)) => name,
            None if row.config == "np" => "progress",
            None if two_phases::has_never_claim(&entry.file) => "never",
            None => "acceptance",
        };
        let (model, file) = (entry.name.clone(), entry.file.clone());
        tasks.push(Task { model, file, property: property.to_owned() });
    }
    tasks
}

fn measure(beeline: &str, task: &Task, seconds: u64) -> Row {
    let Task { model, file, property } = task;
    let check = |search: &str| check(beeline, file, property, search, seconds);
    let limit = Duration::from_secs(seconds);
    Row {
        model: model.clone(),
        property: property.clone(),
        searches: SEARCHES.iter().map(|search| check(search)).collect(),
        phases: two_phases::improve(file, property, &SEARCHES, limit),
        auto: check("auto"),
        bfs: check("bfs"),
        spin: spin_lasso::search(beeline, file, property, seconds),
    }
}

fn check(beeline: &str, file: &Path, property: &str, search: &str, seconds: u64) -> Said {
    let (file, limit) = (file.to_string_lossy(), format!("{seconds}s"));
    // A run that does not stop by itself has no result.
    let patience = (PATIENCE * seconds).to_string();
    let begin = ["timeout", &patience, beeline, "check", &file];
    let words = ["--json", "--no-trail", "--property", property];
    let rest = ["--search", search, "--time", &limit, "--memory", MEMORY];
    let asked = ask(&[&begin[..], &words, &rest].concat());
    if asked.said.is_null() {
        eprintln!("{file} {property}: {search} has no answer, exit code {}", asked.exit);
    }
    let said = &asked.said;
    let (one, stats) = (&said["properties"][0], &said["stats"]);
    let trail = &one["trail"];
    let number = |value: &Value| value.as_u64().unwrap_or(0);
    let steps = trail["steps"].as_u64();
    let parts = steps.zip(trail["cycle_start"].as_u64());
    Said {
        verdict: one["verdict"].as_str().unwrap_or("none").to_owned(),
        parts: parts.map(|(steps, seed)| Parts { seed, cycle: steps - seed }),
        steps,
        shortest: trail["shortest"] == true,
        bound: number(&trail["lower_bound"]),
        stored: number(&stats["stored"]),
        transitions: number(&stats["transitions"]),
        seconds: asked.seconds,
    }
}
