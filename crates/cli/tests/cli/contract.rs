//! The keys of the JSON objects are a contract: scripts rely on them. A removed key fails here, and
//! so does a new one until it is added to the test.

use std::collections::BTreeSet;
use std::fs;

use serde_json::{Value, json};

use crate::run::{run_in, run_on, scratch};

const STUCK: &str = "chan q = [0] of { byte };\nactive proctype P() { q!1; q!2 }\n\
                     active proctype Q() { q?1 }\n";

/// An object has the keys of an example, with values of the same type, and these further ones.
/// `null` in the example matches any type.
fn check(object: &Value, example: &Value, further: &[&str]) {
    let keys = |value: &Value| -> BTreeSet<String> {
        value.as_object().unwrap_or_else(|| panic!("no object: {value}")).keys().cloned().collect()
    };
    let mut expected = keys(example);
    expected.extend(further.iter().map(|&key| key.to_owned()));
    assert_eq!(keys(object), expected, "{object}");
    let kind = |value: &Value| match value {
        Value::Null => "null",
        Value::Bool(_) => "bool",
        Value::Number(_) => "number",
        Value::String(_) => "string",
        Value::Array(_) => "list",
        Value::Object(_) => "object",
    };
    for (key, value) in example.as_object().expect("an object") {
        if !value.is_null() {
            assert_eq!(kind(&object[key]), kind(value), "{key}: {object}");
        }
    }
}

fn parse(text: &str) -> Value {
    serde_json::from_str(text).expect("standard output is one JSON value")
}

#[test]
fn check_keeps_its_contract() {
    let folder = scratch("contract-check");
    fs::write(folder.join("m.pml"), STUCK).unwrap();
    let object = parse(&run_in(&folder, &["check", "m.pml", "--json"]).out);
    let example = json!({ "tool": "", "version": "", "model": "", "verdict": "",
        "properties": [], "stats": {} });
    check(&object, &example, &["as_expected"]);
    assert_eq!((&object["tool"], &object["model"]), (&"beeline".into(), &"m.pml".into()));
    let example = json!({ "name": "", "kind": "", "verdict": "", "reason": "", "trail": null });
    let properties = object["properties"].as_array().unwrap();
    assert_eq!(properties.len(), 2, "{object}");
    let further =
        ["others", "heuristic", "found_by", "nearest", "expected", "as_expected", "remarks"];
    properties.iter().for_each(|property| check(property, &example, &further));
    let example = json!({ "file": "", "steps": 0, "shortest": true, "lower_bound": 0,
        "cycle_start": null, "error": "", "replayed": true });
    check(&properties[0]["trail"], &example, &["lines", "detail", "causes", "text"]);
    let example = json!({ "search": "", "stored": 0, "matched": 0, "transitions": 0,
        "expanded": 0, "generated": 0, "evaluated": 0, "reopened": 0, "reduced": 0,
        "cut": 0, "depth": 0,
        "atomic_steps": 0, "state_bytes": 0, "store_bytes": 0, "peak_bytes": 0, "seconds": 0.0,
        "h_initial": null, "h_min": null, "h_max": null });
    check(
        &object["stats"],
        &example,
        &["engine", "store", "table_bytes", "errors", "passed", "covered", "skipped"],
    );
}

#[test]
fn count_keeps_its_contract() {
    let object = parse(&run_on(STUCK, &["count", "-", "--json"]).out);
    let example = json!({ "complete": true, "stored": 0, "matched": 0, "transitions": 0,
        "depth": 0, "errors": 0, "reduced": 0, "cut": 0, "atomic_steps": 0, "state_bytes": 0,
        "store_bytes": 0,
        "seconds": 0.0 });
    let further = [
        "tool",
        "version",
        "model",
        "reason",
        "search",
        "engine",
        "store",
        "table_bytes",
        "peak_bytes",
        "passed",
        "covered",
        "skipped",
    ];
    check(&object, &example, &further);
}

#[test]
fn count_symbolic_keeps_its_contract() {
    let object = parse(&run_on(STUCK, &["count", "-", "--symbolic", "--json"]).out);
    let example = json!({ "complete": true, "states": "0", "precision": "exact", "nodes": 0,
        "peak_nodes": 0, "iterations": 0, "seconds": 0.0 });
    check(&object, &example, &["tool", "version", "model", "reason"]);
}

#[test]
fn compare_keeps_its_contract() {
    let folder = scratch("contract-compare");
    fs::write(folder.join("a.pml"), STUCK).unwrap();
    fs::write(folder.join("b.pml"), "active proctype P() { do :: skip od }\n").unwrap();
    let line = ["compare", "a.pml", "b.pml", "--relation", "simulation", "--json"];
    let object = parse(&run_in(&folder, &line).out);
    let example = json!({ "tool": "", "version": "", "model": "", "abstraction": "",
        "relation": "", "stutter": true, "observed": [], "related": true, "reason": "",
        "states": {}, "trail": {}, "answer": {}, "difference": {}, "peak_bytes": 0,
        "seconds": 0.0 });
    check(&object, &example, &[]);
    check(&object["trail"], &json!({ "file": null, "steps": 0, "text": "" }), &[]);
    let example = json!({ "by": "", "observed": [], "possible": [] });
    check(&object["difference"], &example, &[]);
}

