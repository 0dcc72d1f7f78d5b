//! External failures: limits, interrupts, full disks, malformed files. Each has a clear message,
//! and no result is lost.

use std::fs;
use std::path::{Path, PathBuf};
#[cfg(unix)]
use std::time::Duration;

use beeline_test_size::one_in;
use serde_json::Value;

#[cfg(unix)]
use crate::run::start;
use crate::run::{Run, run_in, run_on, scratch};

/// Millions of states.
const LARGE: &str = "int a, b, c;\nactive [3] proctype P() { do :: a++ :: b++ :: c++ od }\n";

/// A deadlock after two steps.
const STUCK: &str = "byte n;\nactive proctype P() { n = 1; n = 2; n == 3 }\n";

fn object(result: &Run) -> Value {
    serde_json::from_str(&result.out).unwrap_or_else(|error| panic!("{error}: {result:?}"))
}

/// A limit ends a check with code 2, the reason for each property, and the counts so far.
fn limited(limit: &[&str], reason: &str) {
    let args = [&["check", "-", "--plain", "--no-trail"], limit].concat();
    let result = run_on(LARGE, &args);
    assert_eq!((result.code, &*result.err), (2, ""), "{limit:?}: {result:?}");
    let line = format!("deadlock        unknown   {reason}\n");
    assert!(result.out.contains(&line), "{limit:?}: {result:?}");
    assert!(result.out.contains(" states in "), "{limit:?}: {result:?}");
    let result = run_on(LARGE, &[&args[..], &["--json"]].concat());
    let check = object(&result);
    assert_eq!((result.code, &check["verdict"]), (2, &"unknown".into()), "{check}");
    assert!(check["stats"]["stored"].as_u64().expect("a number") > 100, "{check}");
    let result = run_on(LARGE, &[&["count", "-", "--plain", "--json"], limit].concat());
    let count = object(&result);
    assert_eq!((result.code, &count["complete"]), (2, &false.into()), "{count}");
    assert_eq!(count["reason"], reason);
    assert!(count["stored"].as_u64().expect("a number") > 100, "{count}");
}

#[test]
fn a_memory_limit_is_kept_and_named() {
    limited(&["--memory", "1M"], "memory limit reached");
    let result = run_on(LARGE, &["count", "-", "--plain", "--json", "--memory", "1M"]);
    let count = object(&result);
    assert!(count["peak_bytes"].as_u64().expect("a number") < 2 << 20, "{count}");
}

#[test]
fn a_time_limit_is_named() {
    limited(&["--time", "100ms"], "time limit reached");
}

/// Threads of a breadth-first search end as one thread does.
const IN_THREADS: [&[&str]; 2] = [
    &["count", "-", "--plain", "--jobs", "4", "--json"],
    &["check", "-", "--plain", "--jobs", "4", "--search", "bfs", "--no-trail", "--json"],
];

#[test]
fn limits_end_all_threads() {
    for args in IN_THREADS {
        for (limit, reason) in [
            (["--memory", "400K"], "memory limit reached"),
            (["--memory", "5M"], "memory limit reached"),
            (["--time", "1ms"], "time limit reached"),
            (["--time", "150ms"], "time limit reached"),
            (["--depth", "20"], "depth limit reached"),
        ] {
            let result = run_on(LARGE, &[args, &limit].concat());
            let object = object(&result);
            assert_eq!(result.code, 2, "{limit:?}: {result:?}");
            let of_property = &object["properties"][0]["reason"];
            let told = object["reason"].as_str().or(of_property.as_str());
            assert_eq!(told, Some(reason), "{limit:?}: {object}");
        }
    }
}

#[cfg(unix)]
#[test]
fn ctrl_c_ends_all_threads() {
    for args in IN_THREADS {
        let result = interrupted(LARGE, args);
        let object = object(&result);
        assert_eq!(result.code, 2, "{object}");
        assert!(result.out.contains("\"interrupted\""), "{object}");
    }
}

