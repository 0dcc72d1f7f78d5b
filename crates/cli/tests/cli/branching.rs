//! Formulas of branching time: CTL, CTL* and the mu-calculus.

use std::fs;
use std::path::PathBuf;

use serde_json::Value;

use crate::run::{Run, run_in, scratch};

/// A light that can be switched on and off until it breaks; a second process only waits.
const LAMP: &str = "bool on, broken;\n\
    active proctype Lamp() {\n\
    idle: do\n  :: !on -> on = true\n  :: on -> on = false\n  :: on -> broken = true; break\n  od\n\
    }\n\
    active proctype Watch() { broken }\n";

fn folder_with(name: &str, model: &str) -> PathBuf {
    let folder = scratch(name);
    fs::write(folder.join("m.pml"), model).expect("the test directory is ours");
    folder
}

fn check(name: &str, model: &str, formula: &str, options: &[&str]) -> Run {
    let folder = folder_with(name, model);
    run_in(&folder, &[&["check", "m.pml", "--property", formula], options].concat())
}

/// The object of the only property.
fn property(name: &str, model: &str, formula: &str, options: &[&str]) -> Value {
    let result = check(name, model, formula, &[options, &["--json"]].concat());
    let report: Value = serde_json::from_str(&result.out).expect("it is JSON");
    report["properties"][0].clone()
}

#[test]
fn verdicts_are_about_the_initial_state() {
    for (formula, verdict) in [
        ("ctl: AG EF !broken", "violated"),
        ("ctl: EF broken", "holds"),
        ("ctl: AF broken", "violated"),
        ("ctl: AG (broken -> AG broken)", "holds"),
        ("ctl: E[!broken U on]", "holds"),
        ("ctl: EF (on && EX !on)", "holds"),
        ("ctl: A (G F on -> F broken)", "violated"),
        ("ctl: E (G F on && G F !on)", "holds"),
        ("ctl: AG (enabled(1) -> broken)", "holds"),
        ("ctl: EF deadlock", "holds"),
        ("mu: mu X . (broken || <> X)", "holds"),
        ("mu: nu X . (!broken && [] X)", "violated"),
        ("mu: nu X . mu Y . <> ((on && X) || Y)", "holds"),
        ("mu: <Watch> true", "violated"),
        ("mu: <Lamp> <Lamp[0]> true", "holds"),
        ("mu: [Lamp@idle] on", "violated"),
    ] {
        let found = property("branching-verdicts", LAMP, formula, &["--no-trail"]);
        assert_eq!(found["verdict"], verdict, "{formula}: {found}");
    }
}

#[test]
fn a_counterexample_is_a_trail_that_replays() {
    let folder = folder_with("branching-trail", LAMP);
    let args = ["check", "m.pml", "--property", "ctl: AG EF !broken"];
    let result = run_in(&folder, &args);
    assert_eq!(result.code, 1, "{result:?}");
    assert!(result.out.contains("formula violated after"), "{}", result.out);
    assert!(result.out.contains("broken: 0 -> 1"), "{}", result.out);
    let replayed = run_in(&folder, &["replay", "m.pml"]);
    assert!(replayed.out.contains("broken: 0 -> 1"), "{replayed:?}");
}

#[test]
fn a_violation_that_no_run_shows_is_in_the_initial_state() {
    let result = check("branching-none", LAMP, "ctl: EF (on && !on)", &["--no-trail", "-q"]);
    assert!(result.out.contains("formula violated in the initial state"), "{}", result.out);
    assert!(result.out.contains("no single run shows the violation"), "{}", result.out);
    let result = check("branching-none", LAMP, "ctl: AF !on && AG !broken", &["--no-trail", "-q"]);
    assert!(result.out.contains("formula violated after"), "{}", result.out);
}

#[test]
fn a_path_may_end_in_a_state_that_repeats() {
    let result = check("branching-rests", LAMP, "ctl: AF (broken && !on)", &["--no-trail", "-q"]);
    assert_eq!(result.code, 1, "{result:?}");
    let dead = "bool x;\nactive proctype P() { x = true }\n";
    let result = check("branching-rests", dead, "ctl: AF !AF x", &["--no-trail", "-q"]);
    assert!(result.out.contains("the last state has no step and repeats"), "{}", result.out);
    let result = check("branching-rests", dead, "ctl: AX AX !x", &["--no-trail", "-q"]);
    assert!(!result.out.contains("repeats for ever"), "{}", result.out);
    let result = check("branching-rests", dead, "ctl: AX AX AX !x", &["--no-trail", "-q"]);
    assert!(result.out.contains("the last state has no step and repeats"), "{}", result.out);
}

