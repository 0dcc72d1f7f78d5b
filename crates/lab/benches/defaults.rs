//! The defaults of `beeline check` on models by other people, without options, or with limits only: what it
//! costs beside one exhaustive search, whether one property starves another, and how long it goes on
//! after a violation.
//!
//! Run it with `bench/defaults`; each question has a table of its own, `bench/defaults-cost.tsv` and
//! so on. With the names of questions (`cost`, `starving`, `end`), only those are asked.
//!
//! The environment variable `PAIRS` makes several runs at a time, each bound to two cores of its own.

mod default_spin;

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use beeline_lab::ask::{ask, for_each_by_thread, percent, verdict};
use beeline_lab::place::{beeline, root};
use beeline_lab::tool;
use beeline_testkit::corpus::{Corpus, Entry, ResultRow, Status, corpus_or_skip};
use serde_json::Value;

const MEMORY: &str = "4G";
/// The limit of a search that is compared with another, in seconds.
const LONG: &str = "180s";
/// A check that has not ended after this many seconds is interrupted.
const LATE: &str = "120";
/// A model is large when counting its states takes this many seconds.
const LARGE: f64 = 0.5;
/// The limit of such a count: models that take longer are left out.
const COUNTED: &str = "20s";
const COUNTED_IN_VAIN: &str = "7s";
/// Models with fewer states are not large.
const FEW_STATES: u64 = 200_000;

/// A question with its table and whether its bars are met.
struct Question {
    name: &'static str,
    ask: fn(&Tool, &Corpus) -> (String, bool),
}

/// The measured program, and how many runs are made at a time.
struct Tool {
    beeline: String,
    /// `None`: one run at a time, on whatever cores there are.
    pairs: Option<usize>,
}

impl Tool {
    fn runs(&self) -> usize {
        self.pairs.unwrap_or(1)
    }

    /// The words before a command of the run with this number.
    fn binding(&self, run: usize) -> Vec<String> {
        if self.pairs.is_none() {
            return Vec::new();
        }
        let cores = format!("{},{}", 2 * run, 2 * run + 1);
        vec!["taskset".to_owned(), "-c".to_owned(), cores]
    }
}

const QUESTIONS: [Question; 3] = [
    Question { name: "cost", ask: cost },
    Question { name: "starving", ask: starving },
    Question { name: "end", ask: end },
];

fn main() {
    let Some(corpus) = corpus_or_skip("the defaults of check, measured") else { return };
    let pairs = std::env::var("PAIRS").ok().map(|pairs| pairs.parse().expect("PAIRS is a number"));
    let tool = Tool { beeline: beeline(), pairs };
    let chosen: Vec<String> = std::env::args().skip(1).filter(|word| word != "--bench").collect();
    let is_chosen = |name: &str| chosen.is_empty() || chosen.iter().any(|word| word == name);
    let mut are_met = true;
    for question in QUESTIONS.iter().filter(|question| is_chosen(question.name)) {
        let (table, is_met) = (question.ask)(&tool, &corpus);
        println!("{table}");
        let file = root().join(format!("bench/defaults-{}.tsv", question.name));
        fs::write(file, table).expect("the table can be written");
        are_met &= is_met;
    }
    assert!(are_met, "a bar is not met");
}

fn readable(corpus: &Corpus) -> impl Iterator<Item = &Entry> {
    corpus.entries.iter().filter(|entry| entry.spin_accepts && !entry.embedded_c)
}

fn text(entry: &Entry) -> String {
    entry.file.to_string_lossy().into_owned()
}

/// Seconds on the clock and of all processors.
struct Cost {
    wall: f64,
    cpu: f64,
    said: Value,
}

fn timed(words: &[&str]) -> Cost {
    let ran = tool::run(&root(), words);
    let said = ran.object();
    // `count` has its time at the top, `check` among its statistics.
    let wall = said["seconds"].as_f64().or_else(|| said["stats"]["seconds"].as_f64());
    Cost { wall: wall.expect("both commands tell their time"), cpu: ran.cpu, said }
}

