//! `--expect` and `--expect-from-source`: the exit code compares verdicts with expectations.

use std::fs;

use beeline_testkit::fixture;
use serde_json::Value;

use crate::run::{GOOD, run, run_in, run_on, scratch};

const STUCK: &str = "byte n;\nactive proctype P() { n = 1; n == 2 }\n";

/// Checks the exit code, and the lines of the properties. Absence of run-time errors, as expected,
/// is not listed.
fn check(model: &str, args: &[&str], code: i32, lines: &[&str]) {
    let result = run_on(model, &[&["check", "-", "--no-trail", "--quiet"], args].concat());
    assert_eq!(result.code, code, "{args:?}: {result:?}");
    let is_listed = |line: &&str| *line != "runtime-errors  holds, as expected";
    let found: Vec<_> = result.out.lines().filter(is_listed).collect();
    assert_eq!(found.len(), lines.len(), "{args:?}: {result:?}");
    for (found, line) in found.iter().zip(lines) {
        let mut words = line.split(" … ");
        assert!(found.starts_with(words.next().unwrap_or_default()), "{found} is not {line}");
        assert!(found.ends_with(words.next().unwrap_or_default()), "{found} is not {line}");
    }
}

#[test]
fn the_exit_code_says_whether_everything_came_as_expected() {
    let fine = ["deadlock        holds, as expected", "assertions      holds, as expected"];
    check(GOOD, &["--expect", "holds"], 0, &fine);
    let missed = "deadlock        violated  invalid end state … , not as expected: expected holds";
    check(STUCK, &["--expect", "holds"], 1, &[missed]);
    let met = "deadlock        violated  invalid end state … , as expected";
    check(STUCK, &["--expect", "deadlock=violated"], 0, &[met]);
    // The last option for a property counts, and an option with a name has precedence.
    check(STUCK, &["--expect=deadlock=violated", "--expect=holds"], 0, &[met]);
    let both = "runtime-errors  holds, not as expected: expected violated";
    check(STUCK, &["--expect", "violated"], 1, &[met, both]);
    let open = "deadlock        unknown   depth limit reached, not as expected: expected holds";
    let unmet = "assertions      unknown   depth limit reached, not as expected: expected holds";
    // Value ranges do not prove this assertion.
    let shared = "byte n;\nactive [2] proctype P() { n = 1; assert(n == 1) }\n";
    check(shared, &["--depth=1", "--plain", "--expect=holds"], 2, &[open, unmet]);
    let met = "deadlock        unknown   depth limit reached, as expected";
    check(shared, &["--depth=1", "--plain", "--expect=deadlock=unknown"], 2, &[met, unmet]);
    let sure = "deadlock        holds, not as expected: expected unknown";
    check(GOOD, &["--expect=deadlock=unknown"], 1, &[sure, fine[1]]);
}

#[test]
fn a_property_that_something_is_expected_of_is_checked() {
    let lines =
        ["deadlock        holds, as", "assertions      holds, as", "acceptance      holds, as"];
    check(GOOD, &["--expect", "acceptance=holds"], 0, &lines);
    let invariant = ["--property=invariant: n < 2", "--expect=invariant: n < 2=holds"];
    check(GOOD, &invariant, 0, &["invariant: n < 2  holds, as expected"]);
    for (args, message) in [
        (&["--expect=invariant: n < 2=holds"][..], "which is not checked"),
        (&["--property=deadlock", "--expect=assertions=holds"], "which is not checked"),
        (&["--expect=beauty=holds"], "the model has no property `beauty`"),
        (&["--expect=nice"], "`nice` is not a verdict; there are: holds, violated, unknown"),
        (&["--expect==holds"], "a property is missing"),
    ] {
        let result = run_on(GOOD, &[&["check", "-"], args].concat());
        assert_eq!((result.code, &*result.out), (4, ""), "{args:?}: {result:?}");
        assert!(result.err.contains(message), "{args:?}: {result:?}");
    }
}