/// The other stores in threads end in the same way.
#[test]
fn limits_end_the_threads_of_other_stores() {
    for store in ["compact", "hash-compact", "bitstate(bytes=67108864)"] {
        let args = [IN_THREADS[1], &["--store", store]].concat();
        for (limit, reason) in [
            (["--memory", "400K"], "memory limit reached"),
            (["--time", "1ms"], "time limit reached"),
            (["--depth", "20"], "depth limit reached"),
        ] {
            let result = run_on(LARGE, &[&args, &limit[..]].concat());
            let object = object(&result);
            assert_eq!(result.code, 2, "{store} {limit:?}: {result:?}");
            assert_eq!(object["properties"][0]["reason"].as_str(), Some(reason), "{object}");
        }
        #[cfg(unix)]
        {
            let result = interrupted(LARGE, &args);
            assert_eq!(result.code, 2, "{result:?}");
            assert!(result.out.contains("\"interrupted\""), "{result:?}");
        }
    }
}

/// Lossy stores in threads find errors, prove nothing, and say that runs differ.
#[test]
fn lossy_stores_in_threads_say_what_differs() {
    let model = |n| {
        format!(
            "byte a, b;\nactive [2] proctype P() {{ do :: a < 40 -> a++ :: b < 30 -> b++ :: else \
                 -> assert(a + b != {n}); break od }}\n"
        )
    };
    for store in ["hash-compact", "bitstate"] {
        let args = ["check", "-", "--search", "bfs", "--store", store, "--jobs", "4", "--json"];
        let (good, bad) = (run_on(&model(200), &args), run_on(&model(70), &args));
        assert_eq!((good.code, bad.code), (2, 1), "{good:?} {bad:?}");
        assert!(
            good.out.contains("the counts and the omitted states depend on the run"),
            "{good:?}"
        );
    }
}

/// Runs agree in all that they report, whatever the threads do.
#[test]
fn trails_are_the_same_in_every_run() {
    let folder = scratch("faults-threads");
    let model = "byte a, b;\nactive [3] proctype P() { do :: a++ :: b++ :: a == 40 && b == 30 -> \
                 assert(_pid != 1) od }\n";
    fs::write(folder.join("m.pml"), model).expect("the folder exists");
    let mut first = None;
    for jobs in ["2", "3", "4", "8", "16", "2", "4"] {
        let args = ["check", "m.pml", "--plain", "--search", "bfs", "--quiet", "--jobs", jobs];
        let result = run_in(&folder, &args);
        assert_eq!(result.code, 1, "{result:?}");
        let trail = fs::read_to_string(folder.join("m.pml.trail")).expect("a trail is written");
        let found = (result.out, trail);
        assert_eq!(*first.get_or_insert_with(|| found.clone()), found, "{jobs}");
    }
}

/// The preparation of a search respects the time limit as well.
#[test]
fn heuristics_that_take_long_end_in_time() {
    let model = "byte x[6];\nactive [6] proctype P() { do :: x[_pid]++ od }\n\
                 active proctype W() { assert(x[0] + x[1] + x[2] + x[3] + x[4] + x[5] < 1529) }\n";
    for heuristic in ["pdb(states=1000000000)", "dpa(n=100000, seconds=1000)"] {
        let search = format!("gbfs({heuristic})");
        let args = ["check", "-", "--search", &search, "--property", "assertions", "--no-trail"];
        let result = with_enough_time(model, &args, "300ms", "is cut short");
        assert_eq!(result.code, 2, "{search}: {result:?}");
        assert!(result.out.contains("unknown   time limit reached; "), "{search}: {result:?}");
        assert!(
            result.out.contains("is cut short: its time limit was reached"),
            "{search}: {result:?}"
        );
    }
}

/// A long expansion takes no longer than necessary, and the limit is checked right after it.
#[test]
fn long_sequences_take_time_and_memory_as_they_are_long() {
    let text = |block: &str, most: u32| {
        format!(
            "int i;\nactive proctype P() {{ {block} {{ do :: i < {most} -> i++ :: else -> break od \
             }} }}\n"
        )
    };
    for engine in ["interp", "jit"] {
        for (block, most) in [("atomic", 50_000), ("d_step", 500_000)] {
            let args = ["count", "-", "--engine", engine, "--memory", "100M", "--json"];
            let result = run_on(&text(block, most), &args);
            assert_eq!(result.code, 0, "{block}, {engine}: {result:?}");
            assert_eq!(object(&result)["stored"], 3, "{block}, {engine}: {result:?}");
        }
    }
    let slow = "byte x;\nactive [200] proctype P() { do :: x < 250 -> x++ :: x > 0 -> x-- od }\n";
    let search = ["check", "-", "--search", "gbfs(active-2000)", "--property", "deadlock"];
    let begin = std::time::Instant::now();
    let result = run_on(slow, &[&search[..], &["--time", "200ms"]].concat());
    assert_eq!(result.code, 2, "{result:?}");
    assert!(begin.elapsed().as_secs() < 20, "it looked at the clock after {:?}", begin.elapsed());
}

