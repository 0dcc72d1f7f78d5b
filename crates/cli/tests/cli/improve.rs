//! `beeline improve`, and trails that are easy to read.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::run::{Run, run_in, scratch};

/// Philosophers with a long trail of depth-first search.
const TABLE: &str = "#define N 5\nchan fork[N] = [1] of { bit };\n\
    active [N] proctype philosopher() {\n  fork[_pid]!1;\n  do\n  :: fork[_pid]?1 -> \
    fork[(_pid + 1) % N]?1;\n     fork[(_pid + 1) % N]!1; fork[_pid]!1\n  od\n}\n";

/// A counter that can be incremented in two ways, and an assertion about it. A third process does
/// not affect it.
const COUNTER: &str = "byte n, turns;\n\
    active proctype slow() { do :: n < 20 -> n = n + 1 od }\n\
    active proctype fast() { do :: n < 20 -> n = n + 5 od }\n\
    active proctype idle() { do :: turns < 9 -> turns++ :: turns == 9 -> turns = 0 od }\n\
    active proctype watch() { (n >= 20) -> assert(false) }\n";

fn folder(name: &str, model: &str) -> PathBuf {
    let folder = scratch(name);
    fs::write(folder.join("m.pml"), model).expect("the test directory is ours");
    folder
}

/// A folder with a model and its trail of depth-first search.
fn with_trail(name: &str, model: &str) -> PathBuf {
    let folder = folder(name, model);
    let result = run_in(&folder, &["check", "m.pml", "--search", "dfs", "--quiet"]);
    assert_eq!(result.code, 1, "{result:?}");
    folder
}

fn improve(folder: &Path, args: &[&str]) -> Value {
    let fixed = ["improve", "m.pml", "m.pml.trail", "--json"];
    let result = run_in(folder, &[&fixed[..], args].concat());
    assert_eq!(result.code, 0, "{result:?}");
    serde_json::from_str(&result.out).expect("standard output is one JSON value")
}

fn number(value: &Value) -> u64 {
    value.as_u64().unwrap_or_else(|| panic!("a number: {value}"))
}

/// The number of context switches.
fn switches(story: &Value) -> usize {
    let steps = story["steps"].as_array().expect("a list");
    steps.windows(2).filter(|pair| pair[0]["pid"] != pair[1]["pid"]).count()
}

fn replayed(folder: &Path, file: &str) -> Value {
    let result = run_in(folder, &["replay", "m.pml", file, "--json"]);
    assert_eq!(result.code, 0, "{result:?}");
    serde_json::from_str(&result.out).expect("standard output is one JSON value")
}

#[test]
fn a_long_trail_becomes_the_shortest_there_is() {
    for (name, model, steps) in [("improve-table", TABLE, 10), ("improve-counter", COUNTER, 10)] {
        let folder = with_trail(name, model);
        let object = improve(&folder, &[]);
        assert!(number(&object["given"]["length"]) > 2 * steps, "{name}: {object}");
        let found = (&object["trail"]["length"], &object["shortest"], &object["lower_bound"]);
        assert_eq!(found, (&steps.into(), &true.into(), &steps.into()), "{name}");
        assert_eq!(object["trail"]["file"], "m.pml.short.trail");
        let improvements = object["improvements"].as_array().expect("a list");
        let lengths: Vec<u64> = improvements.iter().map(|one| number(&one["length"])).collect();
        assert!(!lengths.is_empty() && lengths.is_sorted_by(|one, two| one > two), "{lengths:?}");
        let story = replayed(&folder, "m.pml.short.trail");
        assert_eq!(story["steps"].as_array().map(Vec::len), Some(steps as usize));
        assert_eq!(story["error"], object["error"]);
        // A shortest trail is not changed.
        let again = run_in(&folder, &["improve", "m.pml", "m.pml.short.trail"]);
        assert!(again.out.contains("not improved"), "{again:?}");
        assert!(again.out.contains("there is no shorter trail"), "{again:?}");
    }
}

#[test]
fn of_equally_short_trails_one_with_few_context_switches_is_preferred() {
    let model = "byte a, b;\nactive proctype P() { a = 1; a = 2; a = 3; (b == 3) }\n\
        active proctype Q() { b = 1; b = 2; b = 3; (a == 3) -> assert(false) }\n";
    let folder = folder("improve-switches", model);
    let args = ["check", "m.pml", "--plain", "--search", "random-dfs", "--seed", "4", "--quiet"];
    assert_eq!(run_in(&folder, &args).code, 1);
    let given = replayed(&folder, "m.pml.trail");
    let object = improve(&folder, &["--switches"]);
    assert!(switches(&object) <= 2 && switches(&object) < switches(&given), "{object}");
    // The trails of `check` have few context switches, too.
    assert_eq!(run_in(&folder, &["check", "m.pml", "--plain", "--quiet"]).code, 1);
    assert!(switches(&replayed(&folder, "m.pml.trail")) <= 2);
}

#[test]
fn trails_of_simulations_are_taken_too() {
    let folder = folder("improve-simulation", COUNTER);
    let args = ["simulate", "m.pml", "--seed", "7", "--save", "run.trail", "--quiet"];
    let result = run_in(&folder, &args);
    assert_eq!(result.code, 1, "{result:?}");
    let result = run_in(&folder, &["improve", "m.pml", "run.trail", "--trail", "out.trail"]);
    assert_eq!(result.code, 0, "{result:?}");
    assert!(result.out.contains("there is no shorter trail"), "{result:?}");
    assert_eq!(replayed(&folder, "out.trail")["error"], "assertion violated");
    let result = run_in(&folder, &["simulate", "m.pml", "--save", "no/run.trail", "--quiet"]);
    assert_eq!(result.code, 4, "{result:?}");
    assert!(result.err.contains("cannot write the trail `no/run.trail`"), "{result:?}");
}

