//! Plans and reports on small models.

use std::ops::ControlFlow;

use beeline_checker::{CheckReport, NoObserver, Plan, Stats, check, count, parse_search};
use beeline_kernel::{FaultKind, Stop};
use beeline_model::{
    ErrorKind, Model, Property, PropertyKind, Reason, SimulationEnd, Story, StoryRequest, Subject,
    Verdict, Violation,
};
use beeline_promela::Frontend;
use beeline_promela::preprocess::PreprocessOptions;
use beeline_testkit::checking::{heuristic_names, promela};
use beeline_testkit::model::Disk;

fn plain() -> Plan {
    Plan { plain: true, ..Plan::default() }
}

fn read(text: &str) -> Frontend {
    let front = beeline_promela::read("m.pml", text, &mut Disk, &PreprocessOptions::default());
    assert!(!front.diagnostics.has_errors(), "{text}");
    front
}

fn checked(text: &str, plan: &Plan, all: bool) -> CheckReport {
    let front = read(text);
    let model = promela(&front);
    let report = check(&model, &model.properties(), plan, all, &mut NoObserver);
    report.expect("what is found can be confirmed")
}

/// The story of a violation.
fn retell(text: &str, violation: &Violation) -> Story {
    let front = read(text);
    let story =
        promela(&front).story(&violation.trail, &StoryRequest::new(Subject::Properties(&[])));
    story.expect("the trail was confirmed")
}

fn violations(report: &CheckReport, kind: PropertyKind) -> &[Violation] {
    let checked = report.properties.iter().find(|checked| checked.property.kind == kind);
    match &checked.expect("the property is listed").verdict {
        Verdict::Violated(violations) => violations,
        _ => &[],
    }
}

fn names(properties: &[Property]) -> Vec<&str> {
    properties.iter().map(|property| property.name.as_str()).collect()
}

#[test]
fn every_property_of_a_model_is_listed() {
    let front = read(
        "chan q = [1] of { byte };\ntrace { q!1; q?1 }\nnever { skip }\nltl a { [](len(q) < 2) }\n\
         ltl b { <>(len(q) == 1) }\nactive proctype P() { q!1; q?1 }\n",
    );
    let model = promela(&front);
    assert_eq!(
        names(&model.properties()),
        ["deadlock", "runtime-errors", "trace", "never", "a", "b"]
    );
    let wanted = ["b", "progress", "deadlock", "b"].map(str::to_owned);
    assert_eq!(names(&model.select(&wanted).unwrap()), ["deadlock", "b", "progress"]);
    let error = model.select(&["c".to_owned()]).unwrap_err();
    assert!(error.known.contains(&"a".to_owned()), "{error}");
}

#[test]
fn each_of_several_faults_behind_one_state_gets_its_own_trail() {
    let text = "byte a[2], n = 2;\nactive proctype P() {\n  if\n  :: assert(n == 1)\n\
                \x20 :: a[n] = 1\n  :: assert(n == 3)\n  :: a[0] = 1 / (n - 2)\n  fi\n}\n";
    let report = checked(text, &plain(), true);
    for (property, expected) in [
        (PropertyKind::Assertions, [FaultKind::Assertion, FaultKind::Assertion]),
        (PropertyKind::RuntimeErrors, [FaultKind::Index, FaultKind::Division]),
    ] {
        let found = violations(&report, property);
        let kinds: Vec<_> = found.iter().map(|violation| violation.error).collect();
        assert_eq!(kinds, expected.map(ErrorKind::Fault));
        assert_ne!(found[0].trail.lines[0].edge, found[1].trail.lines[0].edge);
        let is_short = |one: &Violation| one.length.steps == 1 && one.is_shortest();
        assert!(found.iter().all(is_short), "{found:?}");
    }
}

#[test]
fn a_rendezvous_is_one_step_and_two_lines() {
    let text = "chan q = [0] of { byte };\nactive proctype P() { q!1; q!2 }\n\
                active proctype Q() { q?_; do :: skip od }\n";
    let text = text.replace("do :: skip od", "false");
    let report = checked(&text, &plain(), false);
    let deadlock = &violations(&report, PropertyKind::Deadlock)[0];
    assert_eq!((deadlock.length.steps, deadlock.trail.lines.len()), (1, 2));
    assert_eq!(deadlock.error, ErrorKind::InvalidEnd);
}

#[test]
fn a_long_way_round_is_not_called_shortest() {
    // Depth-first search finds the long path first.
    let text = "byte n;\nactive proctype P() {\n  if\n  :: n = 1; n = 2; n = 3\n  :: n = 3\n  fi;\n\
                \x20 assert(n == 0)\n}\n";
    let deep = Plan { search: parse_search("dfs", 1, &heuristic_names()).unwrap(), ..plain() };
    let steps = |plan| {
        let report = checked(text, plan, false);
        let violation = &violations(&report, PropertyKind::Assertions)[0];
        let length = violation.length;
        (length.steps, length.lower_bound, length.is_shortest())
    };
    assert_eq!(steps(&deep), (4, 1, false));
    assert_eq!(steps(&plain()), (2, 2, true));
}

#[test]
fn a_watch_that_has_had_enough_makes_the_rest_unknown() {
    let text = "int a, b;\nactive [2] proctype P() { do :: a++ :: b++ :: assert(a < 9) od }\n";
    let front = read(text);
    let model = promela(&front);
    let mut stop = |_: &_| ControlFlow::Break(Stop::Time);
    let report = check(&model, &model.properties(), &plain(), false, &mut stop).unwrap();
    let Verdict::Unknown(reason) = &report.properties[0].verdict else {
        panic!("{report:?}");
    };
    assert_eq!(*reason, Reason::Stopped(Stop::Time));
    assert_eq!(reason.to_string(), "time limit reached");
    assert_eq!(violations(&report, PropertyKind::Assertions).len(), 1);
    let report = count(&model, &plain(), &mut |_: &Stats| ControlFlow::Break(Stop::Interrupted))
        .expect("it can be counted");
    assert_eq!(report.stopped, Some(Stop::Interrupted));
}