/// A single step that takes minutes.
const ENDLESS_STEP: &str = "byte x;\nint i;\nactive proctype P() { x = 1; d_step { do :: i >= 0 -> \
                            i++ :: else -> break od } }\n";

/// No search checks the clock in the middle of a step, but the watchdog does.
#[test]
fn a_step_without_an_end_is_left() {
    let search = ["--search", "dfs", "--time", "200ms"];
    let result = run_on(ENDLESS_STEP, &[&["check", "-"], &search[..]].concat());
    assert_eq!(result.code, 2, "{result:?}");
    let verdict = "unknown   time limit reached during a single long step\n";
    assert_eq!(result.out.matches(verdict).count(), 2, "{result:?}");
    let result = run_on(ENDLESS_STEP, &[&["check", "-", "--json"], &search[..]].concat());
    let check = object(&result);
    assert_eq!((result.code, &check["verdict"]), (2, &"unknown".into()), "{check}");
    let result = run_on(ENDLESS_STEP, &[&["count", "-", "--json"], &search[..]].concat());
    let count = object(&result);
    assert_eq!((result.code, &count["complete"]), (2, &false.into()), "{count}");
    assert_eq!(count["reason"], "time limit reached");
}

/// Runs with a time limit, and with a longer one if the machine is so slow that the run does not
/// come to what it should report.
fn with_enough_time(model: &str, words: &[&str], limit: &str, report: &str) -> Run {
    let run = |limit| run_on(model, &[words, &["--time", limit]].concat());
    let first = run(limit);
    if first.out.contains(report) { first } else { run("10s") }
}

/// Earlier results are not lost.
#[test]
fn a_violation_is_told_though_a_later_step_has_no_end() {
    let long = "assert(x == 1); do :: n < 20000 -> n++ :: else -> break od;";
    let model = ENDLESS_STEP.replace("x = 1;", long).replace("int i;", "int i, n;");
    let assertions = "assertions      violated  assertion violated";
    // A directed search checks one property after the other.
    let directed = ["--property", "invariant: n < 9", "--property", "invariant: n >= 0"];
    let searches: [(&[&str], &str, usize); 5] = [
        (&["--no-improve"], assertions, 2),
        (&["--search", "bfs"], assertions, 2),
        (&["--search", "dfs", "--all"], assertions, 2),
        (&["--search", "dfs", "--store", "hash-compact"], assertions, 2),
        (&[&["--search", "astar"], &directed[..]].concat(), "violated  invariant violated", 1),
    ];
    // Each run waits most of the time, so they run in parallel.
    std::thread::scope(|scope| {
        for (search, violated, open) in searches.into_iter().step_by(one_in(1)) {
            let model = &model;
            scope.spawn(move || {
                let words = [&["check", "-", "--no-trail"], search].concat();
                let inside = "during a single long step";
                let result = with_enough_time(model, &words, "500ms", inside);
                assert_eq!(result.code, 1, "{words:?}: {result:?}");
                assert!(result.out.contains(violated), "{words:?}: {result:?}");
                let unknown = "unknown   time limit reached during a single long step";
                assert_eq!(result.out.matches(unknown).count(), open, "{words:?}: {result:?}");
            });
        }
    });
}

/// Earlier counts are not lost.
#[test]
fn counts_are_told_though_a_later_step_has_no_end() {
    let long = "do :: n < 20000 -> n++ :: else -> break od;";
    let model = ENDLESS_STEP.replace("x = 1;", long).replace("int i;", "int i, n;");
    let options = ["-", "--json", "--search", "dfs", "--time", "500ms"];
    let count = object(&run_on(&model, &[&["count"], &options[..]].concat()));
    let check = object(&run_on(&model, &[&["check"], &options[..]].concat()));
    assert_eq!((&count["complete"], &check["verdict"]), (&false.into(), &"unknown".into()));
    for counts in [&count, &check["stats"]] {
        for key in ["stored", "transitions", "depth", "state_bytes", "store_bytes", "peak_bytes"] {
            assert!(counts[key].as_u64() > Some(0), "{key}: {counts}");
        }
        assert!(counts["stored"].as_u64() > Some(10_000), "{counts}");
    }
}

