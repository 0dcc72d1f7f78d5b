//! Lossy stores on the command line.

use serde_json::Value;

use crate::run::{GOOD, run, run_on};

fn json(model: &str, args: &[&str]) -> (i32, Value) {
    let result = run_on(model, args);
    let value = serde_json::from_str(&result.out).expect("standard output is one JSON value");
    (result.code, value)
}

#[test]
fn counts_are_lower_bounds_and_say_so() {
    let args = |store| ["count", "-", "--json", "--store", store];
    let (code, exact) = json(GOOD, &args("exact"));
    assert_eq!(code, 0);
    for store in ["hash-compact", "bitstate", "bitstate(bytes=65536, runs=2)"] {
        let (code, object) = json(GOOD, &args(store));
        assert_eq!((code, &object["complete"]), (2, &Value::Bool(false)), "{object}");
        assert_eq!(object["stored"], exact["stored"], "{object}");
        assert_eq!(object["store"].as_str(), store.split('(').next());
        let reason = object["reason"].as_str().expect("there is a reason");
        assert!(
            reason.starts_with("the store may have overlooked states: expected number "),
            "{reason}"
        );
        assert!(reason.ends_with("; the counts are lower bounds"), "{reason}");
    }
}

#[test]
fn nothing_holds_and_violations_are_shown() {
    for store in ["hash-compact", "bitstate", "bitstate(bits=2, runs=2)"] {
        let result = run_on(GOOD, &["check", "-", "--search", "dfs", "--store", store]);
        assert_eq!(result.code, 2, "{result:?}");
        assert!(
            result.out.contains("the store may have overlooked states: expected number "),
            "{result:?}"
        );
        assert!(result.out.contains("--store compact"), "{result:?}");
        let stuck = "active proctype P() { false }\n";
        let result = run_on(stuck, &["check", "-", "--store", store]);
        assert_eq!(result.code, 1, "{result:?}");
        assert!(result.out.contains("depth-first search instead of auto"), "{result:?}");
    }
}

#[test]
fn directed_searches_keep_bits_of_what_they_have_expanded() {
    let stuck =
        "byte n;\nactive proctype P() { do :: n < 9 -> n++ :: n == 9 -> break od; false }\n";
    for search in ["bfs", "dijkstra", "astar(active)", "gbfs", "ida(active)"] {
        for store in ["bitstate(bytes=4096)", "hash-compact(runs=2)"] {
            let args = ["check", "-", "--search", search, "--store", store];
            let result = run_on(stuck, &args);
            assert_eq!(result.code, 1, "{result:?}");
            assert!(!result.out.contains("instead"), "{result:?}");
            let result = run_on(GOOD, &args);
            assert_eq!(result.code, 2, "{result:?}");
            assert!(
                result.out.contains("may have overlooked states: expected number "),
                "{result:?}"
            );
        }
    }
}

#[test]
fn a_cache_proves_that_a_property_holds() {
    for store in ["cache", "cache(states=8)", "cache(bytes=100000)"] {
        let result = run_on(GOOD, &["check", "-", "--search", "dfs", "--store", store]);
        assert_eq!(result.code, 0, "{result:?}");
        let result = run_on("active proctype P() { false }\n", &["check", "-", "--store", store]);
        assert_eq!(result.code, 1, "{result:?}");
    }
}

/// 61³ states, at depths of up to 180 moves. The relaxation cannot prove that two counters are
/// always equal.
const MANY: &str = "byte a, b, c, d;\n\
    active proctype A() { end: do :: atomic { a < 60 -> a++; d++ } od }\n\
    active proctype W() { end: (a != d) -> assert(false) }\n\
    active proctype B() { end: do :: atomic { b < 60 -> b++ } od }\n\
    active proctype C() { end: do :: atomic { c < 60 -> c++ } od }\n";

/// Two processes that block after some local steps.
const STUCK: &str = "byte a, b;\n\
    active proctype A() { a++; a++; a++; false }\n\
    active proctype B() { b++; b++; b++; false }\n";

