//! Plans and reports on small models.

use std::ops::ControlFlow;

use beeline_checker::{
    Answer, CheckReport, Order, Plan, Property, PropertyKind, Store, Violation, Wrong, check,
    count, properties, retell, select,
};
use beeline_kernel::{FaultKind, Stop};
use beeline_promela::hir::Model;
use beeline_promela::preprocess::Options;
use beeline_testkit::model::Disk;

const PLAIN: Plan =
    Plan { plain: true, order: Order::Breadth, store: Store::Exact, depth: None, bytes: None };

fn model(text: &str) -> Model {
    let front = beeline_promela::read("m.pml", text, &mut Disk, &Options::default());
    assert!(!front.diagnostics.has_errors(), "{text}");
    front.hir
}

fn checked(text: &str, plan: &Plan, all: bool) -> CheckReport {
    let model = model(text);
    let report = check(&model, &properties(&model), plan, all, &mut |_| ControlFlow::Continue(()));
    report.expect("what is found can be confirmed")
}

fn violations(report: &CheckReport, kind: PropertyKind) -> &[Violation] {
    let checked = report.properties.iter().find(|checked| checked.property.kind == kind);
    match &checked.expect("the property is listed").answer {
        Answer::Violated(violations) => violations,
        _ => &[],
    }
}

fn names(properties: &[Property]) -> Vec<&str> {
    properties.iter().map(|property| property.name.as_str()).collect()
}

#[test]
fn every_property_of_a_model_is_listed() {
    let model = model(
        "chan q = [1] of { byte };\ntrace { q!1; q?1 }\nnever { skip }\nltl a { [](len(q) < 2) }\n\
         ltl b { <>(len(q) == 1) }\nactive proctype P() { q!1; q?1 }\n",
    );
    assert_eq!(names(&properties(&model)), ["deadlock", "assertions", "trace", "never", "a", "b"]);
    let wanted = ["b", "progress", "deadlock", "b"].map(str::to_owned);
    assert_eq!(names(&select(&model, &wanted).unwrap()), ["deadlock", "b", "progress"]);
    let error = select(&model, &["c".to_owned()]).unwrap_err();
    assert!(error.known.contains(&"a".to_owned()), "{error}");
}

#[test]
fn each_of_several_faults_behind_one_state_gets_its_own_trail() {
    let text = "byte a[2], n = 2;\nactive proctype P() {\n  if\n  :: assert(n == 1)\n\
                \x20 :: a[n] = 1\n  :: assert(n == 3)\n  :: a[0] = 1 / (n - 2)\n  fi\n}\n";
    let report = checked(text, &PLAIN, true);
    let found = violations(&report, PropertyKind::Assertions);
    let kinds: Vec<_> = found.iter().map(|violation| violation.wrong).collect();
    assert_eq!(
        kinds,
        [FaultKind::Assertion, FaultKind::Index, FaultKind::Assertion, FaultKind::Division]
            .map(Wrong::Fault)
    );
    let edges: Vec<_> = found.iter().map(|violation| violation.trail.lines[0].edge).collect();
    assert!(edges.windows(2).all(|pair| pair[0] != pair[1]), "{edges:?}");
    assert!(found.iter().all(|violation| violation.steps == 1 && violation.is_shortest()));
}

#[test]
fn a_rendezvous_is_one_step_and_two_lines() {
    let text = "chan q = [0] of { byte };\nactive proctype P() { q!1; q!2 }\n\
                active proctype Q() { q?_; do :: skip od }\n";
    let text = text.replace("do :: skip od", "false");
    let report = checked(&text, &PLAIN, false);
    let deadlock = &violations(&report, PropertyKind::Deadlock)[0];
    assert_eq!((deadlock.steps, deadlock.trail.lines.len()), (1, 2));
    assert_eq!(deadlock.wrong, Wrong::InvalidEnd);
}

#[test]
fn a_long_way_round_is_not_called_shortest() {
    // Depth-first search meets the long way first.
    let text = "byte n;\nactive proctype P() {\n  if\n  :: n = 1; n = 2; n = 3\n  :: n = 3\n  fi;\n\
                \x20 assert(n == 0)\n}\n";
    let deep = Plan { order: Order::Depth, ..PLAIN };
    let steps = |plan| {
        let report = checked(text, plan, false);
        let violation = &violations(&report, PropertyKind::Assertions)[0];
        (violation.steps, violation.lower_bound, violation.is_shortest())
    };
    assert_eq!(steps(&deep), (4, 1, false));
    assert_eq!(steps(&PLAIN), (2, 2, true));
}

#[test]
fn a_watch_that_has_had_enough_makes_the_rest_unknown() {
    let text = "int a, b;\nactive [2] proctype P() { do :: a++ :: b++ :: assert(a < 9) od }\n";
    let model = model(text);
    let mut stop = |_: &_| ControlFlow::Break(Stop::Time);
    let report = check(&model, &properties(&model), &PLAIN, false, &mut stop).unwrap();
    let Answer::Unknown(reason) = &report.properties[0].answer else {
        panic!("{report:?}");
    };
    assert_eq!(reason, "time limit reached");
    assert_eq!(violations(&report, PropertyKind::Assertions).len(), 1);
    let report = count(&model, &PLAIN, &mut |_| ControlFlow::Break(Stop::Interrupted));
    assert_eq!(report.stopped, Some(Stop::Interrupted));
}

#[test]
fn a_search_ends_when_everything_is_settled() {
    // The state space goes on for very long behind the errors.
    let text = "int a, b;\nactive proctype P() { do :: a++ :: b++ od }\n\
                active proctype Q() { assert(a > 0) }\n";
    let model = model(text);
    let wanted = select(&model, &["assertions".to_owned()]).unwrap();
    let report = check(&model, &wanted, &PLAIN, false, &mut |_| ControlFlow::Continue(()));
    let report = report.unwrap();
    assert_eq!(violations(&report, PropertyKind::Assertions).len(), 1);
    assert!(report.stats.expanded < 5000, "{:?}", report.stats);
}

#[test]
fn a_story_names_what_changes() {
    let text = "typedef T { byte f[2] };\nT t;\nmtype = { off, on };\nmtype m = off;\n\
                chan c[2] = [1] of { mtype, T };\n\
                proctype Child(byte x) { assert(x == 0) }\n\
                init { t.f[1] = 5; c[1]!on, t; m = on; run Child(7) }\n";
    let report = checked(text, &PLAIN, false);
    let violation = &violations(&report, PropertyKind::Assertions)[0];
    let story = retell(&model(text), &violation.trail).unwrap();
    let changes = story.steps.iter().flat_map(|step| &step.changes);
    let changes: Vec<_> =
        changes.map(|change| format!("{}={}", change.name, change.after)).collect();
    assert_eq!(changes, ["t.f[1]=5", "c[1]=[(on, 0, 5)]", "m=on", "Child(1):x=7"]);
    assert_eq!(story.end.detail.as_deref(), Some("assert(x == 0) with x = 7"));
    assert!(story.end.values.contains(&("c[0]".to_owned(), "[]".to_owned())));
}
