use std::fs;

use serde_json::{Value, json};

use crate::run::{BAD, GOOD, run_in, run_on, scratch};

fn checked(model: &str, args: &[&str]) -> (i32, Value) {
    let result = run_on(model, &[&["check", "-", "--json", "--no-trail"], args].concat());
    let value = serde_json::from_str(&result.out).expect("standard output is one JSON value");
    (result.code, value)
}

fn text(value: &Value) -> &str {
    value.as_str().expect("a string")
}

/// Each property with its verdict, and the exit code.
fn verdicts(model: &str, args: &[&str], code: i32, expected: &[(&str, &str)]) {
    let (found_code, object) = checked(model, args);
    let properties = object["properties"].as_array().expect("a list of properties");
    let found: Vec<_> =
        properties.iter().map(|one| (text(&one["name"]), text(&one["verdict"]))).collect();
    assert_eq!((found_code, &found[..]), (code, expected), "{object}");
}

/// What is wrong with a property, as the first trail says.
fn error(model: &str, property: usize) -> String {
    let (_, object) = checked(model, &[]);
    text(&object["properties"][property]["trail"]["error"]).to_owned()
}

const STUCK: &str = "chan q = [0] of { byte };\nactive proctype P() { q!1; q!2 }\n\
                     active proctype Q() { q?1 }\n";

#[test]
fn each_store_finds_the_same_trail() {
    let trails = ["exact", "compact"].map(|store| {
        let (code, object) = checked(STUCK, &["--store", store]);
        assert_eq!((code, &object["stats"]["store"]), (1, &Value::from(store)), "{object}");
        object["properties"].clone()
    });
    assert_eq!(trails[0], trails[1]);
}

#[test]
fn exit_codes_follow_the_verdicts() {
    verdicts(GOOD, &[], 0, &[("deadlock", "holds"), ("assertions", "holds")]);
    verdicts(STUCK, &[], 1, &[("deadlock", "violated"), ("assertions", "holds")]);
    assert_eq!(run_on(BAD, &["check", "-"]).code, 3);
    assert_eq!(run_on(GOOD, &["check", "-", "--property", "beauty"]).code, 4);
}

#[test]
fn a_depth_limit_makes_verdicts_unknown() {
    // The assertion fails after 6 steps.
    let model =
        "byte n;\nactive proctype P() { n = 1; n = 2; n = 3; n = 4; n = 5; assert(n == 1) }\n";
    let unknown = &[("deadlock", "unknown"), ("assertions", "unknown")];
    verdicts(model, &["--depth", "3", "--plain"], 2, unknown);
    verdicts(model, &["--depth", "3", "--plain", "--search", "dfs"], 2, unknown);
    verdicts(model, &[], 1, &[("deadlock", "holds"), ("assertions", "violated")]);
}

#[test]
fn every_ltl_block_and_claim_is_listed() {
    let model = "bool p;\nltl one { []<>p }\nltl two { [](!p) }\nactive proctype P() { p = 1 }\n";
    let list =
        &[("deadlock", "holds"), ("assertions", "holds"), ("one", "unknown"), ("two", "unknown")];
    verdicts(model, &[], 2, list);
    verdicts(model, &["--property", "two"], 2, &[("two", "unknown")]);
    let claim = "bool p;\nnever { do :: !p od }\nactive proctype P() { p = 1 }\n";
    let list = &[("deadlock", "holds"), ("assertions", "holds"), ("never", "unknown")];
    verdicts(claim, &[], 2, list);
    verdicts(GOOD, &["--property", "acceptance"], 2, &[("acceptance", "unknown")]);
}

#[test]
fn errors_behind_a_rendezvous_inside_atomic_are_found() {
    let model = |ending: &str| {
        format!(
            "chan q = [0] of {{ byte }};\nbyte n;\n\
             active proctype P() {{ atomic {{ n = 1; q!1; n = 2 }} }}\n\
             active proctype Q() {{ byte x; atomic {{ q?x; {ending} }} }}\n"
        )
    };
    for search in ["bfs", "dfs"] {
        let options = &["--search", search][..];
        let failing = model("assert(n == 2)");
        verdicts(&failing, options, 1, &[("deadlock", "holds"), ("assertions", "violated")]);
        let stuck = model("n == 3");
        verdicts(&stuck, options, 1, &[("deadlock", "violated"), ("assertions", "holds")]);
    }
}

