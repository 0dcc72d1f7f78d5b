//! `beeline hsf` prints the output of HSF-SPIN, as far as the papers show it.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::run::{GOOD, Run, run, run_in, run_on, scratch};

fn model(name: &str) -> String {
    let path: PathBuf = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models").join(name);
    path.canonicalize().expect("the model is there").to_string_lossy().into_owned()
}

fn philosophers(folder: &Path, args: &[&str]) -> Run {
    run_in(folder, &[&["hsf", &model("philosophers_hsf.pml"), "-Ed"], args].concat())
}

fn object(result: &Run) -> Value {
    serde_json::from_str(&result.out).expect("standard output is one JSON value")
}

/// The lines of a report from the first finding on, without expected differences: the length of a
/// state, the name of the trail, and margins.
fn block(text: &str) -> Vec<String> {
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    let line = |line: &str| {
        let line = match line.split_once(" bytes, ") {
            Some((_, rest)) => format!("State-vector _ bytes, {rest}"),
            None => line.to_owned(),
        };
        if line.starts_with("Wrote ") { "Wrote _".to_owned() } else { line }
    };
    lines.skip_while(|line| !line.starts_with("Printing")).map(line).collect()
}

/// [ELL01] §3.1.
const DEPTH_FIRST: &str = "
Printing Statistics...
State-vector 120 bytes, depth reached 1362, errors: 1
1341 states, stored
431 states, matched
1772 transitions (transitions performed)
25 atomic steps
1341 states, expanded
Range of heuristic was: [0..0]
Writing Trail
Wrote models/deadlock.philosophers.prm.trail
Length of trail is 1362
";

/// [EMJ05], Statistics.
const A_STAR: &str = "
Printing Statistics...

State-vector 148 bytes, depth reached 42, errors: 1
  103 states, stored
    8 states, matched
  111 transitions (transitions performed)
    31 atomic steps
    21 states, expanded
Range of heuristic was: [0..10]

Writing Trail

Wrote models/deadlock.philosophers.prm.trail
  Length of trail is 42
";

#[test]
fn the_first_example_comes_out_line_by_line() {
    let folder = scratch("hsf-first-example");
    let result = philosophers(&folder, &["-D", "N=8"]);
    assert_eq!((result.code, &*result.err), (1, ""), "{result:?}");
    assert!(result.out.contains("\nChecking for deadlocks with Depth-First Search...\n"));
    assert!(result.out.contains("\ninvalid endstate (at depth 1362)\n"), "{result:?}");
    assert_eq!(block(&result.out), block(DEPTH_FIRST));
    // Defaults: depth-first search for deadlocks.
    let default = run_in(&folder, &["hsf", &model("philosophers_hsf.pml"), "-D", "N=8"]);
    assert_eq!(default.out, result.out);
}

#[test]
fn a_star_with_active_processes_does_what_the_text_says() {
    let folder = scratch("hsf-a-star");
    let result = philosophers(&folder, &["-D", "N=8", "-AA", "-Ha", "--json"]);
    let object = object(&result);
    let numbers = ["depth", "expanded", "stored", "matched", "transitions", "atomic_steps"]
        .map(|key| object[key].as_u64().unwrap());
    assert_eq!((result.code, numbers), (1, [34, 17, 67, 6, 73, 25]));
    assert_eq!((&object["verdict"], &object["trail"]["steps"]), (&"violated".into(), &34.into()));
}

#[test]
fn the_statistics_of_the_tutorial_come_out_line_by_line() {
    let folder = scratch("hsf-tutorial");
    let result = philosophers(&folder, &["-D", "N=10", "-Aa", "-Ha", "-q"]);
    assert_eq!((result.code, block(&result.out)), (1, block(A_STAR)), "{result:?}");
}

#[test]
fn the_first_tables_count_each_step() {
    let folder = scratch("hsf-2000");
    let expanded = |args: &[&str]| {
        let all = [&["-D", "N=6", "--json", "--no-trail", "--counting", "2000"], args].concat();
        object(&philosophers(&folder, &all))["expanded"].as_u64().unwrap()
    };
    // Tables 5, 6 and 7.
    assert_eq!(expanded(&["-AA"]), 356);
    assert_eq!(expanded(&["-AA", "-Hq"]), 55);
    assert_eq!(expanded(&["-AA", "-H2"]), 26);
    assert_eq!(expanded(&["-AA", "-H5"]), 31);
    assert_eq!(expanded(&["-AA", "-H1", "-W", "3"]), 199);
    assert_eq!(expanded(&["-Ai", "-H1", "--successors", "reversed"]), 265);
}

#[test]
fn the_trail_is_where_it_says_and_can_be_replayed() {
    let folder = scratch("hsf-trail");
    for args in [&["-AA", "-Ha"][..], &["-Ab", "--counting", "2000"], &["-Ag", "-Ha"], &["-Ai"]] {
        let result = philosophers(&folder, args);
        assert!(result.out.contains("\nWrote philosophers_hsf.pml.trail\n"), "{result:?}");
        let path = model("philosophers_hsf.pml");
        let replayed = run_in(&folder, &["replay", &path, "philosophers_hsf.pml.trail", "--json"]);
        assert_eq!(replayed.code, 0, "{args:?}: {replayed:?}");
    }
    let result = philosophers(&folder, &["-AA", "--no-trail"]);
    assert!(!result.out.contains("Wrote"), "{result:?}");
}

