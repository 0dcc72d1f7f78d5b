//! Every model of the project has the results of its header.

use std::cell::Cell;

use beeline_testkit::fixture::{self, Clause, Fixture};
use serde_json::Value;

use crate::run::run;

fn object(args: &[&str]) -> (i32, Value) {
    let result = run(args);
    let object = serde_json::from_str(&result.out);
    (result.code, object.unwrap_or_else(|error| panic!("{args:?}: {error}: {result:?}")))
}

#[test]
fn the_counts_are_those_of_the_header() {
    for fixture in fixture::all() {
        let file = fixture.file.to_str().unwrap();
        let (code, object) = object(&["count", file, "--plain", "--json"]);
        assert_eq!((code, &object["complete"]), (0, &Value::Bool(true)), "{}", fixture.name);
        let found = (object["stored"].as_u64(), object["transitions"].as_u64());
        let expected = (fixture.expect.states(), fixture.expect.transitions());
        assert_eq!(found, expected, "{}", fixture.name);
    }
}

#[test]
fn the_verdicts_are_those_of_the_header() {
    for fixture in fixture::all() {
        for mode in [&["--plain"][..], &[], &["--search", "dfs"]] {
            let file = fixture.file.to_str().unwrap();
            let (code, object) = object(&[&["check", file, "--json", "--no-trail"], mode].concat());
            compare(&fixture, mode, code, &object);
        }
    }
}

fn compare(fixture: &Fixture, mode: &[&str], code: i32, object: &Value) {
    let name = &fixture.name;
    let property = |wanted: &str| {
        let list = object["properties"].as_array().expect("a list of properties");
        let found = list.iter().find(|one| one["name"] == wanted);
        found.unwrap_or_else(|| panic!("{name}: there is no property {wanted}: {object}"))
    };
    let verdict = |wanted: &str, expected: &str| {
        assert_eq!(property(wanted)["verdict"], expected, "{name} {mode:?}: {wanted}");
    };
    let violated = |wanted: &str, depth: Option<u32>| {
        verdict(wanted, "violated");
        let trail = &property(wanted)["trail"];
        assert_eq!(trail["replayed"], true);
        // The header counts the steps of the plain semantics.
        if trail["shortest"] == true && mode == ["--plain"] {
            assert_eq!(depth.map(Value::from).unwrap_or(trail["steps"].clone()), trail["steps"]);
        }
        assert!(trail["lower_bound"].as_u64() <= trail["steps"].as_u64(), "{name}");
    };
    let word = |holds: bool| if holds { "holds" } else { "violated" };
    let wrong = Cell::new(false);
    let settled = |wanted: &str, holds: bool| {
        verdict(wanted, word(holds));
        wrong.set(wrong.get() || !holds);
    };
    let (mut deadlock, mut assertions) = (false, false);
    for clause in &fixture.expect.clauses {
        match clause {
            Clause::States(_) | Clause::Transitions(_) | Clause::Safe => {}
            Clause::NonProgressCycle => settled("progress", false),
            Clause::Deadlock { depth } => {
                violated("deadlock", *depth);
                deadlock = true;
            }
            Clause::AssertionViolated { depth } => {
                violated("assertions", *depth);
                assertions = true;
            }
            Clause::Trace { holds } | Clause::Notrace { holds } => settled("trace", *holds),
            Clause::Ltl { name, holds } => settled(name, *holds),
            Clause::Never { holds } => settled("never", *holds),
            Clause::Property { name, verdict: expected } => verdict(name, expected.name()),
        }
    }
    verdict("deadlock", word(!deadlock));
    verdict("runtime-errors", "holds");
    let all = object["properties"].as_array().expect("a list of properties");
    if all.iter().any(|one| one["name"] == "assertions") {
        verdict("assertions", word(!assertions));
    }
    let expected = i32::from(wrong.get() || deadlock || assertions);
    assert_eq!(code, expected, "{name} {mode:?}");
}