#[test]
fn a_violation_that_was_expected_has_a_trail_and_is_data() {
    let folder = scratch("expect-data");
    fs::write(folder.join("m.pml"), STUCK).unwrap();
    let result = run_in(&folder, &["check", "m.pml", "--expect", "deadlock=violated", "--json"]);
    let object: Value = serde_json::from_str(&result.out).unwrap();
    assert_eq!((result.code, &object["as_expected"]), (0, &true.into()), "{object}");
    assert_eq!(object["verdict"], "violated");
    let deadlock = &object["properties"][0];
    assert_eq!(
        (&deadlock["expected"], &deadlock["as_expected"]),
        (&"violated".into(), &true.into())
    );
    assert!(folder.join("m.pml.trail").is_file());
}

#[test]
fn the_header_of_a_model_is_believed_and_checked() {
    let with = |header: &str| format!("/* expect: {header} */\n{STUCK}");
    let source = ["--expect-from-source"];
    let met = "deadlock        violated  invalid end state … , as expected";
    let holds = "assertions      holds, as expected";
    check(&with("states 3; deadlock"), &source, 0, &[met]);
    check(&with("deadlock violated"), &source, 0, &[met]);
    let missed = "deadlock        violated … , not as expected: expected holds";
    check(&with("safe"), &source, 1, &[missed, holds]);
    // The command line has precedence over the header.
    check(&with("safe"), &["--expect-from-source", "--expect=deadlock=violated"], 0, &[met, holds]);
    // Depths count the steps of the plain semantics.
    let plain = ["--expect-from-source", "--plain", "--search=bfs"];
    check(&with("deadlock at depth 1"), &plain, 0, &[met]);
    let far = "deadlock        violated … , not as expected: expected a shortest trail of 5 steps";
    check(&with("deadlock at depth 5"), &plain, 1, &[far]);
    check(&with("deadlock at depth 5"), &source, 0, &[met]);
    // Only checked properties are compared.
    let one = ["--expect-from-source", "--property=assertions"];
    check(&with("deadlock"), &one, 0, &["assertions  holds, as expected"]);
}

#[test]
fn a_header_that_cannot_be_used_is_an_error_of_the_model() {
    for (header, message, place) in [
        ("/* expect: saef */", "unknown clause `saef` in the header", "<stdin>:1:12"),
        ("/* expect: safe; deadlock */", "`deadlock` conflicts", "<stdin>:1:18"),
        ("/* expect: */", "the header expects nothing", "<stdin>:1:1"),
        ("/* a model */", "the first line is not an /* expect: … */ header", "<stdin>:1:1"),
        ("/* expect: ltl p holds */", "the model has no property `p`", "<stdin>:1:1"),
    ] {
        let model = format!("{header}\n{STUCK}");
        let result = run_on(&model, &["check", "-", "--expect-from-source"]);
        assert_eq!((result.code, &*result.out), (3, ""), "{header}: {result:?}");
        assert!(result.err.contains(message) && result.err.contains(place), "{header}: {result:?}");
        assert!(result.err.contains("help: "), "{header}: {result:?}");
        assert_eq!(run_on(&model, &["check", "-", "--no-trail"]).code, 1, "nobody asked");
    }
}

#[test]
fn every_model_of_the_project_is_as_its_first_line_says() {
    for fixture in fixture::all() {
        for mode in ["--plain", "--quiet"] {
            let file = fixture.file.to_str().unwrap();
            let args = ["check", file, "--expect-from-source", "--json", "--no-trail", mode];
            let result = run(&args);
            let object: Value = serde_json::from_str(&result.out).unwrap();
            let properties = object["properties"].as_array().unwrap();
            let all = properties.iter().all(|one| one["as_expected"] == true);
            assert!(all, "{}: {object:#}", fixture.name);
            assert_eq!(result.code, 0, "{}: {object:#}", fixture.name);
        }
    }
}