#[test]
fn a_search_ends_when_everything_is_settled() {
    // The state space is very deep beyond the errors.
    let text = "int a, b;\nactive proctype P() { do :: a++ :: b++ od }\n\
                active proctype Q() { assert(a > 0) }\n";
    let front = read(text);
    let model = promela(&front);
    let wanted = model.select(&["assertions".to_owned()]).unwrap();
    let report = check(&model, &wanted, &plain(), false, &mut NoObserver);
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
    let report = checked(text, &plain(), false);
    let violation = &violations(&report, PropertyKind::Assertions)[0];
    let story = retell(text, violation);
    let changes = story.steps.iter().flat_map(|step| &step.changes);
    let changes: Vec<_> =
        changes.map(|change| format!("{}={}", change.name, change.after)).collect();
    assert_eq!(changes, ["t.f[1]=5", "c[1]=[(on, 0, 5)]", "m=on", "Child(1):x=7"]);
    assert_eq!(story.end.detail.as_deref(), Some("assert(x == 0) with x = 7"));
    assert!(story.end.values.contains(&("c[0]".to_owned(), "[]".to_owned())));
}

/// The output of each step of the first trail to a failed assertion.
fn printed(text: &str, plan: &Plan) -> Vec<String> {
    let report = checked(text, plan, false);
    let violation = &violations(&report, PropertyKind::Assertions)[0];
    let story = retell(text, violation);
    story.steps.into_iter().map(|step| step.printed).filter(|text| !text.is_empty()).collect()
}

#[test]
fn a_story_prints_with_the_values_of_the_moment() {
    // `shown` is only printed, and `x` is dead after its last use: optimised states omit both,
    // but the story has both.
    let text = "byte n, shown = 3;\nchan r = [0] of { byte };\n\
                active proctype P() {\n  byte x;\n\
                \x20 d_step { n = 1; printf(\"n %d, \", n); n = 2; printf(\"n %d\\n\", n) };\n\
                \x20 x = 7; printf(\"x %d\\n\", x); printf(\"shown %d\\n\", shown);\n\
                \x20 r!x; assert(n == 0)\n}\n\
                active proctype Q() { byte y; d_step { r?y; printf(\"got %d\\n\", y) } }\n";
    let expected = "n 1, n 2\nx 7\nshown 3\ngot 7\n";
    assert_eq!(printed(text, &plain()).concat(), expected);
    assert_eq!(printed(text, &Plan { plain: false, ..plain() }).concat(), expected);
}

#[test]
fn a_printf_behind_a_timeout_is_heard_and_one_without_a_value_says_so() {
    let text = "byte a[2], n = 2;\nactive proctype P() {\n\
                \x20 d_step { timeout -> printf(\"late %d\\n\", a[n]) }; assert(false)\n}\n";
    assert_eq!(printed(text, &plain()), ["late ?\n"]);
}

/// The statements of a whole random run, and its end.
fn simulated(text: &str, seed: u64) -> (Vec<String>, SimulationEnd) {
    let front = read(text);
    let model = promela(&front);
    let mut run = model.simulation(seed).expect("the model starts");
    let mut statements = Vec::new();
    while let Some(step) = run.take_any() {
        statements.push(step.turn.statement);
        assert!(statements.len() < 1000, "{statements:?}");
    }
    (statements, run.ending().expect("nothing can happen any more"))
}

#[test]
fn a_seed_determines_a_run_and_other_seeds_give_others() {
    let text = "byte n;\nactive [3] proctype P() { n++; n--; n++ }\n";
    assert_eq!(simulated(text, 1), simulated(text, 1));
    let different = (2..20).any(|seed| simulated(text, seed) != simulated(text, 1));
    assert!(different, "every seed gives the same run");
}

#[test]
fn a_run_says_why_it_ends() {
    let ending =
        |body: &str| simulated(&format!("byte n;\nactive proctype P() {{ {body} }}\n"), 1).1;
    assert_eq!(ending("n = 1"), SimulationEnd::AllEnded);
    assert_eq!(ending("end: n == 1"), SimulationEnd::ValidEnd);
    assert_eq!(ending("n == 1"), SimulationEnd::Error(ErrorKind::InvalidEnd));
    assert_eq!(
        ending("assert(n == 1)"),
        SimulationEnd::Error(ErrorKind::Fault(FaultKind::Assertion))
    );
    assert_eq!(ending("n = 1 / n"), SimulationEnd::Error(ErrorKind::Fault(FaultKind::Division)));
}

#[test]
fn a_run_can_be_taken_back_to_its_beginning() {
    let front = read("byte n;\nactive [2] proctype P() { n++; assert(n == 1) }\n");
    let model = promela(&front);
    let mut run = model.simulation(1).expect("the model starts");
    run.remember();
    let start = run.state().values;
    assert!(!run.back(), "there is nothing before the beginning");
    let steps = std::iter::from_fn(|| run.take(0)).count();
    assert!(run.take(0).is_none() && steps > 1);
    (0..steps).for_each(|_| assert!(run.back()));
    assert!(!run.back());
    assert_eq!((run.state().values, run.choices().len(), run.ending()), (start, 2, None));
}