#[test]
fn where_memory_ends_the_automatic_search_goes_on_with_bits() {
    let check = |model: &str, more: &[&str]| {
        let args = ["check", "-", "--jobs", "1", "--memory", "2M", "--no-trail"];
        // As a set, the states need little memory.
        let only = ["--property", "assertions", "--search", "auto(sets=no)"];
        run_on(model, &[&args[..], &only, more].concat())
    };
    let result = check(MANY, &["--reduce", "off"]);
    assert_eq!(result.code, 2, "{result:?}");
    assert!(result.out.contains("may have overlooked states: expected number "), "{result:?}");
    assert!(result.out.contains(" of 22"), "nearly all states were seen: {result:?}");
    assert!(!result.out.contains("holds"), "{result:?}");
    // An explicitly requested exact store is not replaced.
    let result = check(MANY, &["--reduce", "off", "--store", "exact"]);
    assert_eq!(result.code, 2, "{result:?}");
    assert!(!result.out.contains("overlooked"), "{result:?}");
    // Violations are found.
    let wrong = format!("{MANY}active proctype D() {{ (a + b + c == 180); assert(false) }}\n");
    for reduce in ["off", "auto"] {
        let result = check(&wrong, &["--reduce", reduce]);
        assert_eq!(result.code, 1, "{result:?}");
    }
    // The counters are independent, so that the reduced proof needs few states.
    let result = check(MANY, &[]);
    assert_eq!(result.code, 0, "{result:?}");
}

#[test]
fn who_forgets_states_counts_depth_first_and_says_so() {
    for (store, search) in [("bitstate", "dfs"), ("cache", "dfs"), ("compact", "bfs")] {
        let result = run_on(MANY, &["count", "-", "--json", "--depth", "5", "--store", store]);
        let object: serde_json::Value = serde_json::from_str(&result.out).unwrap();
        assert_eq!(object["search"], search, "{store}: {object}");
    }
}

#[test]
fn what_may_overlook_states_can_leave_some_out_on_purpose() {
    let check = |more: &[&str]| {
        let args = ["check", "-", "--json", "--no-trail", "--property", "deadlock"];
        let result = run_on(STUCK, &[&args[..], more].concat());
        (result.code, serde_json::from_str(&result.out).unwrap_or_default(), result.err)
    };
    for store in ["bitstate", "hash-compact"] {
        let reduced = ["--store", store, "--search", "dfs", "--reduce", "stubborn"];
        let (code, object, _): (_, serde_json::Value, _) = check(&reduced);
        assert_eq!(code, 1, "{object}");
        assert!(object["stats"]["reduced"].as_u64() > Some(0), "{object}");
    }
    // An unsupported reduction is a remark,
    for (store, search) in [("bitstate", "bfs"), ("cache", "dfs")] {
        let (code, object, _) =
            check(&["--store", store, "--search", search, "--reduce", "stubborn"]);
        assert_eq!((code, &object["stats"]["reduced"]), (1, &0.into()), "{object}");
        let remarks = object["properties"][0]["remarks"].to_string();
        assert!(remarks.contains("not reduced, because"), "{object}");
    }
    // and an unsound one is refused.
    let (code, _, told) =
        check(&["--store", "bitstate", "--search", "dfs", "--reduce", "stubborn(c3=stack)"]);
    assert!(code == 4 && told.contains("a lossy store only knows"), "{told}");
}

#[test]
fn wrong_arguments_end_with_4() {
    for store in ["bitstate(bits=0)", "bitstate(size=1)", "hash-compact(runs=none)", "exact(1)"]
        .into_iter()
        .chain(["cache(states=few)", "cache(runs=1)", "cache(states=0)", "bitstate(bytes=0)"])
    {
        let result = run(&["count", "-", "--store", store]);
        assert_eq!((result.code, &*result.out), (4, ""), "{result:?}");
    }
    for search in ["beam(width=0)", "astar(mix=2)", "astar(w=1000)", "astar(mix=-1)"] {
        let result = run(&["check", "-", "--search", search]);
        assert_eq!((result.code, &*result.out), (4, ""), "{result:?}");
    }
}
