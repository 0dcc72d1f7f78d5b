//! Stores that may overlook states, as people see them.

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
        assert!(reason.starts_with("the store may have overlooked states: about "), "{reason}");
        assert!(reason.ends_with("; the counts are lower bounds"), "{reason}");
    }
}

#[test]
fn nothing_holds_and_violations_are_shown() {
    for store in ["hash-compact", "bitstate", "bitstate(bits=2, runs=2)"] {
        let result = run_on(GOOD, &["check", "-", "--search", "dfs", "--store", store]);
        assert_eq!(result.code, 2, "{result:?}");
        assert!(result.out.contains("the store may have overlooked states: about "), "{result:?}");
        assert!(result.out.contains("--store compact"), "{result:?}");
        let stuck = "active proctype P() { false }\n";
        let result = run_on(stuck, &["check", "-", "--store", store]);
        assert_eq!(result.code, 1, "{result:?}");
        assert!(result.out.contains("depth-first instead of auto"), "{result:?}");
    }
}

#[test]
fn wrong_arguments_end_with_4() {
    for store in ["bitstate(bits=0)", "bitstate(size=1)", "hash-compact(runs=none)", "exact(1)"] {
        let result = run(&["count", "-", "--store", store]);
        assert_eq!((result.code, &*result.out), (4, ""), "{result:?}");
    }
}
