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

/// Each property with its verdict, and the exit code. Absence of run-time errors is not listed.
fn verdicts(model: &str, args: &[&str], code: i32, expected: &[(&str, &str)]) {
    let (found_code, object) = checked(model, args);
    let properties = object["properties"].as_array().expect("a list of properties");
    let found = properties.iter().map(|one| (text(&one["name"]), text(&one["verdict"])));
    let found: Vec<_> = found.filter(|one| *one != ("runtime-errors", "holds")).collect();
    assert_eq!((found_code, &found[..]), (code, expected), "{object}");
}

/// The error of a property, by its first trail.
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
    verdicts(STUCK, &[], 1, &[("deadlock", "violated")]);
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
    let list = &[("deadlock", "holds"), ("one", "holds"), ("two", "violated")];
    verdicts(model, &[], 1, list);
    verdicts(model, &["--property", "one"], 0, &[("one", "holds")]);
    verdicts(model, &["--property", "ltl: [] <> !p"], 1, &[("ltl: [] <> !p", "violated")]);
    let claim = "bool p;\nnever { accept: do :: !p od }\nactive proctype P() { p = 1 }\n";
    let list = &[("deadlock", "holds"), ("never", "holds")];
    verdicts(claim, &[], 0, list);
    verdicts(GOOD, &["--property", "acceptance"], 0, &[("acceptance", "holds")]);
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
        verdicts(&stuck, options, 1, &[("deadlock", "violated")]);
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
    assert_eq!(error(&model("chan q = [1] of { byte }; chan c; c!1"), 1), "channel does not exist");
    assert_eq!(error(&model("chan c; len(c) == 1"), 1), "channel does not exist");
}

#[test]
fn what_lies_behind_too_many_channels_is_unknown() {
    let model = "chan c[200] = [1] of { bit };\nbyte n;\n\
                 proctype P() { chan d[100] = [1] of { bit }; n == 1 }\n\
                 init { run P(); n == 1 }\n";
    verdicts(model, &[], 1, &[("deadlock", "unknown"), ("runtime-errors", "violated")]);
}

