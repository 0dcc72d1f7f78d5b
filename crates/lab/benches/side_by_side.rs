//! Beeline against SPIN, side by side: speed and memory of an exhaustive search, the
//! time from file to verdict on small models, and how the cost per state grows.
//!
//! Run it with `bench/run`; with names, only models whose name contains one of them, and with
//! `growth`, only the growth of the cost. Both tools use SPIN's default translator settings, one
//! thread, no reduction, and keep every state exactly; they must store equally many states. Times
//! are CPU time of the shell's `times`, the least of several alternating runs: the machines are
//! noisy, and the least disturbed run is nearest to the truth.

use std::path::Path;
use std::process::Command;
use std::time::Instant;

use beeline_testkit::spin::Scratch;

use beeline_lab::speed_models::{SpeedModel, named};
use beeline_lab::tool::{beeline, field, root, run};

/// Runs of each tool, alternating; enough for an undisturbed one of each.
const RUNS: usize = 5;

/// Under 1,000 states.
const SMALL: &[&str] = &["philosophers", "peterson", "alternating_bit", "leader", "waiting_room"];

/// The number before some words.
fn before(output: &str, words: &str) -> Option<f64> {
    let line = output.lines().find(|line| line.contains(words))?;
    line.split_whitespace().next()?.parse().ok()
}

/// The minimum of several values.
#[derive(Clone, Copy)]
struct Least(f64);

impl Least {
    fn take(&mut self, seconds: f64) {
        self.0 = self.0.min(seconds);
    }
}

/// Builds `pan` and returns its arguments, with a stack just deep enough.
fn pan(directory: &Path, file: &Path, defines: &[&str]) -> Option<Vec<String>> {
    let mut words = vec!["spin", "-a"];
    words.extend(defines);
    let name = file.to_string_lossy();
    words.push(&name);
    run(directory, &words);
    let gcc = ["gcc", "-O2", "-w", "-DNOREDUCE", "-DSAFETY", "-DNOCLAIM", "-DVECTORSZ=4096"];
    run(directory, &[&gcc[..], &["-o", "pan", "pan.c"]].concat());
    let first = run(directory, &["./pan", "-c0", "-m10000000"]);
    let (_, depth) = first.output.split_once("depth reached ")?;
    let depth: u64 = depth.split(',').next()?.parse().ok()?;
    Some(vec!["./pan".to_owned(), "-c0".to_owned(), format!("-m{}", depth + 10)])
}

/// One row of the table: the ratios of depth-first, breadth-first and memory.
fn compare(case: &SpeedModel, beeline: &str) -> Option<[f64; 3]> {
    let file = case.path()?;
    let scratch = Scratch::new().expect("a scratch directory");
    let pan = pan(scratch.path(), &file, case.defines)?;
    let pan: Vec<&str> = pan.iter().map(String::as_str).collect();
    let name = file.to_string_lossy();
    let count = |search: &str, store: &str| {
        let mut words = vec![beeline, "count", &name, "--json", "--memory", "12G", "--jobs", "1"];
        words.extend(case.defines);
        words.extend(["--search", search, "--store", store]);
        run(scratch.path(), &words)
    };
    let [mut spin, mut dfs, mut bfs, mut compact] = [Least(f64::MAX); 4];
    let [mut stored, mut spin_bytes, mut our_bytes] = [0.0; 3];
    let [mut compact_bytes, mut compact_table] = [0.0; 2];
    for _ in 0..RUNS {
        let ran = run(scratch.path(), &pan);
        spin.take(ran.cpu);
        stored = before(&ran.output, "states, stored").expect("pan counts states");
        let megabytes = before(&ran.output, "total actual memory usage").expect("pan counts bytes");
        spin_bytes = megabytes * 1024.0 * 1024.0 / stored;
        let ran = count("dfs", "exact");
        assert_eq!(field(&ran.output, "stored"), stored, "{}: states", case.name);
        our_bytes = field(&ran.output, "peak_bytes") / stored;
        dfs.take(ran.cpu);
        bfs.take(count("bfs", "exact").cpu);
        let ran = count("bfs", "compact");
        let table = field(&ran.output, "table_bytes");
        compact_bytes = (field(&ran.output, "store_bytes") - table) / stored;
        compact_table = table / stored;
        compact.take(ran.cpu);
    }
    let rates = [spin, dfs, bfs, compact].map(|least| stored / least.0 / 1e6);
    let ratios = [spin.0 / dfs.0, spin.0 / bfs.0, our_bytes / spin_bytes];
    println!(
        "| {} | {stored} | {:.2} | {:.2} | {:.1} | {:.2} | {:.1} | {:.2} | {spin_bytes:.0} | {our_bytes:.0} | {:.2} | {compact_bytes:.1} + {compact_table:.1} |",
        case.name, rates[0], rates[1], ratios[0], rates[2], ratios[1], rates[3], ratios[2],
    );
    Some(ratios)
}

fn mean(values: &[f64]) -> f64 {
    (values.iter().map(|value| value.ln()).sum::<f64>() / values.len() as f64).exp()
}

