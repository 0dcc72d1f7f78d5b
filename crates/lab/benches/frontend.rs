//! The speed of the front-end, as a table with a limit for each row.
//!
//! Run it with `cargo bench -p beeline-lab --bench frontend`; words after `--` select sections by
//! name. The binary is built first, unless the environment variable `BEELINE_BIN` names one.
//! `BEELINE_CORPUS` is the directory of the corpus.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use beeline_testkit::corpus::{Corpus, corpus_or_skip};
use beeline_testkit::model;
use beeline_testkit::pathological::GROUPS;

/// Limit for the start-up of the binary.
const START: Duration = Duration::from_millis(5);
/// Limit for `lint` of the largest models of the corpus.
const LINT: Duration = Duration::from_millis(50);
/// Limit for the answer to any input.
const ANSWER: Duration = Duration::from_secs(2);

fn main() {
    let words: Vec<String> = std::env::args().skip(1).filter(|word| word != "--bench").collect();
    let wanted = |section: &str| words.is_empty() || words.iter().any(|word| word == section);
    println!("{}\n", machine());
    let binary = binary();
    let corpus = corpus_or_skip("the corpus sections of this bench");
    if wanted("start") {
        start(&binary);
    }
    if let Some(corpus) = &corpus {
        if wanted("largest") {
            largest(corpus, &binary);
        }
        if wanted("corpus") {
            throughput(corpus);
        }
    }
    if wanted("pathological") {
        pathological();
    }
}

/// The machine of the measurement.
fn machine() -> String {
    let cores = std::thread::available_parallelism().map_or(0, usize::from);
    let info = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = info.lines().find_map(|line| line.strip_prefix("model name")?.split(": ").nth(1));
    let rustc = Command::new("rustc").arg("--version").output();
    let rustc = rustc.map(|output| String::from_utf8_lossy(&output.stdout).trim().to_owned());
    format!(
        "Machine: {cores} cores, {}; {}",
        model.unwrap_or("unknown processor"),
        rustc.unwrap_or_else(|_| "unknown rustc".to_owned())
    )
}

/// The release binary, built now unless the environment names one.
fn binary() -> PathBuf {
    if let Some(path) = std::env::var_os("BEELINE_BIN") {
        return path.into();
    }
    let built = Command::new(env!("CARGO"))
        .args(["build", "--quiet", "--release", "--package", "beeline"])
        .status()
        .is_ok_and(|status| status.success());
    assert!(built, "cargo cannot build the binary");
    // Benches are in `release/deps`, next to the binary.
    let here = std::env::current_exe().expect("a running program has a path");
    let path = here.parent().and_then(Path::parent).expect("it lies in a target directory");
    path.join(format!("beeline{}", std::env::consts::EXE_SUFFIX))
}

/// The times of a number of runs, ascending.
fn times(runs: usize, mut work: impl FnMut()) -> Vec<Duration> {
    let mut times: Vec<Duration> = (0..runs)
        .map(|_| {
            let start = Instant::now();
            work();
            start.elapsed()
        })
        .collect();
    times.sort();
    times
}

fn spawn(binary: &Path, args: &[&str]) {
    let status = Command::new(binary)
        .args(args)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
    status.unwrap_or_else(|error| panic!("{}: {error}", binary.display()));
}

fn millis(time: Duration) -> String {
    format!("{:.2} ms", time.as_secs_f64() * 1e3)
}

fn seconds(time: Duration) -> String {
    format!("{:.3} s", time.as_secs_f64())
}

fn verdict(time: Duration, bar: Duration) -> &'static str {
    if time <= bar { "PASS" } else { "FAIL" }
}

fn start(binary: &Path) {
    println!("## Start-up\n");
    println!("`beeline --version`, 50 runs; the bar of {} is for the median.\n", millis(START));
    println!("| fastest | median | |\n|--:|--:|---|");
    spawn(binary, &["--version"]);
    let times = times(50, || spawn(binary, &["--version"]));
    let median = times[times.len() / 2];
    println!("| {} | {} | {} |\n", millis(times[0]), millis(median), verdict(median, START));
}

fn largest(corpus: &Corpus, binary: &Path) {
    let size = |file: &Path| std::fs::metadata(file).map_or(0, |data| data.len());
    let mut entries: Vec<_> =
        corpus.entries.iter().map(|entry| (size(&entry.file), entry)).collect();
    entries.sort_by(|a, b| b.0.cmp(&a.0).then(a.1.name.cmp(&b.1.name)));
    println!("## `lint` of the largest models of the corpus\n");
    println!("Median of 21 runs; the bar of {} is for the binary.\n", millis(LINT));
    println!("| model | bytes | with includes | library | binary | |\n|---|--:|--:|--:|--:|---|");
    for (bytes, entry) in entries.iter().take(10) {
        let read = || model::read(&entry.file).expect("corpus files can be read");
        let library = times(21, || drop(read()))[10];
        let file = entry.file.to_string_lossy();
        let whole = times(21, || spawn(binary, &["lint", &file]))[10];
        let all = read_bytes(&read());
        let (library, verdict) = (millis(library), verdict(whole, LINT));
        println!(
            "| {} | {bytes} | {all} | {library} | {} | {verdict} |",
            entry.name,
            millis(whole)
        );
    }
    println!();
}

/// The size of all files of a model.
fn read_bytes(front: &beeline_promela::Frontend) -> usize {
    front.sources.files().filter(|file| !file.synthetic).map(|file| file.text.len()).sum()
}

fn throughput(corpus: &Corpus) {
    println!("## The whole corpus\n");
    let mut bytes = 0;
    let time = times(3, || {
        bytes = 0;
        for entry in &corpus.entries {
            bytes += read_bytes(&model::read(&entry.file).expect("corpus files can be read"));
        }
    })[0];
    let count = corpus.entries.len();
    let rate = |amount: usize| amount as f64 / time.as_secs_f64();
    println!("Read by the library, fastest of 3 runs.\n");
    println!("| models | bytes | time | models/s | MB/s |\n|--:|--:|--:|--:|--:|");
    println!(
        "| {count} | {bytes} | {} | {:.0} | {:.1} |\n",
        seconds(time),
        rate(count),
        rate(bytes) / 1e6
    );
}

fn pathological() {
    println!("## Pathological inputs\n");
    println!("`lint`: by the library; the bar is {}. Twice: the same", seconds(ANSWER));
    println!("at twice the size, as a multiple. All: also both automata and all dumps.\n");
    println!("| group | input | bytes | lint | | twice | all |\n|---|---|--:|--:|---|--:|--:|");
    for (group, inputs) in GROUPS {
        for input in inputs {
            let text = (input.text)(input.size);
            let lint = times(1, || drop(input.read(&text)))[0];
            let all = times(1, || drop(input.run(&text)))[0];
            let double = (input.text)(input.size * 2);
            let twice = times(1, || drop(input.read(&double)))[0];
            // Below some milliseconds, a ratio is noise.
            let ratio = if lint.as_millis() < 20 {
                "–".to_owned()
            } else {
                format!("×{:.1}", twice.as_secs_f64() / lint.as_secs_f64())
            };
            println!(
                "| {group} | {} | {} | {} | {} | {ratio} | {} |",
                input.name,
                text.len(),
                seconds(lint),
                verdict(lint, ANSWER),
                seconds(all),
            );
        }
    }
    println!();
}
