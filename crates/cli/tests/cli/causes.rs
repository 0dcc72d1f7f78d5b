//! The cause of an error: the part of a condition that is false, and the operand that fails, with
//! values.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use crate::run::{run_in, scratch};

/// The text of a check of a model, and the causes of its first violation as data.
fn checked(name: &str, model: &str, options: &[&str]) -> (String, Value) {
    let folder = scratch(name);
    fs::write(folder.join("m.pml"), model).expect("the test directory is ours");
    let args = [&["check", "m.pml"], options].concat();
    let result = run_in(&folder, &args);
    assert_eq!(result.code, 1, "{result:?}");
    let causes = causes(&folder, &[&args[..], &["--json"]].concat());
    (result.out, causes)
}

fn causes(folder: &Path, args: &[&str]) -> Value {
    let result = run_in(folder, args);
    let report: Value = serde_json::from_str(&result.out).expect("it is JSON");
    let properties = report["properties"].as_array().expect("properties are listed");
    let violated = properties.iter().find(|property| property["verdict"] == "violated");
    violated.expect("one is violated")["trail"]["causes"].clone()
}

fn assert_line(out: &str, line: &str) {
    assert!(out.lines().any(|one| one == line), "{line:?} is not in\n{out}");
}

#[test]
fn the_conjunct_of_an_assertion_that_is_false_is_named() {
    let model = "#define MOST 3\nbyte a, b;\n\
        active proctype P() { a = 2; b = 5; assert(a < MOST && b == 2) }\n";
    let (out, causes) = checked("causes-assertion", model, &["--plain"]);
    assert_line(
        &out,
        "after 3 steps: assertion violated: assert(a < MOST && b == 2) with a = 2, b = 5",
    );
    assert_line(&out, "  b == 2 is false: b = 5");
    let text = "b == 2 is false: b = 5";
    let values = json!([{ "name": "b", "value": "5" }]);
    assert_eq!(causes, json!([{ "part": "b == 2", "text": text, "values": values }]));
}

#[test]
fn a_condition_without_conjuncts_is_told_once() {
    let model = "byte a;\nactive proctype P() { a = 2; assert(a == 1) }\n";
    let (out, causes) = checked("causes-whole", model, &["--plain"]);
    assert_line(&out, "after 2 steps: assertion violated: assert(a == 1) with a = 2");
    assert!(!out.contains("is false"), "{out}");
    assert_eq!(causes[0]["text"], "a == 1 is false: a = 2");
}

#[test]
fn negations_and_merged_statements_are_looked_into() {
    // The statements are merged: the values are those when the assertion fails.
    let model = "active proctype P() { byte a; a = 2; a++; assert(!(a == 3 || a == 4)); a = 9 }\n";
    let (out, causes) = checked("causes-negation", model, &[]);
    assert_line(&out, "  a == 3 is true: a = 3");
    assert_eq!(causes.as_array().expect("a list").len(), 1, "{causes}");
    // Inside a d_step, too.
    let model = "byte a; active proctype P() { d_step { a = 4; assert(a < 3 && a > 0); a = 0 } }\n";
    let (out, _) = checked("causes-d-step", model, &[]);
    assert_line(&out, "  a < 3 is false: a = 4");
}

