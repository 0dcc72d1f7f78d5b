//! The pages about the codes of messages.

use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;

use beeline_test_size::one_in;
use serde_json::Value;

use crate::mistakes;
use crate::run::{run, run_in, scratch};

/// Codes that the command itself reports.
const OWN: [&str; 2] = ["expect-header", "network"];

/// Codes of planning tasks: the words in quotes that begin like them, in the source of the reader.
fn planning_codes() -> BTreeSet<String> {
    let mut codes = BTreeSet::new();
    let mut folders = vec![PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../pddl/src")];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).expect("the folder can be read") {
            let path = entry.expect("the entry can be read").path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let text = fs::read_to_string(path).expect("the source can be read");
            let words = text.split('"').filter(|word| word.starts_with("pddl-"));
            codes.extend(words.map(str::to_owned));
        }
    }
    codes
}

/// A domain and a problem without mistakes.
const TASK: [(&str, &str); 2] = [
    (
        "domain.pddl",
        "(define (domain d) (:requirements :adl :numeric-fluents) (:predicates (q))
           (:functions (size)) (:action a :effect (q)))",
    ),
    ("problem.pddl", "(define (problem p) (:domain d) (:goal (q)))"),
];

fn parse(text: &str) -> Value {
    serde_json::from_str(text).expect("standard output is one JSON value")
}

#[test]
fn every_code_has_a_page_and_every_page_a_code() {
    let object = parse(&run(&["explain", "--json"]).out);
    let pages = object["codes"].as_array().unwrap().iter();
    let explained: BTreeSet<_> = pages.map(|page| page["code"].as_str().unwrap()).collect();
    let mut codes = mistakes::provoked();
    codes.extend(mistakes::written());
    codes.extend(OWN.map(str::to_owned));
    codes.extend(planning_codes());
    let codes: BTreeSet<_> = codes.iter().map(String::as_str).collect();
    let difference: Vec<_> = codes.symmetric_difference(&explained).collect();
    assert!(difference.is_empty(), "codes without a page, or pages without a code: {difference:?}");
}

#[test]
fn every_example_triggers_its_code() {
    let folder = scratch("explain");
    let object = parse(&run(&["explain", "--json"]).out);
    for page in object["codes"].as_array().unwrap().iter().step_by(one_in(1)) {
        let code = page["code"].as_str().unwrap();
        let Some(example) = page["example"].as_str() else {
            assert!(mistakes::TOO_LARGE.iter().any(|(large, _)| *large == code), "{code}");
            continue;
        };
        let (file, args) = match code {
            "network" => ("model.net", &["lint", "model.net", "--json"][..]),
            "expect-header" => {
                ("model.pml", &["check", "model.pml", "--expect-from-source", "--json"][..])
            }
            _ if code.starts_with("pddl-") => {
                for (file, text) in TASK {
                    fs::write(folder.join(file), text).unwrap();
                }
                let is_domain = example.starts_with("(define (domain");
                let file = if is_domain { "domain.pddl" } else { "problem.pddl" };
                (file, &["plan", "domain.pddl", "problem.pddl", "--json"][..])
            }
            _ => ("model.pml", &["lint", "model.pml", "--json"][..]),
        };
        fs::write(folder.join(file), example).unwrap();
        let report = parse(&run_in(&folder, args).out);
        let messages = report["diagnostics"].as_array().unwrap();
        let found = messages.iter().find(|message| message["code"] == code);
        let found = found.unwrap_or_else(|| panic!("{code} is not reported: {report}"));
        assert_eq!(found["severity"], page["severity"], "{code}");
    }
}

#[test]
fn a_page_is_printed_as_text() {
    let expected = "undeclared-variable (error)

A name is used that is not declared, or is declared further down.

Example:

    byte count;
    active proctype P() {
      conut = 1;
      assert(count == 1)
    }

Fix: Correct the spelling, or declare the variable above its first use.
";
    for code in ["undeclared-variable", "error[undeclared-variable]"] {
        let result = run(&["explain", code]);
        assert_eq!((result.code, &*result.out, &*result.err), (0, expected, ""));
    }
    let list = run(&["explain"]).out;
    assert!(list.contains("\nself-loop\n      An option does nothing"), "{list}");
}

#[test]
fn an_unknown_code_gets_a_suggestion() {
    let result = run(&["explain", "undeclared-varable"]);
    assert_eq!((result.code, &*result.out), (4, ""));
    assert!(result.err.contains("there is no code `undeclared-varable`"), "{result:?}");
    assert!(result.err.contains("did you mean `undeclared-variable`?"), "{result:?}");
    let object = parse(&run(&["explain", "nothing", "--json"]).out);
    assert_eq!(object["error"], "there is no code `nothing`");
}