#[test]
fn a_lasso_shows_that_something_need_not_happen() {
    let found = property("branching-lasso", LAMP, "ctl: AF broken", &["--no-trail"]);
    let trail = &found["trail"];
    let (start, steps) = (trail["cycle_start"].as_u64(), trail["steps"].as_u64());
    assert!(start.is_some() && start < steps, "{found}");
}

#[test]
fn a_run_shows_that_a_formula_holds() {
    let found = property("branching-witness", LAMP, "ctl: EF broken", &["--no-trail"]);
    assert_eq!(found["trail"], Value::Null);
    let witness = found["witness"].as_array().expect("there is a witness");
    assert_eq!(witness.len(), 1);
    assert!(witness[0]["steps"].as_u64() > Some(0), "{found}");
    let told = check("branching-witness", LAMP, "ctl: EF broken", &["--no-trail"]);
    assert_eq!(told.code, 0);
    assert!(told.out.contains("a run shows that it holds"), "{}", told.out);
    assert!(told.out.contains("broken: 0 -> 1"), "{}", told.out);
}

#[test]
fn several_runs_show_a_conjunction() {
    let formula = "ctl: EF broken && EG !on";
    let model = LAMP.replace("!on -> on = true", "!on -> on = true\n  :: !on -> skip");
    let found = property("branching-tree", &model, formula, &["--no-trail"]);
    assert_eq!(found["verdict"], "holds");
    assert_eq!(found["witness"].as_array().map(Vec::len), Some(2), "{found}");
    let told = check("branching-tree", &model, formula, &["--no-trail"]);
    assert!(told.out.contains("these runs together show that it holds"), "{}", told.out);
    assert!(told.out.contains("run 2 of 2"), "{}", told.out);
}

#[test]
fn fairness_restricts_paths() {
    // The lamp may be switched for ever, so that the other process never moves.
    let model = "bool on, done;\n\
        active proctype Lamp() { do :: on = !on od }\n\
        active proctype Other() { done = true }\n";
    let verdict = |options: &[&str]| {
        let options = [options, &["--no-trail"]].concat();
        property("branching-fair", model, "ctl: AF done", &options)["verdict"].clone()
    };
    assert_eq!(verdict(&[]), "violated");
    assert_eq!(verdict(&["--fair"]), "holds");
    let constrained = format!("{model}fair {{ done }}\n");
    let found = property("branching-fair", &constrained, "ctl: AF done", &["--no-trail"]);
    assert_eq!(found["verdict"], "holds");
}

#[test]
fn formulas_beside_a_model_belong_to_it() {
    let folder = folder_with("branching-props", LAMP);
    let props = "#define off (!on)\nctl home { AG EF off }\nltl safe { [] !broken }\n";
    fs::write(folder.join("m.props"), props).expect("the test directory is ours");
    let result = run_in(&folder, &["check", "m.pml", "--no-trail", "-q"]);
    for line in ["home            violated", "safe            violated"] {
        assert!(result.out.contains(line), "{result:?}");
    }
    fs::write(folder.join("m.props"), "ctl home { AG EF off }\n").expect("it is ours");
    let result = run_in(&folder, &["check", "m.pml"]);
    assert_eq!(result.code, 3);
    assert!(result.err.contains("m.props:1"), "{}", result.err);
}

#[test]
fn mistakes_have_a_place_and_a_fix() {
    for (formula, code) in [
        ("ctl: F on", "missing-path-quantifier"),
        ("ctl: AG on == true", "formula-as-number"),
        ("mu: mu X . !X", "negated-fixpoint-variable"),
        ("mu: <q!> true", "unknown-channel"),
        ("ctl: AG (on", "`)` is missing"),
        ("ctl: AG no_such", "undeclared-variable"),
    ] {
        let result = check("branching-mistakes", LAMP, formula, &[]);
        assert!(result.err.contains(code), "{formula}: {result:?}");
        assert!(result.err.contains('^'), "{formula}: {result:?}");
    }
}