#[test]
fn replay_and_simulate_tell_a_story_with_the_same_keys() {
    let folder = scratch("contract-story");
    fs::write(folder.join("m.pml"), STUCK).unwrap();
    assert_eq!(run_in(&folder, &["check", "m.pml", "--quiet", "--plain"]).code, 1);
    let story = json!({ "tool": "", "version": "", "model": "", "error": "", "detail": null,
        "causes": [], "cycle_start": null, "steps": [], "processes": [], "values": [] });
    let replay = run_in(&folder, &["replay", "m.pml", "m.pml.trail", "--json"]);
    let replay = parse(&replay.out);
    check(&replay, &story, &["trail"]);
    let simulate = parse(&run_in(&folder, &["simulate", "m.pml", "--json"]).out);
    check(&simulate, &story, &["trail", "seed", "ending", "remarks"]);
    let step = json!({ "step": 0, "pid": 0, "process": "", "file": "", "line": 0, "statement": "",
        "partner": {}, "changes": [], "printed": "", "fault": null, "needed": null });
    for object in [&replay, &simulate] {
        check(&object["steps"][0], &step, &[]);
        let resting = json!({ "pid": 0, "process": "", "file": "", "line": 0, "statements": [],
            "obstacles": [], "at_end": true });
        check(&object["processes"][0], &resting, &[]);
    }
}

#[test]
fn hsf_keeps_its_contract() {
    let result = run_on(STUCK, &["hsf", "-", "-Ed", "--no-trail", "--json"]);
    let example = json!({ "tool": "", "version": "", "model": "", "verdict": "", "reason": "",
        "error": "", "search": "", "weight": null, "heuristic": "", "counting": "", "stored": 0,
        "matched": 0, "transitions": 0, "atomic_steps": 0, "expanded": 0, "reopened": 0,
        "depth": 0, "h_initial": 0, "h_min": 0, "h_max": 0, "state_bytes": 0, "peak_bytes": 0,
        "seconds": 0.0, "trail": {} });
    let object = parse(&result.out);
    check(&object, &example, &[]);
    let example = json!({ "file": null, "steps": 0, "shortest": true, "text": "" });
    check(&object["trail"], &example, &[]);
}

#[test]
fn states_keep_their_contract() {
    let object = parse(&run_on(STUCK, &["dump", "-", "--form", "states", "--json"]).out);
    let example = json!({ "tool": "", "version": "", "model": "", "form": "", "error": null,
        "states": [], "edges": [] });
    check(&object, &example, &[]);
    let example = json!({ "state": 0, "initial": true, "deadlock": true, "values": [],
        "processes": [] });
    check(&object["states"][0], &example, &[]);
    let example = json!({ "pid": 0, "process": "", "line": 0, "statements": [] });
    check(&object["states"][0]["processes"][0], &example, &[]);
    let edge = &object["edges"][0];
    check(edge, &json!({ "from": 0, "to": 0, "fault": null, "steps": [] }), &[]);
    let turn = json!({ "pid": 0, "process": "", "file": "", "line": 0, "statement": "" });
    check(&edge["steps"][0], &turn, &["partner"]);
    check(&edge["steps"][0]["partner"], &turn, &[]);
}

/// Names that scripts and books rely on.
#[test]
fn names_of_forms_stores_reductions_and_searches_are_known() {
    let model = "byte x;\nactive proctype P() { do :: x < 2 -> x++ :: else -> break od }\n";
    for form in ["tokens", "ast", "hir", "automata", "model", "facts"] {
        let result = run_on(model, &["dump", "-", "--form", form]);
        assert!(result.code == 0 && !result.out.is_empty(), "{form}: {result:?}");
    }
    let lossy = ["hash-compact", "bitstate(runs=2)"];
    for store in ["exact", "compact", "collapse"].into_iter().chain(lossy) {
        let result = run_on(model, &["check", "-", "--store", store, "--search", "dfs"]);
        let expected = if lossy.contains(&store) { 2 } else { 0 };
        assert_eq!(result.code, expected, "{store}: {result:?}");
    }
    for reduction in ["auto", "none", "ample", "ample(c3=stack)"] {
        let result = run_on(model, &["check", "-", "--reduce", reduction, "--search", "dfs"]);
        assert_eq!(result.code, 0, "{reduction}: {result:?}");
    }
    let searches = [
        "dfs",
        "bfs",
        "astar(active)",
        "astar(active, w=2)",
        "gbfs(hpl)",
        "ida(nonempty-queues, table=100000)",
        "random-dfs",
        "ndfs",
        "auto",
    ];
    for search in searches {
        let result = run_on(model, &["check", "-", "--search", search]);
        assert_eq!(result.code, 0, "{search}: {result:?}");
    }
}

/// The searches in CLI.md find the violations of all properties.
#[test]
fn searches_of_the_contract_are_there() {
    let wrong = "byte x;\nactive proctype P() { do :: x < 3 -> x++ :: x == 3 -> break od; \
                 assert(x < 3) }\nltl small { [] (x < 3) }\n";
    let searches = [
        "dfs",
        "bfs",
        "astar(active)",
        "astar(fsm, w=2)",
        "gbfs(hpl)",
        "ida(nonempty-queues, table=100000)",
        "beam(formula, width=1000)",
        "random-dfs",
        "ndfs",
        "auto",
    ];
    for search in searches {
        for (text, property) in [(STUCK, "deadlock"), (wrong, "assertions"), (wrong, "small")] {
            let args = ["check", "-", "--search", search, "--property", property, "--no-trail"];
            let result = run_on(text, &args);
            assert_eq!(result.code, 1, "{search}, {property}: {result:?}");
        }
    }
}
