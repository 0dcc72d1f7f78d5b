//! The output of `check` for unknown verdicts.

use std::fs;

use serde_json::Value;

use crate::run::{run_in, run_on, scratch};

/// A huge state space.
const ENDLESS: &str = "int a, b;\nactive [2] proctype P() { do :: a++ :: b++ od }\n\
    active proctype Q() { a = 1; b = 1; (b > 1000000); assert(false) }\n";

#[test]
fn an_unknown_verdict_says_what_to_try() {
    let advice = |args: &[&str]| run_on(ENDLESS, &[&["check", "-", "--no-trail"], args].concat());
    let result = advice(&["--time", "300ms"]);
    assert_eq!(result.code, 2, "{result:?}");
    assert_eq!(result.out.matches("try: more time (--time)").count(), 1, "{result:?}");
    let result = advice(&["--memory", "4M", "--time", "20s"]);
    assert!(result.out.contains("try: more memory (--memory), a smaller store"), "{result:?}");
    let result = advice(&["--depth", "5", "--search", "bfs"]);
    assert!(result.out.contains("try: a greater --depth"), "{result:?}");
    let result = advice(&["--search", "beam(width=3)", "--depth", "50"]);
    assert!(result.out.contains("try: "), "{result:?}");
    // A decided property needs no advice.
    let result = run_on("init { skip }", &["check", "-"]);
    assert!(!result.out.contains("try: "), "{result:?}");
}

#[test]
fn the_nearest_miss_is_told_and_its_trail_can_be_had() {
    let folder = scratch("open-nearest");
    fs::write(folder.join("m.pml"), ENDLESS).expect("the test directory is ours");
    let args = ["check", "m.pml", "--property", "assertions", "--memory", "6M", "--no-trail"];
    let search = ["--search", "gbfs(assertion-distance)"];
    let result = run_in(&folder, &[&args[..], &search, &["--nearest", "near.trail"]].concat());
    assert_eq!(result.code, 2, "{result:?}");
    assert!(result.out.contains(": the least estimate of "), "{result:?}");
    // The trail can be replayed, and has no error at its end.
    let result = run_in(&folder, &["replay", "m.pml", "near.trail"]);
    assert_eq!(result.code, 4, "{result:?}");
    assert!(result.err.contains("without an error"), "{result:?}");
    for (search, heuristic) in [(&search[..], "assertion-distance"), (&[], "formula")] {
        let result = run_in(&folder, &[&args[..], search, &["--json"]].concat());
        let object: Value = serde_json::from_str(&result.out).expect("JSON");
        let nearest = &object["properties"][0]["nearest"];
        assert_eq!(nearest["heuristic"], heuristic, "{object}");
        assert!(nearest["steps"].is_u64() && nearest["estimate"].is_u64(), "{object}");
    }
    let result = run_in(&folder, &[&args[..], &["--nearest", "no/near.trail"]].concat());
    assert!(result.err.contains("cannot write the trail `no/near.trail`"), "{result:?}");
    fs::write(folder.join("m.pml"), "init { skip }").expect("the test directory is ours");
    let result = run_in(&folder, &["check", "m.pml", "--nearest", "near.trail"]);
    assert!(result.err.contains("so no state has the least estimate"), "{result:?}");
}

#[test]
fn statements_that_nothing_reaches_are_listed() {
    let model = "byte n;\nactive proctype P() {\n  n = 1;\n  if\n  :: n == 1 -> n = 2\n  \
        :: n == 7 -> n = 3;\n     n = 4\n  fi\n}\n\
        proctype Never() {\n  n = 9\n}\n\
        active proctype Q() {\n  atomic { (n == 2) -> n = 5 }\n}\n";
    let result = run_on(model, &["check", "-", "--coverage", "--plain"]);
    for needle in ["not reached:\n  P: 3 of 6 statements\n", "n == 7\n", "n = 4\n", "n = 9\n"] {
        assert!(result.out.contains(needle), "{needle} is not in\n{}", result.out);
    }
    for other in ["n = 1\n", "n = 2\n", "n = 5\n", "Q: "] {
        assert!(!result.out.contains(other), "{other} is in\n{}", result.out);
    }
    let result = run_on(model, &["check", "-", "--coverage", "--plain", "--json"]);
    let object: Value = serde_json::from_str(&result.out).expect("JSON");
    assert_eq!(object["coverage"][0]["unreached"][0]["line"], 6, "{object}");
    let result = run_on("byte n;\ninit { n = 1 }\n", &["check", "-", "--coverage"]);
    assert!(result.out.contains("every statement is reached"), "{result:?}");
    let inside = "byte x, y;\nactive proctype P() {\n  d_step {\n    if\n    :: x == 5 -> y = 1\n    \
                  :: else -> x = 1\n    fi;\n    y = 2\n  }\n}\n";
    let result = run_on(inside, &["check", "-", "--coverage"]);
    assert!(result.out.contains("not reached:\n  P: 2 of 5 statements\n"), "{result:?}");
    for needle in ["x == 5\n", "y = 1\n"] {
        assert!(result.out.contains(needle), "{needle} is not in\n{}", result.out);
    }
    let result = run_on(ENDLESS, &["check", "-", "--coverage", "--time", "300ms"]);
    assert!(result.out.contains("not all states were visited"), "{result:?}");
}