#[test]
fn assertions_and_never_claims_are_errors_to_look_for() {
    let broken = "byte n;\nactive [2] proctype P() { n++; n++; assert(n < 4) }\n";
    for search in ["-Ad", "-AA", "-Ai", "-Ag", "-Ab"] {
        for more in [&["-Hs"][..], &["-H0", "--counting", "2000"]] {
            let args = [&["hsf", "-", "-Ea", search, "--no-trail", "--json"], more].concat();
            let result = run_on(broken, &args);
            assert_eq!(result.code, 1, "{search}: {result:?}");
            assert_eq!(object(&result)["reason"], "assertion violated");
        }
    }
    let claimed = "byte n;\nactive proctype P() { do :: n < 9 -> n++ :: n > 0 -> n-- od }\n\
                   never { do :: n == 5 -> break :: else od }\n";
    for more in [&["-Ad"][..], &["-AA", "-Hf"], &["-AA", "-Hc"]] {
        let args = [&["hsf", "-", "-El", "--no-trail", "--json"], more].concat();
        let result = run_on(claimed, &args);
        assert_eq!(result.code, 1, "{result:?}");
        assert_eq!(object(&result)["reason"], "never claim violated");
    }
}

#[test]
fn where_there_is_no_error_all_states_were_searched() {
    let result = run_on(GOOD, &["hsf", "-", "-Ea", "-AA"]);
    assert_eq!(result.code, 0, "{result:?}");
    assert!(result.out.contains("no error: all states were searched\n"), "{result:?}");
    assert!(result.out.contains("errors: 0\n") && !result.out.contains("Trail"), "{result:?}");
    let result = run_on(GOOD, &["hsf", "-", "-Ed", "--json"]);
    assert_eq!((result.code, &object(&result)["verdict"]), (0, &"holds".into()));
}

#[test]
fn what_was_not_established_is_unknown() {
    let folder = scratch("hsf-unknown");
    let result = philosophers(&folder, &["-D", "N=9", "-Ab", "--memory", "64K"]);
    assert_eq!(result.code, 2, "{result:?}");
    assert!(result.out.contains("\nunknown: memory limit reached\n"), "{result:?}");
    // Nothing is searched after a bad index, which may hide a deadlock.
    let bad = "byte a[2], i = 3;\nactive proctype P() { a[i] = 1; false }\n";
    let result = run_on(bad, &["hsf", "-", "-Ed", "--no-trail"]);
    assert_eq!(result.code, 1, "{result:?}");
    assert!(result.out.contains("array index out of bounds"), "{result:?}");
}

#[test]
fn an_option_without_a_value_lists_its_values() {
    for (args, words) in [
        (&["-A"][..], &["A*", "IDA*", "Depth-First Search"][..]),
        (&["-E"], &["deadlocks", "assertions", "the never claim"]),
        (&["-H"], &["active processes", "formula-based", "non-empty queues"]),
        (&["-A", "-H"], &["A*", "active processes"]),
        (&["model.pml", "-Ed", "-A"], &["A*"]),
    ] {
        let result = run(&[&["hsf"], args].concat());
        assert_eq!((result.code, &*result.err), (0, ""), "{result:?}");
        for word in words {
            assert!(result.out.contains(word), "{word}: {result:?}");
        }
    }
    let listed = object(&run(&["hsf", "-A", "--json"]));
    assert_eq!(listed["options"][0]["values"][1]["letters"], serde_json::json!(["A", "a"]));
}

#[test]
fn a_bad_option_ends_with_4_and_names_what_is_possible() {
    let folder = scratch("hsf-bad-options");
    fs::write(folder.join("m.pml"), GOOD).unwrap();
    for (args, words) in [
        (&["-Ax"][..], &["-A has no value `x`", "-AA (A*)", "-Ad (Depth-First Search)"][..]),
        (&["-En"], &["-E has no value `n`", "-Ed (deadlocks)", "-El (the never claim)"]),
        (&["-Hz"], &["-H has no value `z`", "-Ha (active processes)"]),
        (&["-Hmagic"], &["-H: there is no heuristic `magic`", "active"]),
        (&["-Ea", "-H5"], &["-H: heuristic `dangerous` does not apply to this goal", "deadlock"]),
        (&["-H", "max(active"], &["-H: `max(active` is not a heuristic"]),
        (&["-A", "m.pml"], &["-A has no value `m.pml`", "one letter, directly after -A"]),
        (&["-El"], &["-El: ", "never claim"]),
        (&["-Ad", "-W2"], &["-W is for A*", "-AA"]),
        (&["-AA", "-Wx"], &["-W", "`x` is not a weight"]),
        (&["--counting", "1999"], &["--counting", "2000", "2001"]),
        (&["--successors", "x"], &["--successors", "forward", "reversed"]),
    ] {
        let result = run_in(&folder, &[&["hsf", "m.pml"], args].concat());
        assert_eq!((result.code, &*result.out), (4, ""), "{args:?}: {result:?}");
        for word in words {
            assert!(result.err.contains(word), "{word}: {result:?}");
        }
    }
    assert_eq!(run(&["hsf"]).code, 4);
    let result = run(&["hsf", "-AA"]);
    assert_eq!(result.code, 4, "{result:?}");
    assert!(result.err.contains("there is no model"), "{result:?}");
}
