//! Path compression: states that are not stored.

use serde_json::Value;

use crate::run::run_on;

/// Two counters that end in a deadlock, and a failing assertion.
const STUCK: &str = "byte a, b;\n\
    active proctype A() { a++; a++; a++; assert(a == 2); false }\n\
    active proctype B() { b++; b++; b++; false }\n";
const PASS: &str = "stubborn(pass=yes)";

fn check(reduce: &str, more: &[&str]) -> (i32, Value, String) {
    let args = ["check", "-", "--json", "--no-trail", "--reduce", reduce];
    let result = run_on(STUCK, &[&args, more].concat());
    (result.code, serde_json::from_str(&result.out).unwrap_or_default(), result.err)
}

#[test]
fn what_is_passed_is_in_the_trail() {
    for search in ["bfs", "dfs", "random-dfs"] {
        let (code, object, _) = check(PASS, &["--property", "deadlock", "--search", search]);
        assert_eq!(code, 1, "{object}");
        // When one process is blocked, the other has a single transition: that is no reduction.
        let (stored, passed) = (&object["stats"]["stored"], &object["stats"]["passed"]);
        assert_eq!((stored, passed), (&6.into(), &2.into()), "{object}");
        // All steps up to the deadlock.
        let trail = &object["properties"][0]["trail"];
        assert_eq!((&trail["steps"], &trail["replayed"]), (&7.into(), &true.into()), "{object}");
        assert_eq!(trail["shortest"], false, "{object}");
    }
}

#[test]
fn counting_says_how_many_were_passed() {
    let result = run_on(STUCK, &["count", "-", "--reduce", PASS]);
    assert_eq!(result.code, 0, "{result:?}");
    assert!(result.out.contains("states passed"), "{result:?}");
    let result = run_on(STUCK, &["count", "-", "--reduce", "stubborn"]);
    assert!(!result.out.contains("states passed"), "{result:?}");
}

#[test]
fn nothing_is_passed_but_for_deadlocks() {
    let (fixed, open) = ("stubborn(c3=static, pass=yes)", "stubborn(c3=open, pass=yes)");
    let deadlock = ["--property", "deadlock", "--search", "bfs"];
    for (reduce, more) in [
        (PASS, &["--property", "assertions", "--search", "bfs"][..]),
        (PASS, &["--property", "deadlock", "--search", "astar"]),
        (PASS, &["--property", "deadlock"]),
        (PASS, &[&deadlock[..], &["--depth", "9"]].concat()),
        (PASS, &[&deadlock[..], &["--store", "bitstate"]].concat()),
        (fixed, &deadlock),
        (open, &deadlock),
    ] {
        let (code, _, told) = check(reduce, more);
        assert_eq!(code, 4, "{more:?}");
        assert!(told.contains("pass=yes works for deadlocks alone"), "{more:?}: {told}");
    }
}
