use serde_json::{Value, json};

use crate::run::{BAD, GOOD, run, run_on};

/// The one object on standard output.
fn object(model: &str, args: &[&str]) -> Value {
    let result = run_on(model, args);
    assert_eq!(result.err, "", "{result:?}");
    serde_json::from_str(&result.out).expect("standard output is one JSON value")
}

#[test]
fn a_good_model_has_an_empty_list() {
    let expected = json!({
        "tool": "beeline", "version": env!("CARGO_PKG_VERSION"), "model": "<stdin>",
        "ok": true, "errors": 0, "warnings": 0, "suppressed": 0, "diagnostics": [],
    });
    assert_eq!(object(GOOD, &["lint", "-", "--json"]), expected);
}

#[test]
fn a_message_has_all_its_keys() {
    let report = object(BAD, &["lint", "-", "--json"]);
    assert_eq!((&report["ok"], &report["errors"]), (&json!(false), &json!(1)));
    let message = &report["diagnostics"][0];
    let place = ["file", "line", "column", "end_line", "end_column"].map(|key| &message[key]);
    assert_eq!(place, [&json!("<stdin>"), &json!(2), &json!(3), &json!(2), &json!(8)]);
    assert_eq!(message["severity"], "error");
    assert!(message["code"].is_string() && message["label"].is_string(), "{message}");
    assert!(message["message"].as_str().unwrap().contains("count"), "{message}");
    for list in ["related", "notes", "expansion"] {
        assert!(message[list].is_array(), "{message}");
    }
    assert!(message.get("fix").is_some(), "{message}");
}

#[test]
fn a_fix_is_an_edit_that_a_program_can_carry_out() {
    let model = "byte count;\nactive proctype P() { conut = 1; assert(count == 1) }\n";
    let report = object(model, &["lint", "-", "--json"]);
    let edit = &report["diagnostics"][0]["fix"]["edit"];
    let expected = json!({
        "file": "<stdin>", "line": 2, "column": 23, "end_line": 2, "end_column": 28,
        "replacement": "count",
    });
    assert_eq!(*edit, expected, "{report}");
}

#[test]
fn an_expansion_names_its_call() {
    let model = "#define SET count = 1\nactive proctype P() { SET }\n";
    let report = object(model, &["lint", "-", "--json"]);
    let message = &report["diagnostics"][0];
    assert_eq!((&message["line"], &message["column"]), (&json!(1), &json!(13)), "{message}");
    let expected = json!([{ "macro": "SET", "file": "<stdin>", "line": 2, "column": 23 }]);
    assert_eq!(message["expansion"], expected);
}

#[test]
fn a_mistake_on_the_command_line_is_an_object_too() {
    let cases: [(&[&str], &str, &str); 4] = [
        (&["check", "-", "--json", "--bogus"], "--bogus", "Usage: beeline check"),
        (&["count", "--json"], "<MODEL>", "Usage: beeline count"),
        (&["count", "-", "--json", "--search", "astar"], "use bfs, dfs or random-dfs", ""),
        (&["check", "-", "--json", "--trail", "-"], "name a file", ""),
    ];
    for (args, error, help) in cases {
        let result = run(args);
        let object: Value = serde_json::from_str(&result.out).expect("it is one JSON value");
        assert_eq!((result.code, &object["ok"]), (4, &json!(false)), "{result:?}");
        for (key, words) in [("error", error), ("help", help)] {
            let text = object[key].as_str().expect("it is a text");
            assert!(text.contains(words) && !text.contains('\n'), "{args:?}: {object}");
        }
        // The text for people is unchanged.
        assert!(result.err.contains(error), "{result:?}");
    }
    assert_eq!(run(&["check", "--bogus", "--", "--json"]).out, "");
    assert!(run(&["check", "--json", "--help"]).out.contains("Usage"));
}

#[test]
fn an_unreadable_model_is_an_object_too() {
    let result = run(&["lint", "no/such/model.pml", "--json"]);
    let report: Value = serde_json::from_str(&result.out).unwrap();
    assert_eq!((&report["ok"], result.code), (&json!(false), 4));
    assert!(report["error"].as_str().unwrap().contains("no/such/model.pml"), "{report}");
}

#[test]
fn a_dump_carries_its_text() {
    let report = object(GOOD, &["dump", "-", "--form", "ast", "--json"]);
    assert_eq!((&report["form"], &report["ok"]), (&json!("ast"), &json!(true)));
    assert!(report["text"].as_str().unwrap().contains("proctype P"), "{report}");
    let report = object(BAD, &["dump", "-", "--form", "hir", "--json"]);
    assert_eq!((&report["text"], &report["errors"]), (&Value::Null, &json!(1)), "{report}");
}