#[test]
fn what_has_no_answer_says_why() {
    let inexact = "byte n;\nactive proctype P() priority 2 { n++ }\n\
        active proctype Q() { n++ }\n";
    let found = property("branching-unknown", inexact, "ctl: EF (n == 2)", &["--no-trail"]);
    assert_eq!(found["verdict"], "unknown");
    assert!(found["reason"].to_string().contains("process priorities"), "{found}");
    let failing = "byte a[2], i;\nactive proctype Q() { do :: i < 3 -> a[i] = 1; i++ od }\n";
    let found = property("branching-unknown", failing, "ctl: EF (i == 2)", &["--no-trail"]);
    assert_eq!(found["verdict"], "unknown");
    assert!(found["reason"].to_string().contains("fail"), "{found}");
    let last = property("branching-unknown", LAMP, "ctl: AG timeout", &["--no-trail"]);
    assert!(last["reason"].to_string().contains("deadlock"), "{last}");
}

#[test]
fn limits_hold() {
    // Sets of permutations are large.
    let model = "byte a[9];\nactive [9] proctype P() {\n  byte i;\n\
        do :: select(i : 0 .. 8); a[_pid] = a[i] + _pid; a[i] = a[_pid] ^ i od }\n";
    let found = property("branching-limits", model, "ctl: AG EF (a[0] == 0)", &["--time", "300ms"]);
    assert_eq!(found["verdict"], "unknown", "{found}");
    assert!(found["reason"].to_string().contains("time"), "{found}");
    let options = ["--memory", "4M"];
    let found = property("branching-limits", model, "ctl: AG EF (a[0] == 0)", &options);
    assert_eq!(found["verdict"], "unknown", "{found}");
    assert!(found["reason"].to_string().contains("memory"), "{found}");
}

#[test]
fn the_runs_of_a_witness_are_a_page() {
    let folder = folder_with("branching-page", LAMP);
    let page = |property: &str, file: &str| {
        let args = ["check", "m.pml", "--property", property, "--chart", "w.html", "--no-trail"];
        let result = run_in(&folder, &args);
        assert!(result.out.contains(&format!("witness written to {file}\n")), "{result:?}");
        fs::read_to_string(folder.join(file)).expect("the page is written")
    };
    let text = page("ctl: EF broken && EF (on && !broken)", "w.html");
    for part in ["run 1 of 2, after 0 steps", "run 2 of 2, after 0 steps", "broken: 0 -&gt; 1"] {
        assert!(text.contains(part), "{part} is not in {text}");
    }
    assert_eq!(text.matches("<details").count(), text.matches("</details>").count());
    // A chart of the violation has the file itself.
    let violated = "ctl: !(EF broken && EF (on && !broken))";
    let args = ["check", "m.pml", "--property", violated, "--chart", "v.html", "--no-trail"];
    let result = run_in(&folder, &args);
    assert!(result.out.contains("chart written to v.html\n"), "{result:?}");
    assert!(result.out.contains("witness written to v."), "{result:?}");
    // Other formats have no page.
    let args = ["check", "m.pml", "--property", "ctl: EF broken", "--chart", "w.svg"];
    let result = run_in(&folder, &args);
    assert!(result.err.contains("there is no trail to draw"), "{result:?}");
}

#[test]
fn steps_of_a_channel_are_found_through_parameters() {
    let model = "chan q = [1] of { byte };\nchan r = [1] of { byte };\n\
        chan s[2] = [0] of { byte };\n\
        proctype S(chan out) { out!1 }\nproctype R(chan in) { byte x; in?x }\n\
        init { atomic { run S(q); run R(q); run S(r); run S(s[1]); run R(s[1]) } }\n";
    for (step, is_possible) in
        [("q!", true), ("q?", true), ("r!", true), ("r?", false), ("s!", true), ("s?", true)]
    {
        let formula = format!("mu: mu X . (<{step}> true || <> X)");
        let result = check("branching-channels", model, &formula, &["--no-trail", "-q"]);
        assert_eq!(result.code == 0, is_possible, "{step}: {result:?}");
    }
    let moving = "chan q = [1] of { byte };\nchan r = [1] of { byte };\n\
        active proctype P() { q = r; q!1 }\n";
    let result = check("branching-channels", moving, "mu: <q!> true", &["--no-trail"]);
    assert_eq!(result.code, 2, "{result:?}");
    assert!(result.out.contains("does not name a channel"), "{result:?}");
}