fn properties(said: &Value) -> &[Value] {
    said["properties"].as_array().map_or(&[], Vec::as_slice)
}

fn is(property: &Value, verdict: &str) -> bool {
    property["verdict"] == verdict
}

/// `check` beside `count` on large models without errors, on otherwise idle cores. Each liveness
/// property may take one more pass.
fn cost(tool: &Tool, corpus: &Corpus) -> (String, bool) {
    let mut table =
        String::from("cost\tcount s\tCPU s\tcheck s\tCPU s\tpasses\twall ratio\tCPU ratio\n");
    let entries: Vec<&Entry> = readable(corpus).collect();
    let costs = for_each_by_thread(&entries, tool.runs(), |run, entry| {
        cost_of(tool, run, entry, corpus.result(&entry.name, "full"))
    });
    let (mut walls, mut cpus) = (Vec::new(), Vec::new());
    for (row, wall, cpu) in costs.into_iter().flatten() {
        table += &row;
        walls.push(wall);
        cpus.push(cpu);
    }
    let mean = |all: &[f64]| (all.iter().map(|one| one.ln()).sum::<f64>() / all.len() as f64).exp();
    let most = |all: &[f64]| all.iter().copied().fold(0.0, f64::max);
    let bars = [
        (mean(&walls) <= 1.3, format!("wall {:.2}x in the mean (bar 1.3)", mean(&walls))),
        (most(&walls) <= 2.0, format!("wall {:.2}x at most (bar 2)", most(&walls))),
        (most(&cpus) <= 2.0, format!("CPU {:.2}x at most (bar 2)", most(&cpus))),
    ];
    finished(table, &format!("{} large models without errors", walls.len()), &bars)
}

/// The row of a model with both ratios; `None` if it is not large, or not without errors.
fn cost_of(
    tool: &Tool,
    run: usize,
    entry: &Entry,
    row: Option<&ResultRow>,
) -> Option<(String, f64, f64)> {
    let is_small = |row: &ResultRow| row.stored.is_some_and(|states| states < FEW_STATES);
    if row.is_some_and(|row| row.status == Status::Complete && is_small(row)) {
        return None;
    }
    let file = text(entry);
    // Where SPIN came to no end, most counts do not come to one either.
    let is_complete = row.is_some_and(|row| row.status == Status::Complete);
    let time = if is_complete { COUNTED } else { COUNTED_IN_VAIN };
    let binding = tool.binding(run);
    let timed = |words: &[&str]| {
        let binding = binding.iter().map(String::as_str);
        timed(
            &binding
                .chain([tool.beeline.as_str()])
                .chain(words.iter().copied())
                .collect::<Vec<_>>(),
        )
    };
    // One search, in one thread.
    let limits = ["--json", "--time", time, "--memory", MEMORY, "--jobs", "1"];
    let count = timed(&[&["count", &file][..], &limits].concat());
    if count.said["complete"] != true || count.wall < LARGE {
        return None;
    }
    let words = ["check", &file, "--json", "--no-trail", "--time", LONG];
    let check = timed(&[&words[..], &["--memory", MEMORY]].concat());
    if !properties(&check.said).iter().all(|property| is(property, "holds")) {
        return None;
    }
    let is_live = |property: &&Value| {
        !["deadlock", "assertions", "runtime-errors", "trace"]
            .contains(&property["kind"].as_str().unwrap_or_default())
    };
    let passes = 1 + properties(&check.said).iter().filter(is_live).count();
    let (wall, cpu) =
        (check.wall / (count.wall * passes as f64), check.cpu / (count.cpu * passes as f64));
    let row = format!(
        "{}\t{:.2}\t{:.2}\t{:.2}\t{:.2}\t{passes}\t{wall:.2}\t{cpu:.2}\n",
        entry.name, count.wall, count.cpu, check.wall, check.cpu
    );
    eprint!("{row}");
    Some((row, wall, cpu))
}

