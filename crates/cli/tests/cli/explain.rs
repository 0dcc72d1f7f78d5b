//! The pages about the codes of messages.

use std::collections::BTreeSet;
use std::fs;

use serde_json::Value;

use crate::mistakes;
use crate::run::{run, run_in, scratch};

/// Codes that the command itself reports.
const OWN: [&str; 2] = ["expect-header", "network"];

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
    let codes: BTreeSet<_> = codes.iter().map(String::as_str).collect();
    let difference: Vec<_> = codes.symmetric_difference(&explained).collect();
    assert!(difference.is_empty(), "codes without a page, or pages without a code: {difference:?}");
}

#[test]
fn every_example_triggers_its_code() {
    let folder = scratch("explain");
    let object = parse(&run(&["explain", "--json"]).out);
    for page in object["codes"].as_array().unwrap() {
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
