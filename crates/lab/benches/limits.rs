//! Limits: random runs with `--time`, `--memory` and interrupts on models with long trails and huge
//! steps.
//!
//! Run it with `bench/limits`, which writes `bench/limits.tsv`. A run that ends too late is repeated
//! alone, and again: other programs on the machine delay it, too. It fails if a run exceeds its time
//! by more than a tenth and a second, or its memory by more than a tenth and 50 MB, or ends later
//! than a second after an interrupt, or without a valid answer.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use beeline_lab::place::{beeline, root};
use beeline_testkit::limits::{LimitedRun, LimitedTask, RunEnding, limited_run, tasks};
use beeline_testkit::spin::Scratch;
use serde_json::Value;

const RUNS: usize = 200;
const SEED: u64 = 30;
/// The longest limit of time, in milliseconds.
const LONGEST: u32 = 3_000;
/// How often a run that ends too late is repeated.
const REPETITIONS: usize = 3;

fn main() {
    let beeline = beeline();
    let mut words = std::env::args().skip(1).filter(|word| word != "--bench");
    let number = |word: Option<String>| word.map(|word| word.parse().expect("a number"));
    let runs = number(words.next()).unwrap_or(RUNS);
    let seed = number(words.next()).map_or(SEED, |seed| seed as u64);
    let scratch = Scratch::new().expect("there is room for a model");
    let mut table = String::from(
        "run\tmodel\tends by\tafter s\tlate s\tCPU s\tmemory limit MB\tresident MB\texit\tverdict\tmistake\n",
    );
    let mut mistakes = 0;
    for (at, task) in tasks(seed, runs, LONGEST).iter().enumerate() {
        let run = measured(Path::new(&beeline), scratch.path(), task);
        let mistake = mistake(task, &run);
        mistakes += usize::from(mistake.is_some());
        let row = row(at, task, &run, mistake.unwrap_or_default());
        eprint!("{row}");
        table += &row;
    }
    println!("{runs} runs, {mistakes} beyond their limits");
    if runs == RUNS && seed == SEED {
        fs::write(root().join("bench/limits.tsv"), table).expect("the table can be written");
    }
    assert_eq!(mistakes, 0, "runs exceed their limits");
}

/// A run, or the best of several if it ends too late.
fn measured(beeline: &Path, directory: &Path, task: &LimitedTask) -> LimitedRun {
    let mut run = limited_run(beeline, directory, task);
    for _ in 0..REPETITIONS {
        if run.late <= task.most_late() {
            break;
        }
        let again = limited_run(beeline, directory, task);
        if again.late < run.late {
            run = again;
        }
    }
    run
}

fn verdict(run: &LimitedRun) -> Option<String> {
    let said: Value = serde_json::from_str(&run.printed).ok()?;
    said["verdict"].as_str().map(str::to_owned)
}

fn mistake(task: &LimitedTask, run: &LimitedRun) -> Option<&'static str> {
    if run.late > task.most_late() {
        return Some("time");
    }
    if run.resident > task.most_resident() {
        return Some("memory");
    }
    let code = match verdict(run).as_deref() {
        Some("holds") => 0,
        Some("violated") => 1,
        Some("unknown") => 2,
        _ => return Some("answer"),
    };
    (run.exit != code).then_some("exit code")
}

fn row(at: usize, task: &LimitedTask, run: &LimitedRun, mistake: &str) -> String {
    let (by, after) = match task.ending {
        RunEnding::Time(after) => ("time", after),
        RunEnding::Interrupt(after) => ("interrupt", after),
    };
    let mut row = String::new();
    let _ = writeln!(
        row,
        "{at}\t{}\t{by}\t{:.1}\t{:.2}\t{:.2}\t{:.0}\t{:.0}\t{}\t{}\t{mistake}",
        task.family,
        after.as_secs_f64(),
        run.late,
        run.cpu,
        (task.mebibytes << 20) as f64 / 1e6,
        run.resident / 1e6,
        run.exit,
        verdict(run).unwrap_or_default(),
    );
    row
}