#[test]
fn a_trail_that_does_not_fit_is_refused_with_the_step_and_what_fits() {
    let folder = with_trail("improve-misfit", COUNTER);
    let edited = COUNTER.replace("n = n + 5", "n = n + 3").replace("n >= 20", "n > 21");
    fs::write(folder.join("m.pml"), edited).expect("the test directory is ours");
    for command in ["improve", "replay"] {
        let Run { code, err, .. } = run_in(&folder, &[command, "m.pml", "m.pml.trail"]);
        assert_eq!(code, 4, "{err}");
        assert!(err.contains("cannot be taken: "), "{err}");
        assert!(err.contains("the steps before it do fit: `beeline replay m.pml"), "{err}");
        let (_, rest) = err.split_once("--steps ").expect("it says how many");
        let steps: String = rest.chars().take_while(char::is_ascii_digit).collect();
        let result = run_in(&folder, &["replay", "m.pml", "m.pml.trail", "--steps", &steps]);
        assert_eq!((result.code, &*result.err), (0, ""), "{result:?}");
        assert!(result.out.contains(&format!("after {steps} steps")), "{result:?}");
    }
    fs::write(folder.join("fine.trail"), "1:0:1\n").expect("the test directory is ours");
    let result = run_in(&folder, &["improve", "m.pml", "nowhere.trail"]);
    assert_eq!(result.code, 4, "{result:?}");
}

#[test]
fn a_trail_without_an_error_is_refused_unless_an_invariant_is_named() {
    let folder = folder("improve-invariant", COUNTER);
    let args = ["check", "m.pml", "--search", "dfs", "--quiet", "--property"];
    let result = run_in(&folder, &[&args[..], &["invariant: n != 7"]].concat());
    assert_eq!(result.code, 1, "{result:?}");
    let result = run_in(&folder, &["improve", "m.pml", "m.pml.trail"]);
    assert_eq!(result.code, 4, "{result:?}");
    assert!(result.err.contains("it leads to no error"), "{result:?}");
    let object = improve(&folder, &["--property", "invariant: n != 7"]);
    assert_eq!((&object["trail"]["length"], &object["shortest"]), (&6.into(), &true.into()));
}

#[test]
fn a_file_that_cannot_be_written_is_named_and_the_trail_is_shown() {
    let folder = with_trail("improve-unwritable", TABLE);
    let result = run_in(&folder, &["improve", "m.pml", "m.pml.trail", "--trail", "no/t.trail"]);
    assert_eq!(result.code, 0, "{result:?}");
    assert!(result.err.contains("cannot write the trail `no/t.trail`"), "{result:?}");
    assert!(result.out.contains("after 10 steps: invalid end state"), "{result:?}");
}

#[test]
fn steps_that_are_not_needed_and_what_is_waited_for_are_told() {
    let folder = with_trail("improve-core", TABLE);
    let result = run_in(&folder, &["replay", "m.pml", "m.pml.trail"]);
    assert!(result.out.contains("* steps that the error needs"), "{result:?}");
    assert!(result.out.contains("]?1 (fork[1] is empty)"), "{result:?}");
    let object = replayed(&folder, "m.pml.trail");
    let steps = object["steps"].as_array().expect("a list");
    let needed = steps.iter().filter(|step| step["needed"] == true).count();
    assert!(0 < needed && needed < steps.len(), "{needed} of {}", steps.len());
    // All steps of a shortest trail are in the causal core, and none is marked.
    let result = run_in(&folder, &["check", "m.pml"]);
    assert!(!result.out.contains("steps that the error needs"), "{result:?}");
    let model = "chan q = [1] of { byte };\nchan r = [0] of { byte };\nbyte n;\n\
        active proctype P() { q!1; q!2 }\nactive proctype Q() { r!1 }\n\
        active proctype R() { r?2 }\nactive proctype S() { (n == 3) }\n\
        active proctype T() { q?5 }\n";
    fs::write(folder.join("m.pml"), model).expect("the test directory is ours");
    let result = run_in(&folder, &["check", "m.pml"]);
    for needle in [
        "q!2 (q is full: [1])",
        "r!1 (no process receives from r)",
        "r?2 (no process sends to r)",
        "(n == 3) (n = 0)",
        "q?5 (no matching message: q = [1])",
    ] {
        assert!(result.out.contains(needle), "{needle} is not in\n{}", result.out);
    }
}

#[test]
fn the_trail_beside_the_model_is_the_default() {
    let folder = with_trail("improve-default", TABLE);
    let result = run_in(&folder, &["improve", "m.pml"]);
    assert_eq!(result.code, 0, "{result:?}");
    assert!(result.err.contains("note: using the trail `m.pml.trail`\n"), "{result:?}");
    assert!(folder.join("m.pml.short.trail").is_file(), "{result:?}");
    let named = run_in(&folder, &["improve", "m.pml", "--property", "deadlock", "--quiet"]);
    assert_eq!((named.code, &*named.err), (0, ""), "{named:?}");
    assert!(folder.join("m.deadlock.short.trail").is_file(), "{named:?}");
    let missing = scratch("improve-missing");
    fs::write(missing.join("m.pml"), TABLE).expect("the test directory is ours");
    let result = run_in(&missing, &["improve", "m.pml"]);
    assert_eq!(result.code, 4, "{result:?}");
    assert!(result.err.contains("m.pml.trail"), "{result:?}");
}