#[test]
#[cfg(unix)]
fn a_step_without_an_end_can_be_interrupted() {
    let mut child = start(&["check", "-", "--search", "dfs"]);
    let mut input = child.stdin.take().expect("standard input is a pipe");
    std::io::Write::write_all(&mut input, ENDLESS_STEP.as_bytes()).expect("it reads");
    drop(input);
    std::thread::sleep(std::time::Duration::from_millis(500));
    interrupt(&child);
    let result = Run::from(child.wait_with_output().expect("it ends"));
    assert_eq!(result.code, 2, "{result:?}");
    assert!(result.out.contains("interrupted during a single long step"), "{result:?}");
}

/// A message of a rendezvous is in no channel, and cannot be copied.
#[test]
fn nobody_can_copy_from_a_rendezvous() {
    for receive in ["q?<x>", "q??<x>"] {
        let model = format!(
            "chan q = [0] of {{ byte }};\nactive proctype S() {{ q!5 }}\n\
             active proctype R() {{ byte x; {receive} }}\n"
        );
        for engine in ["interp", "jit"] {
            let result = run_on(&model, &["check", "-", "--no-trail", "--engine", engine]);
            assert_eq!(result.code, 1, "{receive}, {engine}: {result:?}");
            let verdict = "deadlock        violated  invalid end state after 0 steps";
            assert!(result.out.contains(verdict), "{receive}, {engine}: {result:?}");
        }
    }
}

/// Sends the signal of Ctrl-C.
#[cfg(unix)]
pub(crate) fn interrupt(child: &std::process::Child) {
    signal(child, "-INT");
}

#[cfg(unix)]
fn signal(child: &std::process::Child, which: &str) {
    let kill = std::process::Command::new("kill").args([which, &child.id().to_string()]).status();
    assert!(kill.expect("kill runs").success());
}

/// Reads standard error up to the first line of progress.
#[cfg(unix)]
fn await_progress(
    child: &mut std::process::Child,
) -> std::io::BufReader<std::process::ChildStderr> {
    use std::io::{BufRead, BufReader};
    let mut stderr = BufReader::new(child.stderr.take().expect("standard error is a pipe"));
    let mut shown = String::new();
    while !shown.contains(" states, ") {
        let length = stderr.read_line(&mut shown).expect("progress is shown");
        assert!(length > 0, "{shown}");
    }
    stderr
}

/// Sends SIGINT after the first line of progress, and waits for the end.
#[cfg(unix)]
pub(crate) fn interrupted(model: &str, args: &[&str]) -> Run {
    ended_by("-INT", Duration::ZERO, model, args)
}

/// Sends SIGINT this long after the first line of progress, and waits for the end.
#[cfg(unix)]
pub(crate) fn interrupted_later(model: &str, args: &[&str], delay: Duration) -> Run {
    ended_by("-INT", delay, model, args)
}

/// Sends a signal after the first line of progress, and waits for the end.
#[cfg(unix)]
fn ended_by(which: &str, delay: Duration, model: &str, args: &[&str]) -> Run {
    use std::io::{Read, Write};
    let mut child = start(&[args, &["--progress", "always"]].concat());
    let mut stdin = child.stdin.take().expect("standard input is a pipe");
    stdin.write_all(model.as_bytes()).expect("beeline reads its input");
    drop(stdin);
    let mut stderr = await_progress(&mut child);
    std::thread::sleep(delay);
    signal(&child, which);
    let mut rest = String::new();
    stderr.read_to_string(&mut rest).expect("messages are UTF-8");
    Run { err: rest, ..child.wait_with_output().expect("beeline ends").into() }
}

#[cfg(unix)]
#[test]
fn ctrl_c_ends_with_a_report_of_what_was_done() {
    let result = interrupted(LARGE, &["check", "-", "--plain", "--no-trail"]);
    assert_eq!(result.code, 2, "{result:?}");
    assert!(result.out.contains("deadlock        unknown   interrupted\n"), "{result:?}");
    assert!(result.out.contains(" states in "), "{result:?}");
    let result = interrupted(LARGE, &["count", "-", "--plain", "--json"]);
    let count = object(&result);
    assert_eq!((result.code, &count["reason"]), (2, &"interrupted".into()), "{count}");
    // Earlier violations are still reported, with their trails.
    let failing = format!("{LARGE}active proctype Q() {{ assert(a == 1) }}\n");
    let result = interrupted(&failing, &["check", "-", "--plain", "--no-trail", "--json"]);
    let check = object(&result);
    let verdicts = ["deadlock", "assertions"].map(|name| {
        let all = check["properties"].as_array().expect("a list");
        let one = all.iter().find(|one| one["name"] == name).expect("the property is listed");
        one["verdict"].as_str().expect("a string").to_owned()
    });
    assert_eq!((result.code, verdicts), (1, ["unknown", "violated"].map(str::to_owned)), "{check}");
}