/// The time from file to verdict on small models, in milliseconds.
fn small(beeline: &str) {
    println!("\n| small model | spin, gcc -O2, pan (ms) | beeline check (ms) | ratio |");
    println!("|---|---|---|---|");
    for name in SMALL {
        let file = root().join(format!("models/{name}.pml")).canonicalize().expect("a model");
        let scratch = Scratch::new().expect("a scratch directory");
        let file = file.to_string_lossy();
        let script = format!(
            "spin -a '{file}' >/dev/null && gcc -O2 -w -DNOREDUCE -DSAFETY -o pan pan.c && ./pan >/dev/null"
        );
        let [mut theirs, mut ours] = [Least(f64::MAX); 2];
        let time = |words: &[&str]| {
            let start = Instant::now();
            let output =
                Command::new(words[0]).args(&words[1..]).current_dir(scratch.path()).output();
            output.expect("it runs");
            start.elapsed().as_secs_f64() * 1e3
        };
        for _ in 0..RUNS {
            theirs.take(time(&["bash", "-c", &script]));
            ours.take(time(&[beeline, "check", &file, "--quiet", "--no-trail"]));
        }
        println!("| {name} | {:.0} | {:.1} | {:.0} |", theirs.0, ours.0, theirs.0 / ours.0);
    }
}

/// Grids of N counters up to MAX: from 10^5 to 10^7 states with the same processes, and with a
/// growing number of processes, so that a state has more successors, too.
const GRIDS: [[&str; 2]; 5] = [
    ["-DN=5", "-DMAX=9"],
    ["-DN=5", "-DMAX=15"],
    ["-DN=5", "-DMAX=24"],
    ["-DN=6", "-DMAX=9"],
    ["-DN=7", "-DMAX=9"],
];

/// The growth of the cost per state with the number of states.
fn growth(beeline: &str) {
    println!(
        "\n| counter grid | states | steps per state | ns per state, depth-first | × | breadth-first | × |"
    );
    println!("|---|---|---|---|---|---|---|");
    let scratch = Scratch::new().expect("a scratch directory");
    let file = root().join("models/grid.pml").canonicalize().expect("a model");
    let file = file.to_string_lossy();
    let mut costs = [[Least(f64::MAX); 2]; GRIDS.len()];
    let [mut states, mut steps] = [[0.0; GRIDS.len()]; 2];
    // Alternating, so that disturbances of the machine affect all of them.
    for _ in 0..RUNS {
        for (at, [counters, most]) in GRIDS.into_iter().enumerate() {
            for (search, least) in ["dfs", "bfs"].into_iter().zip(&mut costs[at]) {
                let words = [beeline, "count", &file, "--json", counters, most, "--search", search];
                let output = run(scratch.path(), &words).output;
                states[at] = field(&output, "stored");
                steps[at] = field(&output, "transitions") / states[at];
                least.take(field(&output, "seconds") / states[at] * 1e9);
            }
        }
    }
    for (at, grid) in GRIDS.into_iter().enumerate() {
        let [dfs, bfs] = costs[at].map(|least| least.0);
        let [dfs_growth, bfs_growth] = [dfs / costs[0][0].0, bfs / costs[0][1].0];
        println!(
            "| {} | {} | {:.1} | {dfs:.0} | {dfs_growth:.2} | {bfs:.0} | {bfs_growth:.2} |",
            grid.join(" "),
            states[at],
            steps[at],
        );
    }
}

fn main() {
    let wanted: Vec<String> =
        std::env::args().skip(1).filter(|word| !word.starts_with("--")).collect();
    if wanted == ["growth"] {
        return growth(&beeline());
    }
    let cases = named(&wanted).unwrap_or_else(|message| {
        eprintln!("{message}");
        std::process::exit(2);
    });
    let beeline = beeline();
    println!("Rates in million states per CPU second; bytes per state, all-in.\n");
    println!(
        "| model | states | pan dfs | dfs | × | bfs | × | compact bfs | pan B | exact B | × | compact B |"
    );
    println!("|---|---|---|---|---|---|---|---|---|---|---|---|");
    let mut all: Vec<[f64; 3]> = Vec::new();
    for case in cases {
        match compare(case, &beeline) {
            Some(ratios) => all.push(ratios),
            None => println!("| {} | not here | | | | | | | | | | |", case.name),
        }
    }
    if all.is_empty() {
        return;
    }
    let column = |at: usize| all.iter().map(|ratios| ratios[at]).collect::<Vec<f64>>();
    let least = |values: &[f64]| values.iter().copied().fold(f64::MAX, f64::min);
    let most = |values: &[f64]| values.iter().copied().fold(0.0, f64::max);
    println!(
        "\nGeometric means: depth-first {:.2}× (least {:.2}×), breadth-first {:.2}× (least {:.2}×), memory {:.2}× (most {:.2}×).",
        mean(&column(0)),
        least(&column(0)),
        mean(&column(1)),
        least(&column(1)),
        mean(&column(2)),
        most(&column(2)),
    );
    if wanted.is_empty() {
        small(&beeline);
        growth(&beeline);
    }
}
