//! `beeline test`: many models, each against the verdicts that it states.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use beeline_testkit::need::Need;
use serde_json::Value;

use crate::run::{Run, run, run_in, scratch, start};
use crate::schema::obeys;

const MODELS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../models");

/// A folder with models, by name and text.
fn folder(name: &str, models: &[(&str, &str)]) -> PathBuf {
    let folder = scratch(name);
    for (file, text) in models {
        let path = folder.join(file);
        fs::create_dir_all(path.parent().expect("in the folder")).expect("the folder is ours");
        fs::write(path, text).expect("the folder is ours");
    }
    folder
}

fn object(result: &Run) -> Value {
    let object = serde_json::from_str(&result.out);
    let object = object.unwrap_or_else(|error| panic!("{error}: {result:?}"));
    let schema = include_str!("../../../../docs/schemas/test.schema.json");
    obeys(&object, &serde_json::from_str(schema).expect("the schema is JSON"));
    object
}

#[test]
fn all_models_of_the_project_are_as_expected() {
    let result = run(&["test", MODELS, "--json"]);
    let object = object(&result);
    assert_eq!(result.code, 0, "{object:#}");
    let count = object["models"].as_u64().expect("a number");
    assert!(count > 40, "{count}");
    assert_eq!(object["as_expected"], count);
    assert_eq!(object["without_expectations"], Value::Array(Vec::new()));
}

const HOLDS: &str = "/* expect: safe */\nactive proctype P() { skip }\n";
const STUCK: &str = "/* expect: deadlock */\nactive proctype P() { false }\n";
const WRONG: &str = "/* expect: safe */\nactive proctype P() { false }\n";
const ENDLESS: &str = "/* expect: safe */\nint a, b;\nactive [2] proctype P() { do :: a++ :: b++ od }\n\
    active proctype Q() { a = 1; b = 1; (b > 1000000); assert(false) }\n";

#[test]
fn a_model_that_fails_does_not_stop_the_others() {
    let folder = folder(
        "test-mixed",
        &[
            ("a/good.pml", HOLDS),
            ("a/b/stuck.promela", STUCK),
            ("wrong.pml", WRONG),
            ("syntax.pml", "/* expect: safe */\nactive proctype P() { count = 1 }\n"),
            ("unknown.pml", "/* expect: deadlok violated */\nactive proctype P() { skip }\n"),
            ("clause.pml", "/* expect: saef */\nactive proctype P() { skip }\n"),
            ("plain.pml", "active proctype P() { skip }\n"),
            ("ring.net", "# expect: error violated\nprocess a\nstates 1\ninit 0\nerror 0\n"),
            ("notes.txt", "no model\n"),
            (".hidden/no.pml", WRONG),
        ],
    );
    fs::write(folder.join("latin.pml"), b"/* expect: safe */ /* \xfc */\ninit { skip }\n")
        .expect("the folder is ours");
    let result = run_in(&folder, &["test", ".", "--jobs", "3"]);
    assert_eq!((result.code, &*result.err), (1, ""), "{result:?}");
    for line in [
        "ok          ./a/good.pml",
        "ok          ./a/b/stuck.promela",
        "FAILED      ./wrong.pml",
        "    deadlock: expected holds, but violated: invalid end state after 0 steps\n",
        "FAILED      ./syntax.pml",
        "syntax.pml:2:",
        "FAILED      ./unknown.pml",
        "the model has no property `deadlok`; did you mean `deadlock`?",
        "FAILED      ./clause.pml",
        "unknown clause `saef`",
        "no header   ./plain.pml",
        "ok          ./ring.net",
    ] {
        assert!(result.out.contains(line), "{line}: {}", result.out);
    }
    assert!(!result.out.contains("notes.txt") && !result.out.contains(".hidden"), "{result:?}");
    let quiet = run_in(&folder, &["test", ".", "--quiet"]);
    assert!(!quiet.out.contains("good.pml") && quiet.out.contains("wrong.pml"), "{quiet:?}");
}

#[test]
fn a_summary_counts_the_results() {
    let models = [("a.pml", HOLDS), ("b.pml", STUCK), ("c.pml", "init { skip }\n")];
    let folder = folder("test-summary", &models);
    let result = run_in(&folder, &["test", "a.pml", "b.pml", ".", "a.pml"]);
    assert_eq!(result.code, 0, "{result:?}");
    let summary = result.out.lines().last().expect("a summary");
    assert!(summary.starts_with("3 models in "), "{summary}");
    assert!(summary.ends_with(": 2 as expected, 1 without expectations"), "{summary}");
    let json = object(&run_in(&folder, &["test", ".", "--json"]));
    assert_eq!(json["without_expectations"][0], "./c.pml");
    // A test leaves no trails.
    assert!(!folder.join("b.pml.trail").exists());
}

#[test]
fn a_limit_makes_a_model_unknown() {
    let folder = folder("test-limit", &[("a.pml", ENDLESS)]);
    let result = run_in(&folder, &["test", "a.pml", "--time", "300ms", "--json"]);
    assert_eq!(result.code, 2, "{result:?}");
    let object = object(&result);
    assert_eq!(object["unknown"][0]["model"], "a.pml");
    assert_eq!(object["unknown"][0]["properties"][0]["expected"], "holds");
    let result = run_in(&folder, &["test", "a.pml", "--memory", "10M", "--time", "20s"]);
    assert_eq!(result.code, 2, "{result:?}");
}