/// SIGTERM, as batch systems and `timeout` send it.
#[cfg(unix)]
#[test]
fn who_is_told_to_end_reports_what_was_done() {
    let result = ended_by("-TERM", Duration::ZERO, LARGE, &["count", "-", "--plain", "--json"]);
    let count = object(&result);
    assert_eq!((result.code, &count["reason"]), (2, &"interrupted".into()), "{count}");
}

#[cfg(unix)]
#[test]
fn ctrl_c_while_a_trail_is_shortened_leaves_the_best_one_on_disk() {
    let folder = scratch("faults-improve");
    // Many states, so that the proof of a shortest trail takes long.
    let model = "byte n[8];\nactive [8] proctype P() { do :: n[_pid] < 60 -> n[_pid]++ od }\n\
        active proctype Q() { (n[0] == 40) -> assert(false) }\n";
    fs::write(folder.join("m.pml"), model).unwrap();
    let args = ["check", "m.pml", "--search", "dfs", "--quiet", "--property", "assertions"];
    let result = run_in(&folder, &args);
    assert_eq!(result.code, 1, "{result:?}");
    let path = |name: &str| folder.join(name).to_string_lossy().into_owned();
    let (model, given) = (path("m.pml"), path("m.pml.trail"));
    let mut child = start(&["improve", &model, &given, "--json", "--progress", "always"]);
    // Kept open, so that the process can write to it.
    let _stderr = await_progress(&mut child);
    interrupt(&child);
    let result: Run = child.wait_with_output().expect("beeline ends").into();
    let object = object(&result);
    assert_eq!((result.code, &object["shortest"]), (0, &false.into()), "{object}");
    let steps = object["trail"]["length"].as_u64().expect("a number");
    assert!(steps < object["given"]["length"].as_u64().expect("a number"), "{object}");
    let replay = run_in(&folder, &["replay", "m.pml", "m.pml.short.trail"]);
    let end = format!("after {steps} steps: assertion violated");
    assert!(replay.code == 0 && replay.out.contains(&end), "{replay:?}");
}

