//! Trails of hundreds of thousands of steps: they are confirmed and reported without the memory or
//! the time that their text would take, and limits and Ctrl-C hold while they are told.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use beeline_test_size::portion;
use serde_json::Value;

use crate::run::{Run, run_in, scratch};

/// Gets stuck after 200,001 steps.
const COUNTER: &str = "int n;\n\
    active proctype P() { do :: n < 100000 -> n++ :: n == 100000 -> break od; false }\n";

/// Gets stuck after 120,001 steps; to tell its whole states takes long and much memory.
const WIDE: &str = "byte field[1000];\nint n;\n\
    active proctype P() {\n\
    do :: n < 40000 -> field[n % 1000]++; n++ :: n == 40000 -> break od; false }\n";

fn folder(name: &str, model: &str) -> PathBuf {
    let folder = scratch(name);
    fs::write(folder.join("m.pml"), model).expect("the test directory is ours");
    folder
}

fn check(folder: &Path, more: &[&str]) -> Run {
    run_in(folder, &[&["check", "m.pml", "--search", "dfs"], more].concat())
}

fn object(result: &Run) -> Value {
    serde_json::from_str(&result.out).unwrap_or_else(|error| panic!("{error}: {:?}", result.err))
}

#[test]
fn a_long_trail_is_reported_within_the_limits() {
    let folder = folder("long-report", COUNTER);
    let limits = ["--time", "120s", "--memory", "100M"];
    let result = check(&folder, &[&limits[..], &["--json", "--no-trail"]].concat());
    let report = object(&result);
    let deadlock = &report["properties"][0];
    assert_eq!((result.code, &deadlock["verdict"]), (1, &"violated".into()), "{deadlock}");
    assert_eq!(deadlock["trail"]["steps"], 200_001, "{deadlock}");
    assert_eq!(deadlock["remarks"], serde_json::json!([]), "{deadlock}");
    // People see the last steps, with the numbers and widths that all steps would have.
    let result = check(&folder, &limits);
    assert_eq!(result.code, 1, "{}", result.err);
    let (head, tail) = result.out.split_once("… 199,951 steps before these").expect("it is long");
    assert!(head.contains("violated  invalid end state after 200,001 steps"), "{head}");
    let steps = tail.lines().filter(|line| line.contains("  P(0)  ")).count();
    assert_eq!(steps, 50, "{tail}");
    assert!(tail.contains("\n199952  P(0)  m.pml:2 ") && tail.contains("\n200001  "), "{tail}");
    assert!(tail.contains("after 200,001 steps: invalid end state\n"), "{tail}");
    // A replay prints every step, as text and for programs.
    let replay = run_in(&folder, &["replay", "m.pml", "m.pml.trail", "--quiet"]);
    assert_eq!(replay.code, 0, "{}", replay.err);
    let shown = replay.out.lines().filter(|line| line.contains("  P(0)  ")).count();
    assert_eq!(shown, 200_001);
    let tail = tail.split_once('\n').expect("the steps begin in the next line").1;
    assert!(replay.out.ends_with(tail), "the last steps are the same");
    let replay = run_in(&folder, &["replay", "m.pml", "m.pml.trail", "--json"]);
    let told = object(&replay);
    let steps = told["steps"].as_array().expect("a list");
    assert_eq!((steps.len(), &steps[200_000]["step"]), (200_001, &200_001.into()));
    assert_eq!(told["error"], "invalid end state");
}

#[test]
fn states_of_a_long_trail_keep_to_the_memory_limit() {
    let folder = folder("long-memory", WIDE);
    // Enough for the search and the path to the error, and not for the states of all steps.
    let result = check(&folder, &["--itf", "states.itf", "--memory", "50M"]);
    assert_eq!(result.code, 1, "{result:?}");
    let verdict = "deadlock        violated  invalid end state after 120,001 steps";
    assert!(result.out.contains(verdict), "{result:?}");
    let why = "the steps are not shown: memory limit reached; `beeline replay` shows them";
    assert!(result.out.contains(why), "{result:?}");
    assert!(result.err.contains("is not written: memory limit reached"), "{result:?}");
    assert!(!folder.join("states.itf").exists());
    assert!(folder.join("m.pml.trail").exists());
}

#[test]
fn states_of_a_long_trail_keep_to_the_time_limit() {
    let folder = folder("long-time", WIDE);
    let start = Instant::now();
    let args = ["--itf", "states.itf", "--memory", "64G", "--time", "4s", "--json"];
    let result = check(&folder, &args);
    let report = object(&result);
    let deadlock = &report["properties"][0];
    assert_eq!((result.code, &deadlock["verdict"]), (1, &"violated".into()), "{report}");
    assert_eq!(deadlock["trail"]["steps"], 120_001, "{report}");
    let remarks = serde_json::json!(["the steps of the trail are not shown: time limit reached"]);
    assert_eq!(deadlock["remarks"], remarks, "{report}");
    assert_eq!(deadlock["trail"]["file"], "m.pml.trail", "{report}");
    assert!(start.elapsed() < Duration::from_secs(20), "{:?}", start.elapsed());
    // The trail is whole.
    let replay = run_in(&folder, &["replay", "m.pml", "m.pml.trail"]);
    assert!(replay.out.contains("\nafter 120,001 steps: invalid end state\n"), "{}", replay.err);
}