#[test]
fn faults_have_words() {
    let model = |body: &str| format!("byte a[2], n;\nactive proctype P() {{ {body} }}\n");
    assert_eq!(error(&model("assert(n == 1)"), 1), "assertion violated");
    assert_eq!(error(&model("n = 2; a[n] = 1"), 1), "array index out of bounds");
    assert_eq!(error(&model("a[0] = 1 / n"), 1), "division by zero");
    assert_eq!(error(&model("d_step { n = 1; n == 2 }"), 1), "indivisible sequence blocked");
    assert_eq!(error(&model("n == 1"), 0), "invalid end state");
    assert_eq!(
        error(&model("chan q = [1] of { byte }; chan c; c!1"), 1),
        "channel not initialised"
    );
    assert_eq!(error(&model("chan c; len(c) == 1"), 1), "channel not initialised");
}

#[test]
fn what_lies_behind_too_many_channels_is_unknown() {
    let model = "chan c[200] = [1] of { bit };\nbyte n;\n\
                 proctype P() { chan d[100] = [1] of { bit }; n == 1 }\n\
                 init { run P(); n == 1 }\n";
    verdicts(model, &[], 1, &[("deadlock", "unknown"), ("assertions", "violated")]);
}

#[test]
fn what_lies_behind_a_bad_index_is_unknown() {
    let model = "byte a[2], n = 2;\nactive proctype P() { a[n] = 1; n == 1 }\n";
    verdicts(model, &[], 1, &[("deadlock", "unknown"), ("assertions", "violated")]);
}

#[test]
fn both_properties_are_settled_and_all_distinct_errors_are_gathered() {
    let model = "byte n;\nactive proctype P() {\n  if\n  :: n = 1; assert(n == 0)\n\
                 \x20 :: n = 2; assert(n == 0)\n  :: n = 3; n == 4\n  fi\n}\n";
    verdicts(model, &["--plain"], 1, &[("deadlock", "violated"), ("assertions", "violated")]);
    let (_, object) = checked(model, &["--all", "--plain"]);
    assert_eq!(object["properties"][1]["others"].as_array().unwrap().len(), 1, "{object}");
}

#[test]
fn only_a_trail_without_atomic_sequences_is_called_shortest() {
    let trail = |model: &str, args: &[&str]| {
        let (_, object) = checked(model, args);
        let trail = &object["properties"][1]["trail"];
        json!([trail["steps"], trail["lower_bound"], trail["shortest"]])
    };
    let plain = "byte n;\nactive proctype P() { n = 1; n = 2; assert(n == 1) }\n";
    assert_eq!(trail(plain, &["--plain"]), json!([3, 3, true]));
    assert_eq!(trail(plain, &["--plain", "--search", "dfs"]), json!([3, 1, false]));
    let atomic = "byte n;\nactive proctype P() { atomic { n = 1; n = 2; assert(n == 1) } }\n";
    assert_eq!(trail(atomic, &["--plain"]), json!([3, 1, false]));
}

#[test]
fn a_trail_is_written_beside_us_and_a_failure_to_do_so_changes_no_verdict() {
    let folder = scratch("check-trail");
    fs::create_dir_all(folder.join("models")).unwrap();
    fs::write(folder.join("models/m.pml"), STUCK).unwrap();
    let result = run_in(&folder, &["check", "models/m.pml"]);
    assert_eq!(result.code, 1, "{result:?}");
    assert!(result.out.starts_with("deadlock    violated  invalid end state"), "{result:?}");
    assert!(result.out.contains("P(0) is stuck at m.pml:2: q!2"), "{result:?}");
    let trail = fs::read_to_string(folder.join("m.pml.trail")).unwrap();
    assert!(trail.starts_with("-4:-4:-4\n1:0:"), "{trail}");
    let result = run_in(&folder, &["check", "models/m.pml", "--trail", "nowhere/t", "--json"]);
    assert_eq!(result.code, 1, "{result:?}");
    assert!(result.err.contains("cannot write the trail `nowhere/t`"), "{result:?}");
    let object: Value = serde_json::from_str(&result.out).unwrap();
    assert_eq!(object["properties"][0]["trail"]["file"], Value::Null);
}
