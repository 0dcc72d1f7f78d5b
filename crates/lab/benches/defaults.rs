//! The defaults of `beeline check` on models by other people, without options, or with limits only: what it
//! costs beside one exhaustive search, whether one property starves another, and how long it goes on
//! after a violation.
//!
//! Run it with `bench/defaults`, which writes `bench/defaults.tsv`; with the names of questions
//! (`cost`, `starving`, `end`), only those are asked and nothing is written.

mod default_spin;

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use beeline_lab::ask::{Asked, ask, for_each, percent, verdict};
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
    ask: fn(&str, &Corpus) -> (String, bool),
}

const QUESTIONS: [Question; 3] = [
    Question { name: "cost", ask: cost },
    Question { name: "starving", ask: starving },
    Question { name: "end", ask: end },
];

fn main() {
    let Some(corpus) = corpus_or_skip("the defaults of check, measured") else { return };
    let beeline = beeline();
    let chosen: Vec<String> = std::env::args().skip(1).filter(|word| word != "--bench").collect();
    let is_chosen = |name: &str| chosen.is_empty() || chosen.iter().any(|word| word == name);
    let mut tables = String::new();
    let mut are_met = true;
    for question in QUESTIONS.iter().filter(|question| is_chosen(question.name)) {
        let (table, is_met) = (question.ask)(&beeline, &corpus);
        println!("{table}");
        tables += &table;
        are_met &= is_met;
    }
    if chosen.is_empty() {
        fs::write(root().join("bench/defaults.tsv"), tables).expect("the table can be written");
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

/// `check` beside `count` on large models without errors, one after the other on an idle machine.
/// Each liveness property may take one more pass.
fn cost(beeline: &str, corpus: &Corpus) -> (String, bool) {
    let mut table =
        String::from("cost\tcount s\tCPU s\tcheck s\tCPU s\tpasses\twall ratio\tCPU ratio\n");
    let (mut walls, mut cpus) = (Vec::new(), Vec::new());
    for entry in readable(corpus) {
        let row = corpus.result(&entry.name, "full");
        let is_small = |row: &ResultRow| row.stored.is_some_and(|states| states < FEW_STATES);
        if row.is_some_and(|row| row.status == Status::Complete && is_small(row)) {
            continue;
        }
        let file = text(entry);
        // Where SPIN came to no end, most counts do not come to one either.
        let is_complete = row.is_some_and(|row| row.status == Status::Complete);
        let time = if is_complete { COUNTED } else { COUNTED_IN_VAIN };
        // One search, in one thread.
        let limits = ["--json", "--time", time, "--memory", MEMORY, "--jobs", "1"];
        let count = timed(&[&[beeline, "count", &file][..], &limits].concat());
        if count.said["complete"] != true || count.wall < LARGE {
            continue;
        }
        let words = [beeline, "check", &file, "--json", "--no-trail", "--time", LONG];
        let check = timed(&[&words[..], &["--memory", MEMORY]].concat());
        if !properties(&check.said).iter().all(|property| is(property, "holds")) {
            continue;
        }
        let is_live = |property: &&Value| {
            !["deadlock", "assertions", "runtime-errors", "trace"]
                .contains(&property["kind"].as_str().unwrap_or_default())
        };
        let passes = 1 + properties(&check.said).iter().filter(is_live).count();
        let (wall, cpu) =
            (check.wall / (count.wall * passes as f64), check.cpu / (count.cpu * passes as f64));
        walls.push(wall);
        cpus.push(cpu);
        let row = format!(
            "{}\t{:.2}\t{:.2}\t{:.2}\t{:.2}\t{passes}\t{wall:.2}\t{cpu:.2}\n",
            entry.name, count.wall, count.cpu, check.wall, check.cpu
        );
        eprint!("{row}");
        table += &row;
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

/// Properties that a check alone settles within a second, and `check` does not within ten.
fn starving(beeline: &str, corpus: &Corpus) -> (String, bool) {
    let mut table = String::from("starving\tproperty\talone\n");
    let entries: Vec<&Entry> = readable(corpus).collect();
    let starved = for_each(&entries, 1, |entry| {
        let file = text(entry);
        let checked = |more: &[&str]| -> Asked {
            let words = [beeline, "check", &file, "--json", "--no-trail", "--memory", MEMORY];
            ask(&[&words[..], more].concat())
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
fn end(beeline: &str, corpus: &Corpus) -> (String, bool) {
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
        let check =
            ask(&["timeout", "-s", "INT", LATE, beeline, "check", &file, "--json", "--no-trail"]);
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