#[cfg(unix)]
#[test]
fn ctrl_c_while_a_trail_is_told_leaves_the_verdict_and_the_trail() {
    let folder = folder("long-interrupt", WIDE);
    let path = |name: &str| folder.join(name).to_string_lossy().into_owned();
    let (model, trail, states) = (path("m.pml"), path("m.trail"), path("states.itf"));
    let args = ["check", &model, "--search", "dfs", "--trail", &trail, "--itf", &states];
    let child = crate::run::start(&args);
    // The trail is written as soon as it is found, and then it is told.
    let begin = Instant::now();
    while !Path::new(&trail).exists() {
        assert!(begin.elapsed() < Duration::from_secs(60), "no trail is found");
        std::thread::sleep(Duration::from_millis(10));
    }
    crate::faults::interrupt(&child);
    let begin = Instant::now();
    let result = Run::from(child.wait_with_output().expect("it ends"));
    assert!(begin.elapsed() < Duration::from_secs(10), "{:?}", begin.elapsed());
    assert_eq!(result.code, 1, "{result:?}");
    let verdict = "deadlock        violated  invalid end state after 120,001 steps";
    assert!(result.out.contains(verdict), "{result:?}");
    assert!(result.out.contains("the steps are not shown: interrupted;"), "{result:?}");
    let replay = run_in(&folder, &["replay", "m.pml", "m.trail"]);
    assert!(replay.out.contains("\nafter 120,001 steps: invalid end state\n"), "{}", replay.err);
}

/// Fails after three steps for each lap and two more, with states of two hundred bytes.
#[cfg(target_os = "linux")]
fn laps(number: usize) -> String {
    format!(
        "byte field[200];\nint n;\nactive proctype P() {{\n\
         do :: n < {number} -> field[n % 200]++; n++ :: n == {number} -> break od; assert(false) }}\n"
    )
}

/// The greatest resident memory of a command, in bytes, and its standard output.
#[cfg(target_os = "linux")]
fn resident(folder: &Path, args: &[&str]) -> (u64, String) {
    let output = folder.join("printed");
    let printed = fs::File::create(&output).expect("the test directory is ours");
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_beeline"));
    command.args(args).current_dir(folder).stdin(std::process::Stdio::null()).stdout(printed);
    let mut child = command.spawn().expect("beeline starts");
    let status = format!("/proc/{}/status", child.id());
    let mut most = 0;
    while child.try_wait().expect("it can be waited for").is_none() {
        let text = fs::read_to_string(&status).unwrap_or_default();
        let mark = text.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let mark = mark.and_then(|mark| mark.trim().trim_end_matches(" kB").parse::<u64>().ok());
        most = most.max(mark.unwrap_or(0) << 10);
        std::thread::sleep(Duration::from_millis(2));
    }
    (most, fs::read_to_string(&output).expect("it was written"))
}

#[cfg(target_os = "linux")]
#[test]
fn a_million_steps_take_a_hundred_megabytes_beyond_the_search() {
    const MOST: u64 = 100_000_000;
    let number = portion(333_333);
    let folder = folder("long-million", &laps(number));
    let steps = 3 * number + 2;
    let (search, _) = resident(&folder, &["count", "m.pml", "--search", "dfs"]);
    let check = ["check", "m.pml", "--search", "dfs", "--property", "assertions", "--json"];
    let (most, out) = resident(&folder, &check);
    assert!(out.contains(&format!("\"steps\":{steps}")), "{out}");
    assert!(most < search + MOST, "{most} with a search of {search}");
    // To improve a trail takes as little, apart from the searches; and so does it to print it.
    let improve = ["improve", "m.pml", "m.pml.trail", "--by", "elimination"];
    for (more, lines) in [("--quiet", 2), ("--color=never", steps - 1)] {
        let (most, out) = resident(&folder, &[&improve[..], &[more]].concat());
        let told = out.replace(',', "");
        let verdict = format!("\nnot improved: assertion violated after {steps} steps");
        assert!(told.contains(&verdict), "{more}");
        assert!(out.lines().count() >= lines, "{}", out.lines().count());
        assert!(most < search + MOST, "{most} with a search of {search}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_long_cycle_takes_little_memory_beyond_the_search() {
    let model = "int n;\n\
        active proctype P() { do :: n < 150000 -> n++ :: n == 150000 -> n = 0 od }\n\
        ltl p { <> [] (n < 5) }\n";
    let folder = folder("long-cycle", model);
    let (search, _) = resident(&folder, &["count", "m.pml", "--search", "dfs"]);
    let check = ["check", "m.pml", "--search", "ndfs", "--property", "p", "--json", "--no-trail"];
    let (most, out) = resident(&folder, &check);
    assert!(out.contains("\"steps\":3000"), "{out}");
    assert!(most < search + 50_000_000, "{most} with a search of {search}");
}