#[test]
fn invariants_and_safety_formulas_name_the_state_that_is_wrong() {
    let model = "mtype = { red, green }; mtype light = red; byte n; chan q = [2] of { byte };\n\
        active proctype P() { n = 1; q!1; light = green }\n\
        ltl safe { [] (n < 2 && (light == red || len(q) == 0)) }\n";
    let part = "  light == red || len(q) == 0 is false: light = green, len(q) = 1";
    let (out, _) = checked("causes-formula", model, &["--property", "safe"]);
    assert_line(&out, part);
    let invariant = "invariant: n < 2 && (light == red || len(q) == 0)";
    let (out, causes) = checked("causes-invariant", model, &["--property", invariant]);
    assert_line(&out, part);
    assert_eq!(causes[0]["values"][0], json!({ "name": "light", "value": "green" }));
    let implies = "ltl: [] (n == 1 -> light == red) && [] (n > 0 <-> light == red)";
    let (out, _) = checked("causes-implies", model, &["--property", implies]);
    assert_line(&out, "  n > 0 <-> light == red is false: n = 0, light = red");
    let implies = "ltl: [] (n == 1 -> light == red)";
    let (out, _) = checked("causes-implies", model, &["--property", implies]);
    assert_line(&out, "  n == 1 is true: n = 1");
    assert_line(&out, "  light == red is false: light = green");
    let until = "ltl: (light == red && n < 2) U (n == 7)";
    let (out, _) = checked("causes-until", model, &["--property", until]);
    assert_line(&out, "  light == red is false: light = green");
    assert_line(&out, "  n == 7 is false: n = 1");
    // A part about the initial state is no cause, and neither is an operand of a past `U`.
    let past = "ltl: n == 0 && ((n == 0) U (n == 1)) && [] (light == red)";
    let (out, causes) = checked("causes-past", model, &["--property", past]);
    assert_line(&out, "  light == red is false: light = green");
    assert_eq!(causes.as_array().expect("a list").len(), 1, "{causes}");
    let (out, _) = checked("causes-single", model, &["--property", "invariant: n < 1"]);
    assert!(out.contains("n < 1 is false: n = 1"), "{out}");
}

#[test]
fn an_invariant_is_explained_without_processes() {
    let model = "byte n;\nactive proctype P() { n = 1 }\n";
    let invariant = "invariant: n == 0 || _nr_pr > 0";
    let (out, _) = checked("causes-no-process", model, &["--property", invariant]);
    assert!(out.contains("n == 0 || _nr_pr > 0 is false: n = 1"), "{out}");
}

/// The only violation of a statement, and what is said about it.
fn fault(name: &str, statement: &str, detail: &str) {
    let declared = "byte a[3], n = 3, i = 5; chan none, q = [1] of { byte, byte }; chan x;\n\
        typedef T { byte f[2] }; T t[2];\n";
    let model = format!("{declared}active proctype P() {{ x = q; {statement} }}\n");
    let (out, causes) = checked(name, &model, &[]);
    assert!(out.contains(&format!(": {detail}\n")), "{detail} is not in\n{out}");
    assert_eq!(causes[0]["text"], detail, "{causes}");
}

#[test]
fn faults_name_array_index_and_size() {
    fault("fault-index", "a[i] = 1", "a[i]: index 5, size 3 (i = 5)");
    fault("fault-read", "n = a[i - 1] + 1", "a[i - 1]: index 4, size 3 (i = 5)");
    fault("fault-guard", "n < 3 || a[i] == 0", "a[i]: index 5, size 3 (i = 5)");
    fault("fault-nested", "a[a[n]] = 0", "a[n]: index 3, size 3 (n = 3)");
    fault("fault-field", "t[1].f[n] = 1", "t[1].f[n]: index 3, size 2 (n = 3)");
    fault("fault-d-step", "d_step { i = 4; a[i] = 1; i = 0 }", "a[i]: index 4, size 3 (i = 4)");
}

#[test]
fn faults_name_divisor_channel_and_fields() {
    fault("fault-division", "n = i / (n - 3)", "the divisor n - 3 is 0 (n = 3)");
    fault("fault-divisor", "n = 0; i = i % n", "the divisor n is 0");
    fault("fault-channel", "none!1", "none holds no channel");
    fault("fault-fields", "x!1", "x: the message has 1, the channel 2");
}