#[test]
fn what_lies_behind_a_bad_index_is_unknown() {
    let model = "byte a[2], n = 2;\nactive proctype P() { a[n] = 1; n == 1 }\n";
    verdicts(model, &[], 1, &[("deadlock", "unknown"), ("runtime-errors", "violated")]);
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
fn a_trail_is_called_shortest_only_if_it_is_known_to_be() {
    let trail = |model: &str, args: &[&str]| {
        let (_, object) = checked(model, args);
        let trail = &object["properties"][1]["trail"];
        json!([trail["steps"], trail["lower_bound"], trail["shortest"]])
    };
    let plain = "byte n;\nactive proctype P() { n = 1; n = 2; assert(n == 1) }\n";
    assert_eq!(trail(plain, &["--plain", "--search", "bfs"]), json!([3, 3, true]));
    assert_eq!(trail(plain, &["--plain", "--search", "dfs"]), json!([3, 1, false]));
    let atomic = "byte n;\nactive proctype P() { atomic { n = 1; n = 2; assert(n == 1) } }\n";
    assert_eq!(trail(atomic, &["--plain", "--search", "bfs"]), json!([3, 1, false]));
    // The automatic search tries to shorten the trail, and so proves that it is shortest.
    assert_eq!(trail(atomic, &["--plain"]), json!([3, 3, true]));
    assert_eq!(trail(atomic, &["--plain", "--no-improve"]), json!([3, 1, false]));
}

#[test]
fn a_trail_is_written_beside_us_and_a_failure_to_do_so_changes_no_verdict() {
    let folder = scratch("check-trail");
    fs::create_dir_all(folder.join("models")).unwrap();
    fs::write(folder.join("models/m.pml"), STUCK).unwrap();
    let result = run_in(&folder, &["check", "models/m.pml"]);
    assert_eq!(result.code, 1, "{result:?}");
    assert!(result.out.starts_with("deadlock        violated  invalid end state"), "{result:?}");
    assert!(result.out.contains("P(0) is stuck at m.pml:2: q!2"), "{result:?}");
    let trail = fs::read_to_string(folder.join("m.pml.trail")).unwrap();
    assert!(trail.starts_with("-4:-4:-4\n1:0:"), "{trail}");
    let result = run_in(&folder, &["check", "models/m.pml", "--trail", "nowhere/t", "--json"]);
    assert_eq!(result.code, 1, "{result:?}");
    assert!(result.err.contains("cannot write the trail `nowhere/t`"), "{result:?}");
    let object: Value = serde_json::from_str(&result.out).unwrap();
    assert_eq!(object["properties"][0]["trail"]["file"], Value::Null);
}

#[test]
fn invariants_are_checked_in_every_stored_state() {
    let model = "byte x, a[3]; chan q = [1] of { byte };\nactive proctype P() { x = 1; atomic { x = 7; x = 2 }; x = 3 }\n";
    let invariant = |text: &str, verdict: &str| {
        let property = format!("invariant: {text}");
        let code = if verdict == "holds" { 0 } else { 1 };
        for engine in ["interp", "jit"] {
            let options = ["--property", &property, "--engine", engine];
            verdicts(model, &options, code, &[(&property, verdict)]);
        }
    };
    invariant("x < 4", "holds");
    invariant("x != 7", "holds");
    invariant("x != 3", "violated");
    invariant("x == 0", "violated");
    invariant("a[x] == 0", "violated");
    invariant("_nr_pr <= 1 && len(q) == 0", "holds");
}

/// A text on the command line is a single formula, for any contents.
#[test]
fn a_property_on_the_command_line_stays_by_itself() {
    let model = "byte x;\nactive proctype P() { x = 1 }\n";
    let wrong = [
        ("ltl: true } ltl q { false", "`}` has no opening bracket"),
        ("invariant: x < 3) || (x < 4", "`)` has no opening bracket"),
        ("invariant: (x < 3", "`)` is missing"),
        ("invariant: x < 3 /* always", "a comment is not closed"),
        ("ltl:", "the text after the colon is empty"),
    ];
    for (property, why) in wrong {
        let result = run_on(model, &["check", "-", "--property", property]);
        assert_eq!(result.code, 4, "{result:?}");
        assert!(result.err.contains(why), "{result:?}");
    }
    let result = run_on(model, &["check", "-", "--property", "ltl: [] (x < (2)"]);
    let excerpt = "`)` is missing\n  ltl: [] (x < (2)\n          ^\n\n";
    assert!(result.err.contains(excerpt), "{}", result.err);
    let result = run_on(model, &["check", "-", "--property", "ltl: [] (x < (2)", "--json"]);
    let expected =
        "\"error\":\"invalid value 'ltl: [] (x < (2)' for '--property <P>': `)` is missing\"";
    assert!(result.out.contains(expected), "{}", result.out);
    for property in ["invariant: x < 3 // always", "invariant: x /* it */ < /* ) */ (3)"] {
        let result = run_on(model, &["check", "-", "--property", property]);
        assert_eq!(result.code, 0, "{result:?}");
    }
}

#[test]
fn an_invariant_that_cannot_be_read_is_shown_with_its_place() {
    let result = run_on(
        "byte x;\nactive proctype P() { x = 1 }\n",
        &["check", "-", "--property", "invariant: y < 3"],
    );
    assert_eq!(result.code, 4, "{result:?}");
    assert!(result.err.contains("`y`") && result.err.contains("--property"), "{result:?}");
}

#[test]
fn a_claim_that_comes_to_its_end_is_violated() {
    let model = |claim: &str| {
        format!("byte x;\nactive proctype P() {{ x = 1; x = 2; x = 3 }}\nnever {{ {claim} }}\n")
    };
    let claim = |text: &str, code: i32, verdict: &str| {
        for options in [&[][..], &["--plain"], &["--search", "dfs"], &["--store", "compact"]] {
            let options = [&["--property", "never"], options].concat();
            verdicts(&model(text), &options, code, &[("never", verdict)]);
        }
    };
    claim("do :: x == 2 -> break :: else od", 1, "violated");
    claim("do :: x == 9 -> break :: else od", 0, "holds");
    // The claim continues when the system has ended.
    claim("do :: x == 3 -> break :: else od; skip; skip; skip; skip; skip", 1, "violated");
    // The claim ends without a violation where it cannot move.
    claim("x == 0; x == 2", 0, "holds");
    claim("accept: do :: true od", 1, "violated");
    claim("do :: true :: x == 2 -> goto accept od; accept: do :: x == 2 od", 0, "holds");
    claim("do :: true :: x == 3 -> goto accept od; accept: do :: x == 3 od", 1, "violated");
    claim("byte y; do :: x == 2 -> break :: else od", 2, "unknown");
}

/// A formula with `X` distinguishes merged statements: the second step is `i = 2`, not the one
/// after both assignments.
#[test]
fn statements_are_not_merged_for_a_formula_that_counts_steps() {
    let model = "bool answered;\n\
                 active proctype P() { byte i; i = 1; i = 2; answered = (i == 2) }\n\
                 ltl early { !(X X answered) }\nltl late { !(X X X answered) }\n\
                 ltl sometime { <> answered }\n";
    let verdict = |name: &str, options: &[&str]| {
        let options = [&["check", "-", "--json", "--no-trail", "--property", name], options];
        let object: Value = serde_json::from_str(&run_on(model, &options.concat()).out).unwrap();
        let property = object["properties"][0].clone();
        let remarks = property["remarks"].to_string();
        (
            property["verdict"].as_str().unwrap().to_owned(),
            remarks.contains("no statements are merged"),
        )
    };
    for search in ["auto", "bfs", "dfs", "ndfs", "gbfs"] {
        let search = &["--search", search][..];
        assert_eq!(verdict("early", search), ("holds".to_owned(), true), "{search:?}");
        assert_eq!(verdict("late", search), ("violated".to_owned(), true), "{search:?}");
        assert_eq!(verdict("sometime", search), ("holds".to_owned(), false), "{search:?}");
        let plain = [search, &["--plain"]].concat();
        assert_eq!(verdict("early", &plain), ("holds".to_owned(), false), "{search:?}");
    }
}

#[test]
fn messages_can_be_lost_and_left_over() {
    let model = "chan q = [1] of { byte };\n\
                 active proctype P() { q!1; q!2; q!3; assert(len(q) == 1) }\n\
                 active proctype Q() { byte x; (len(q) == 5) -> q?x }\n";
    for engine in ["interp", "jit"] {
        let deadlock = |options: &[&str], verdict: &str, code: i32| {
            let options = [&["--engine", engine, "--property", "deadlock"], options].concat();
            verdicts(model, &options, code, &[("deadlock", verdict)]);
        };
        deadlock(&[], "violated", 1);
        deadlock(&["--lossy"], "violated", 1);
        let left = "chan q = [1] of { byte };\nactive proctype P() { q!1 }\n";
        let options = ["--engine", engine, "--property", "deadlock"];
        verdicts(left, &options, 0, &[("deadlock", "holds")]);
        let strict = [&options[..], &["--strict-ends"]].concat();
        verdicts(left, &strict, 1, &[("deadlock", "violated")]);
        let full =
            "chan q = [1] of { byte };\nactive proctype P() { q!1; q!2; assert(len(q) == 1) }\n";
        verdicts(full, &options, 1, &[("deadlock", "violated")]);
        verdicts(full, &[&options[..], &["--lossy"]].concat(), 0, &[("deadlock", "holds")]);
    }
}

#[test]
fn a_claim_does_not_hold_behind_a_bad_index() {
    let model = "byte x, a[2];\nactive proctype P() { x = 2; a[x] = 1; x = 9 }\n\
                 never { do :: x == 9 -> break :: else od }\n";
    verdicts(model, &["--property", "never"], 2, &[("never", "unknown")]);
}

/// Several errors may occur at the end; each property reports its own.
#[test]
fn a_trail_tells_of_the_property_that_it_is_about() {
    let model = "byte x;\nactive proctype P() { x = 1; x == 2 }\n\
        ltl first { [] (x < 1) }\nltl second { [] (x != 1) }\n";
    for (property, why) in
        [("first", "x < 1 is false: x = 1"), ("second", "x != 1 is false: x = 1")]
    {
        let result = run_on(model, &["check", "-", "--no-trail", "--property", property]);
        let expected = format!("after 1 step: invariant violated: {why}\n  P(0) is stuck at");
        assert!(result.out.contains(&expected), "{result:?}");
    }
}