#[test]
fn a_report_for_other_programs_has_a_suite_for_each_model() {
    let models = [("a.pml", HOLDS), ("b.pml", WRONG), ("c.pml", "init { skip }\n")];
    let folder = folder("test-junit", &models);
    let result = run_in(&folder, &["test", ".", "--junit", "out.xml"]);
    assert_eq!(result.code, 1, "{result:?}");
    let text = fs::read_to_string(folder.join("out.xml")).expect("the report is written");
    let document = roxmltree::Document::parse(&text).expect("XML");
    let suites: Vec<_> =
        document.descendants().filter(|node| node.has_tag_name("testsuite")).collect();
    let numbers = |at: usize, name| suites[at].attribute(name).expect("a number").to_owned();
    assert_eq!(suites.len(), 3);
    assert_eq!([numbers(0, "failures"), numbers(1, "failures")], ["0", "1"]);
    assert_eq!(numbers(2, "skipped"), "1");
    let failure = suites[1].descendants().find(|node| node.has_tag_name("failure"));
    let message = failure.and_then(|node| node.attribute("message")).expect("a message");
    assert!(message.starts_with("expected holds, but violated: invalid end state"), "{message}");
    let both = run_in(&folder, &["test", ".", "--junit", "-", "--json"]);
    assert_eq!(both.code, 4, "{both:?}");
    let lost = run_in(&folder, &["test", "a.pml", "--junit", "no/out.xml"]);
    assert_eq!(lost.code, 4, "{lost:?}");
}

#[test]
fn bad_paths_are_usage_errors() {
    let models = [("a.pml", HOLDS), ("empty/x.txt", ""), ("plain/b.pml", "init { skip }\n")];
    let folder = folder("test-paths", &models);
    for (path, message) in [
        ("b.pml", "cannot read `b.pml`: there is no such file"),
        ("empty", "there is no model in the folder `empty`"),
        ("plain", "the model states no expected verdicts"),
        ("-", "not standard input"),
    ] {
        let result = run_in(&folder, &["test", path]);
        assert_eq!((result.code, &*result.out), (4, ""), "{result:?}");
        assert!(result.err.contains(message), "{result:?}");
    }
    assert_eq!(run(&["test"]).code, 4);
}

#[test]
fn an_unreadable_model_fails() {
    let folder = folder("test-unreadable", &[("a.pml", HOLDS)]);
    // A broken link cannot be read by any user.
    std::os::unix::fs::symlink("nowhere.pml", folder.join("b.pml")).expect("the folder is ours");
    let result = run_in(&folder, &["test", "."]);
    assert_eq!(result.code, 1, "{result:?}");
    assert!(result.out.contains("cannot read `./b.pml`"), "{result:?}");
    assert!(result.out.contains("ok          ./a.pml"), "{result:?}");
}

#[test]
fn an_interrupt_reports_what_is_known() {
    let folder = folder("test-interrupt", &[("a.pml", HOLDS), ("b.pml", ENDLESS)]);
    let path = folder.to_str().expect("the path is text");
    let begin = Instant::now();
    let child = start(&["test", path, "--jobs", "1", "--json"]);
    std::thread::sleep(Duration::from_millis(1500));
    let id = child.id().to_string();
    let killed = Command::new("kill").args(["-INT", &id]).status().expect("kill runs");
    assert!(killed.success());
    let result: Run = child.wait_with_output().expect("beeline ends").into();
    assert!(begin.elapsed() < Duration::from_secs(10), "{:?}", begin.elapsed());
    assert_eq!(result.code, 2, "{result:?}");
    let object = object(&result);
    assert_eq!(object["as_expected"], 1, "{object}");
    assert!(object["not_tested"][0].as_str().is_some_and(|name| name.ends_with("b.pml")));
}

fn git(folder: &Path, args: &[&str]) {
    let mut command = Command::new("git");
    let command = command.current_dir(folder).args(args);
    for name in ["AUTHOR", "COMMITTER"] {
        command.env(format!("GIT_{name}_NAME"), "Test").env(format!("GIT_{name}_EMAIL"), "t@t");
    }
    assert!(command.output().expect("git runs").status.success(), "{args:?}");
}

#[test]
fn only_changed_models_are_tested() {
    if !Need::Git.is_here_or_skip("only_changed_models_are_tested") {
        return;
    }
    let including = "/* expect: safe */\n#include \"c.h\"\ninit { n = 1 }\n";
    let folder = folder(
        "test-changed",
        &[("a.pml", HOLDS), ("b.pml", HOLDS), ("c.pml", including), ("c.h", "byte n;\n")],
    );
    git(&folder, &["init", "-q"]);
    git(&folder, &["add", "."]);
    git(&folder, &["commit", "-q", "-m", "models"]);
    let result = run_in(&folder, &["test", ".", "--changed"]);
    assert_eq!((result.code, &*result.out), (0, "no model differs from HEAD\n"), "{result:?}");
    fs::write(folder.join("b.pml"), WRONG).expect("the folder is ours");
    fs::write(folder.join("c.h"), "int n;\n").expect("the folder is ours");
    fs::write(folder.join("d.pml"), HOLDS).expect("the folder is ours");
    let result = run_in(&folder, &["test", ".", "--changed"]);
    assert_eq!(result.code, 1, "{result:?}");
    for (name, is_tested) in [("a.pml", false), ("b.pml", true), ("c.pml", true), ("d.pml", true)] {
        assert_eq!(result.out.contains(name), is_tested, "{name}: {result:?}");
    }
    let result = run_in(&folder, &["test", ".", "--changed=nonsense"]);
    assert_eq!(result.code, 4, "{result:?}");
    assert!(result.err.contains("cannot tell which models changed"), "{result:?}");
}