#[test]
fn a_blocked_sequence_names_what_it_waits_for() {
    let blocked = |name: &str, body: &str, options: &[&str]| {
        let model = format!(
            "byte n; chan q = [1] of {{ byte }}; chan r = [0] of {{ byte }};\n\
             active proctype P() {{ d_step {{ n = 1; {body} }} }}\n"
        );
        checked(name, &model, options)
    };
    let after = "after 1 step: indivisible sequence blocked: ";
    let (out, causes) = blocked("causes-blocked", "n > 0 && n == 3; n = 0", &[]);
    assert_line(&out, &format!("{after}n == 3 is false: n = 1"));
    let values = json!([{ "name": "n", "value": "1" }]);
    let text = "n == 3 is false: n = 1";
    assert_eq!(causes, json!([{ "part": "n == 3", "text": text, "values": values }]));
    let body = "if :: n == 2 -> skip :: n > 4 -> skip fi";
    let (out, causes) = blocked("causes-alternatives", body, &[]);
    assert_line(&out, &format!("{after}none of these is executable: n == 2, n > 4"));
    assert_line(&out, "  n == 2 is false: n = 1");
    assert_line(&out, "  n > 4 is false: n = 1");
    assert_eq!(causes.as_array().expect("a list").len(), 2, "{causes}");
    let (out, causes) = blocked("causes-empty", "q?n", &[]);
    assert_line(&out, &format!("{after}q?n: q is empty"));
    assert_eq!(causes[0]["values"], json!([{ "name": "q", "value": "[]" }]));
    let (out, _) = blocked("causes-full", "q!n; q!2", &[]);
    assert_line(&out, &format!("{after}q!2: q is full: [1]"));
    let (out, causes) = blocked("causes-rendezvous", "r!n", &[]);
    assert_line(&out, &format!("{after}r!n: a d_step does not wait for a rendezvous"));
    assert_eq!(causes[0]["part"], "r!n", "{causes}");
    let (out, _) = blocked("causes-endless", "do :: n = 1 od", &[]);
    assert_line(&out, &format!("{after}the sequence repeats a state for ever"));
}

#[test]
fn the_end_of_a_claim_names_its_conditions() {
    let model = "byte x, y;\nactive proctype P() { x = 1; y = 5; x = 2 }\n\
        never { do :: x == 2 && y > 3 -> break :: !(x == 2 && y > 3) od }\n\
        ltl p { [] (x == 1 -> ((y == 0) U (y == 1))) }\n";
    let (out, causes) = checked("causes-never", model, &["--property", "never"]);
    assert_line(&out, "  x == 2 && y > 3 is true: x = 2, y = 5");
    let values = json!([{ "name": "x", "value": "2" }, { "name": "y", "value": "5" }]);
    assert_eq!(causes[0]["values"], values, "{causes}");
    // No part of this formula is about every state.
    let (out, causes) = checked("causes-claim-end", model, &["--property", "p"]);
    assert_line(&out, "  x == 1 is true: x = 1");
    assert_line(&out, "  y == 0 is false: y = 5");
    assert_line(&out, "  y == 1 is false: y = 5");
    assert_eq!(causes.as_array().expect("a list").len(), 3, "{causes}");
}

#[test]
fn an_event_that_violates_a_trace_names_message_and_expectation() {
    let violation = |name: &str, trace: &str| {
        let model = format!(
            "mtype = {{ go, halt }}; chan q = [3] of {{ mtype, byte }};\n\
             active proctype P() {{ byte n = 7; mtype m = halt; q!go,1; q!m,n; q?m,n }}\n{trace}\n"
        );
        let kind = if trace.starts_with("no") { "notrace" } else { "trace" };
        let (out, causes) = checked(name, &model, &["--property", "trace"]);
        let line = out.lines().find(|line| line.contains(": trace assertion violated: "));
        let line = line.unwrap_or_else(|| panic!("{kind}: {out}"));
        (line.rsplit_once("violated: ").expect("it has details").1.to_owned(), causes)
    };
    let (detail, causes) = violation("causes-trace", "trace { do :: q!go,_ :: q!halt,1 od }");
    assert_eq!(detail, "q!(halt, 7) occurs where the trace expects q!go,_ or q!halt,1");
    let values = json!([{ "name": "message", "value": "(halt, 7)" }]);
    assert_eq!(causes, json!([{ "part": "q!(halt, 7)", "text": detail, "values": values }]));
    let (detail, _) = violation("causes-trace-receive", "trace { do :: q?halt,_ od }");
    assert_eq!(detail, "q?(go, 1) occurs where the trace expects q?halt,_");
    let (detail, _) = violation("causes-notrace", "notrace { q!go,1; q!halt,_ }");
    assert_eq!(detail, "q!(halt, 7) completes the sequence of `notrace`");
    let (detail, _) = violation("causes-trace-end", "trace { q!go,_ }");
    assert_eq!(detail, "q!(halt, 7) follows the last event of the trace");
}