#[cfg(unix)]
#[test]
fn ctrl_c_ends_a_long_run_with_what_it_printed() {
    use std::io::Read;
    let folder = scratch("faults-run");
    fs::write(folder.join("m.pml"), "init { do :: printf(\"tick\\n\") od }\n").unwrap();
    let model = folder.join("m.pml").to_string_lossy().into_owned();
    let mut child = start(&["simulate", &model, "--quiet", "--steps", "1000000000000"]);
    let mut stdout = child.stdout.take().unwrap();
    // The first output shows that the run has started.
    let mut words = vec![0; 5];
    stdout.read_exact(&mut words).unwrap();
    interrupt(&child);
    stdout.read_to_end(&mut words).unwrap();
    let result = Run::from(child.wait_with_output().unwrap());
    assert_eq!(result.code, 2, "{result:?}");
    assert!(words.ends_with(b"tick\n"), "the output ends within a line");
    assert!(result.err.contains("steps: interrupted\n"), "{result:?}");
    let digits = result.err.replace(',', "");
    assert!(digits.contains(&format!("after {} steps", words.len() / 5)), "{result:?}");
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_costs_no_verdict_and_no_step() {
    let long =
        "byte n;\nactive proctype P() { do :: n < 250 -> n++ :: n == 250 -> break od; false }\n";
    let result = run_on(long, &["check", "-", "--plain", "--trail", "/dev/full"]);
    assert_eq!(result.code, 1, "{result:?}");
    assert!(result.err.contains("cannot write the trail `/dev/full`: No space left"), "{result:?}");
    assert!(result.err.contains("help: "), "{result:?}");
    assert!(result.out.contains("deadlock        violated  invalid end state"), "{result:?}");
    // The report truncates a long trail only if the trail is in a file.
    assert!(result.out.contains("\n  1  P(0)  <stdin>:2"), "{}", result.out);
    assert!(!result.out.contains("trail written"), "{result:?}");
    let result = run_on(STUCK, &["check", "-", "--plain", "--trail", "/dev/full", "--json"]);
    let check = object(&result);
    let trail = &check["properties"][0]["trail"];
    assert_eq!((result.code, &trail["file"]), (1, &Value::Null), "{check}");
    assert!(trail["text"].as_str().expect("the trail itself").starts_with("1:0:"), "{check}");
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_standard_output_ends_with_4() {
    let folder = scratch("faults-output");
    fs::write(folder.join("m.pml"), STUCK).expect("the test directory is ours");
    for command in ["check", "count", "simulate"] {
        let full = fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
        let output = std::process::Command::new(env!("CARGO_BIN_EXE_beeline"))
            .args([command, "m.pml"])
            .current_dir(&folder)
            .stdout(full)
            .output()
            .unwrap();
        let result = Run::from(output);
        assert_eq!(result.code, 4, "{command}: {result:?}");
        assert!(
            result.err.contains("cannot write to standard output: No space left"),
            "{result:?}"
        );
    }
    // The trail of the check is kept nevertheless.
    assert!(fs::read_to_string(folder.join("m.pml.trail")).unwrap().contains("1:0:"));
}

/// A model with its trail in `good`.
fn with_trail(name: &str) -> (PathBuf, String) {
    let folder = scratch(name);
    fs::write(folder.join("m.pml"), STUCK).expect("the test directory is ours");
    let args = ["check", "m.pml", "--plain", "--quiet", "--trail", "good"];
    assert_eq!(run_in(&folder, &args).code, 1);
    let good = fs::read_to_string(folder.join("good")).expect("the trail was written");
    (folder, good)
}

/// Replaying a file with these contents ends with code 4, the problem and the remedy.
fn refused(folder: &Path, contents: &[u8], complaint: &str) {
    fs::write(folder.join("bad.trail"), contents).expect("the test directory is ours");
    let result = run_in(folder, &["replay", "m.pml", "bad.trail"]);
    assert_eq!(result.code, 4, "{complaint}: {result:?}");
    let message = format!("error: `bad.trail` {complaint}");
    assert!(result.err.starts_with(&message), "{message}\n{}", result.err);
    assert!(result.err.contains("\nhelp: "), "{result:?}");
    assert!(result.err.len() < 400, "{result:?}");
}

#[test]
fn a_trail_that_was_cut_short_is_shown_and_doubted() {
    let (folder, good) = with_trail("faults-short");
    assert_eq!(good.lines().count(), 2, "{good}");
    let first = good.lines().next().unwrap();
    let cut = "ends in line 1, after step 1, without an error: was it cut short?";
    refused(&folder, format!("{first}\n").as_bytes(), cut);
    let result = run_in(&folder, &["replay", "m.pml", "bad.trail"]);
    assert!(result.out.contains("  1  P(0)  m.pml:2         n = 1"), "{result:?}");
    let cut = "ends in line 1, after step 1, without an error: was it cut short, within a line?";
    refused(&folder, first.as_bytes(), cut);
    refused(&folder, &good.as_bytes()[..good.len() - 2], "is not a trail: line 2 is not");
    refused(&folder, b"", "has no steps: was it cut short?");
    refused(&folder, b"-4:-4:-4\n", "has no steps");
}

#[test]
fn a_trail_of_another_model_is_refused_with_the_line_that_does_not_fit() {
    let (folder, good) = with_trail("faults-other");
    let misfit = |line: usize, step: usize, why: &str| {
        format!("is not a trail of `m.pml`: line {line}, step {step} cannot be taken: {why}")
    };
    refused(&folder, b"1:9:1\n", &misfit(1, 1, "there is no process 9"));
    refused(
        &folder,
        b"-4:-4:-4\n1:0:99\n",
        &misfit(2, 1, "process 0 has no edge 99 at its location"),
    );
    let again = format!("{good}3:0:2\n");
    refused(&folder, again.as_bytes(), &misfit(3, 3, "edge 2 of process 0 cannot be executed"));
    let huge = format!("{good}3:18446744073709551615:1\n");
    refused(&folder, huge.as_bytes(), "is not a trail: line 3 is not `step:process:edge`");
    refused(&folder, b"1:99999999999:1\n", &misfit(1, 1, "there is no process 99999999999"));
    refused(&folder, b"1:0:4294967295\n", &misfit(1, 1, "process 0 has no edge 4294967295"));
    refused(&folder, b"-2:0:-2\n1:0:1\n", "is not a trail of this model: `P` is not a claim");
}

#[test]
fn garbage_is_no_trail() {
    let (folder, _) = with_trail("faults-garbage");
    refused(&folder, b"hello\n", "is not a trail: line 1 is not `step:process:edge`: `hello`");
    refused(&folder, b"\x00\x01\xff\xfe\x7f", "is not a trail: line 1 is not");
    refused(&folder, &[b'x'; 100_000], "is not a trail: line 1 is not");
    refused(&folder, b"1:0:99999999999\n", "is not a trail: line 1 is not");
    refused(&folder, b"1:-1:0\n", "is not a trail: line 1 is not");
    refused(&folder, STUCK.as_bytes(), "is not a trail: line 1 is not");
    for (file, cause) in [("missing", "there is no such file"), (".", "it is a directory")] {
        let result = run_in(&folder, &["replay", "m.pml", file]);
        let message = format!("error: cannot read the trail `{file}`: {cause}");
        assert!(result.code == 4 && result.err.starts_with(&message), "{result:?}");
        let result = run_in(&folder, &["replay", "m.pml", file, "--json"]);
        assert_eq!(object(&result)["ok"], false);
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_trail_that_cannot_be_written_leaves_the_old_one_alone() {
    let (folder, good) = with_trail("faults-old");
    // Files have size limit 0, as on a full disk; pipes still work.
    let script = "trap '' XFSZ; ulimit -f 0; exec \"$0\" check m.pml --trail good";
    let output = std::process::Command::new("sh")
        .args(["-c", script, env!("CARGO_BIN_EXE_beeline")])
        .current_dir(&folder)
        .output()
        .unwrap();
    let result = Run::from(output);
    assert_eq!(result.code, 1, "{result:?}");
    assert!(result.err.contains("cannot write the trail `good`: File too large"), "{result:?}");
    assert!(result.out.starts_with("deadlock        violated"), "{result:?}");
    assert_eq!(fs::read_to_string(folder.join("good")).unwrap(), good);
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 2, "something is left behind");
}

/// `run` has a side effect, and so is not allowed inside an expression.
#[test]
fn a_run_inside_of_an_expression_is_a_mistake() {
    let check = |statement: &str| {
        let model = format!(
            "typedef T {{ byte a[3] }} T s; chan q = [1] of {{ byte }};\n\
             byte x, a[3]; proctype Q() {{ skip }} proctype R(byte y) {{ skip }}\n\
             active proctype P() {{ {statement} }}\n"
        );
        run_on(&model, &["check", "-", "--no-trail"])
    };
    let wrong = [
        "x = run Q() + 1",
        "assert(run Q())",
        "a[run Q()] = 1",
        "s.a[run Q()] = 1",
        "run R(run Q())",
        "select(x : 0 .. run Q())",
        "for (x : 0 .. run Q()) { skip }",
        "get_priority(run Q()) == 1",
        "set_priority(run Q(), 1)",
        "enabled(run Q())",
        "q?eval(run Q())",
        "printf(\"%d\", run Q())",
        "skip } active proctype S() provided (run Q()) { skip",
        "skip } ltl p { [] (run Q() == 1)",
        "if :: do :: atomic { s.a[run Q()] == 1 } od fi",
    ];
    for statement in wrong {
        let result = check(statement);
        assert_eq!(result.code, 3, "{statement}: {result:?}");
        assert!(result.err.contains("run-in-expression"), "{statement}: {result:?}");
    }
    for statement in ["x = run Q()", "run R(x + 1)"] {
        let result = check(statement);
        assert_eq!(result.code, 0, "{statement}: {result:?}");
    }
}

/// A choice in a deterministic process or a trace assertion is reported.
#[test]
fn a_choice_where_there_must_be_none_is_told() {
    let models = [
        "byte x; D_proctype P() { if :: x = 1 :: x = 2 fi } init { run P() }\n",
        "chan q = [1] of { byte }; active proctype P() { q!1 }\n\
         trace { if :: q!1 :: q!_ fi }\n",
    ];
    for model in models {
        let result = run_on(model, &["check", "-", "--no-trail", "--property", "runtime-errors"]);
        assert_eq!(result.code, 1, "{model}: {result:?}");
        assert!(
            result.out.contains("nondeterministic choice where a deterministic one is required"),
            "{result:?}"
        );
        let fine = model.replace(":: x = 2", "").replace(":: q!_", "");
        let result = run_on(&fine, &["check", "-", "--no-trail", "--property", "runtime-errors"]);
        assert_eq!(result.code, 0, "{fine}: {result:?}");
    }
}

/// Operations on an uninitialised channel, and enabledness that depends on itself, have no value:
/// SPIN stops there, too, or crashes.
#[test]
fn a_question_without_an_answer_is_a_fault() {
    let asked = [
        ("if :: q?[1] -> x = 1 :: else -> x = 2 fi", "channel does not exist"),
        ("enabled(_pid) -> x = 1", "enabled() depends on itself"),
        ("do :: enabled(1 - _pid) -> x = 1 od", "enabled() depends on itself"),
    ];
    for (statement, fault) in asked {
        for engine in ["interp", "jit"] {
            let model = format!("chan q; byte x;\nactive [2] proctype P() {{ {statement} }}\n");
            let only = ["--property", "runtime-errors", "--engine", engine];
            let args = [&["check", "-", "--no-trail"], &only[..]].concat();
            let result = run_on(&model, &args);
            assert_eq!(result.code, 1, "{statement}: {result:?}");
            let expected = format!("runtime-errors  violated  {fault} after 1 step");
            assert!(result.out.starts_with(&expected), "{statement}: {result:?}");
        }
    }
}

/// A deadlock after one step, beside a state space that nobody can enumerate.
const BESIDE: &str = "int a, b, c;\nbool stuck;\n\
    active [3] proctype P() { do :: !stuck -> a++ :: !stuck -> b++ :: !stuck -> c++ od }\n\
    active proctype Q() { stuck = true; assert(a <= b || a >= b); false }\n";

/// After a violation, a check without limits stops when nothing new is found for a while; the other
/// properties are unknown, and the message names the option that goes on.
#[test]
fn a_check_stops_some_time_after_a_violation() {
    // One thread leaves the other cores to the other tests.
    let words = ["check", "-", "--plain", "--no-trail", "--json", "--jobs", "1"];
    let result = run_on(BESIDE, &words);
    let check = object(&result);
    assert_eq!((result.code, &check["verdict"]), (1, &"violated".into()), "{check}");
    let properties = check["properties"].as_array().expect("an array");
    let reasons: Vec<&str> = properties.iter().filter_map(|one| one["reason"].as_str()).collect();
    let expected = "after a violation; `--exhaustive` goes on";
    assert!(reasons.iter().any(|reason| reason.ends_with(expected)), "{check}");
    assert!(check["stats"]["seconds"].as_f64().expect("a number") >= 10.0, "{check}");
}

/// A process that passes its channel on and ends, and the use of the channel by another one.
fn use_of_an_ended_channel(statement: &str) -> String {
    format!(
        "chan out = [1] of {{ chan }};\nbyte got;\n\
         proctype owner() {{ chan c = [1] of {{ byte }}; c!7; out!c }}\n\
         init {{ chan k; run owner(); out?k; (_nr_pr == 1); {statement} }}\n"
    )
}

/// The message about the channel of a process that has ended names the process; that of a variable
/// without a channel names the variable.
#[test]
fn the_owner_of_a_deleted_channel_is_named() {
    let ended = "k holds owner(1):c, deleted when owner(1) ended in step 4";
    let never = "chan k; active proctype P() { if :: len(k) == 0 -> skip fi }\n".to_owned();
    let of = use_of_an_ended_channel;
    let models = [
        (of("k?got"), ended),
        (of("k!3"), ended),
        (of("if :: nempty(k) -> k?got fi"), ended),
        (of("k?[7] -> k?got"), ended),
        (never, "k holds no channel"),
    ];
    for (model, detail) in models {
        let args = ["check", "-", "--no-trail", "--property", "runtime-errors", "--json"];
        let check = object(&run_on(&model, &args));
        let found = &check["properties"][0];
        assert_eq!(found["trail"]["error"], "channel does not exist", "{model}: {check}");
        assert_eq!(found["trail"]["detail"], detail, "{model}: {check}");
    }
}