/// Properties that a check alone settles within a second, and `check` does not within ten.
fn starving(tool: &Tool, corpus: &Corpus) -> (String, bool) {
    let mut table = String::from("starving\tproperty\talone\n");
    let entries: Vec<&Entry> = readable(corpus).collect();
    let starved = for_each_by_thread(&entries, tool.runs(), |run, entry| {
        let (file, binding) = (text(entry), tool.binding(run));
        let checked = |more: &[&str]| {
            let binding: Vec<&str> = binding.iter().map(String::as_str).collect();
            let words = [&tool.beeline, "check", &file, "--json", "--no-trail", "--memory", MEMORY];
            ask(&[&binding[..], &words, more].concat())
        };
        let all = checked(&["--time", "10s"]);
        let all = properties(&all.said).to_vec();
        if all.len() < 2 {
            return None;
        }
        let open = all.iter().filter(|property| is(property, "unknown"));
        let settled = open.filter_map(|property| {
            let name = property["name"].as_str()?.to_owned();
            let alone = checked(&["--time", "1s", "--property", &name]);
            let said = properties(&alone.said).first()?.clone();
            (!is(&said, "unknown")).then(|| (name, said["verdict"].clone()))
        });
        Some(settled.collect::<Vec<_>>())
    });
    let mut several = 0;
    let mut with_starved = 0;
    for (entry, starved) in entries.iter().zip(&starved) {
        let Some(starved) = starved else { continue };
        several += 1;
        with_starved += usize::from(!starved.is_empty());
        for (name, alone) in starved {
            let _ = writeln!(table, "{}\t{name}\t{}", entry.name, alone.as_str().unwrap_or("?"));
        }
    }
    let share = percent(several - with_starved, several);
    let bar = (share >= 99.0, format!("{share:.1} % have none that starves (bar 99)"));
    finished(table, &format!("{several} models with several properties"), &[bar])
}

/// The end of `check` where SPIN, which stops at the first error, was faster in `bench/auto.tsv`.
fn end(tool: &Tool, corpus: &Corpus) -> (String, bool) {
    let mut table = String::from("end\tSPIN\tits trail\tSPIN s\tcheck s\tmost s\n");
    let before = fs::read_to_string(root().join("bench/auto.tsv")).expect("bench/auto was run");
    let mut late = 0;
    let mut models = 0;
    for line in before.lines().skip(1) {
        let cells: Vec<&str> = line.split('\t').collect();
        let (Ok(ours), Some(Ok(spins))) =
            (cells[2].parse::<f64>(), cells.last().map(|cell| cell.parse::<f64>()))
        else {
            continue;
        };
        if ours <= spins || cells[13] != "violated" {
            continue;
        }
        let Some(entry) = corpus.entries.iter().find(|entry| entry.file.ends_with(cells[0])) else {
            continue;
        };
        let spin = default_spin::run(Path::new(&entry.file), 60);
        let file = text(entry);
        // A limit of time or memory asks for proofs up to it: the end is that of a check without.
        let check = ask(&[
            "timeout",
            "-s",
            "INT",
            LATE,
            &tool.beeline,
            "check",
            &file,
            "--json",
            "--no-trail",
        ]);
        let most = 2.0 * spin.seconds + 10.0;
        models += 1;
        late += usize::from(check.seconds > most);
        let steps = spin.steps.map_or_else(String::new, |steps| steps.to_string());
        let row = format!(
            "{}\t{}\t{steps}\t{:.2}\t{:.2}\t{most:.2}\n",
            entry.name, spin.verdict, spin.seconds, check.seconds
        );
        eprint!("{row}");
        table += &row;
    }
    let bar = (late == 0, format!("{late} take more than twice SPIN's time and 10 s (bar 0)"));
    finished(table, &format!("{models} models where SPIN was faster"), &[bar])
}

/// The table with its summary.
fn finished(mut table: String, about: &str, bars: &[(bool, String)]) -> (String, bool) {
    for (is_met, said) in bars {
        let _ = writeln!(table, "{}: {about}: {said}", verdict(*is_met));
    }
    (table, bars.iter().all(|(is_met, _)| *is_met))
}
