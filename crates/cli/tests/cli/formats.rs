//! Data for other programs obeys its schemas, for any text in a model.

use std::fs;
use std::path::{Path, PathBuf};

use roxmltree::{Document, Node};
use serde_json::{Value, json};

use crate::run::{BAD, GOOD, Run, run_in, run_in_on, scratch};
use crate::schema::{disobeys, obeys};

/// Markup, quotes and control characters in statements and in output; values of all types.
const NASTY: &str = "mtype = { ask, tell };\ntypedef pair { byte a; bit b[2] }\n\
    pair p; byte list[3]; mtype mood = ask;\n\
    chan q = [2] of { mtype, byte }; chan r = [0] of { byte };\n\
    proctype Q(chan c) { byte x; chan own = [1] of { byte }; own!7; r?x; c!tell, x }\n\
    active proctype P() {\n\
    \x20 printf(\"<b a='1'> & \\\"%d\\\" ]]> \u{7}\u{1b} \u{fc}\\n\", list[0]);\n\
    \x20 run Q(q); p.b[1] = 1; list[2] = 9; r!5;\n\
    \x20 (len(q) > 0 && list[2] < 10) -> assert(!(p.b[1] > 0 && list[2] < 10))\n\
    }\n";

const STUCK: &str = "chan q = [0] of { byte };\nactive proctype P() { q!1; q!2 }\n\
                     active proctype Q() { q?1 }\n";

const LONG: &str = "byte n;\nactive proctype P() { n = 1; n = 2; n = 3; n = 4; assert(n == 4) }\n";

/// A model with a warning and no error.
const DOUBTFUL: &str = "byte n;\nactive proctype P() { byte unused; n = 1 }\n";

fn folder(name: &str, model: &str) -> PathBuf {
    let folder = scratch(name);
    fs::write(folder.join("m.pml"), model).expect("the test directory is ours");
    folder
}

fn read(folder: &Path, file: &str) -> String {
    fs::read_to_string(folder.join(file)).unwrap_or_else(|error| panic!("{file}: {error}"))
}

fn parse(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

fn list(value: &Value) -> &[Value] {
    value.as_array().unwrap_or_else(|| panic!("no list: {value}"))
}

/// A schema of the project, or, in the tests, of other projects.
fn schema(path: &str) -> Value {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
    parse(&fs::read_to_string(&file).unwrap_or_else(|error| panic!("{path}: {error}")))
}

/// Checks a model, and reads the SARIF log, which must obey its schema.
fn sarif(name: &str, model: &str, args: &[&str]) -> (Run, Value) {
    let folder = folder(name, model);
    let result = run_in(&folder, &[&["check", "m.pml", "--sarif", "out.sarif"], args].concat());
    let log = parse(&read(&folder, "out.sarif"));
    obeys(&log, &schema("tests/schemas/sarif-2.1.0.json"));
    let run = log["runs"][0].clone();
    // Code scanning requires a location for each result.
    for result in list(&run["results"]) {
        let place = &result["locations"][0]["physicalLocation"];
        assert_eq!(place["artifactLocation"]["uri"], "m.pml", "{result:#}");
        assert!(place["region"]["startLine"].as_u64() >= Some(1), "{result:#}");
        let rule = result["ruleIndex"].as_u64().expect("a number") as usize;
        assert_eq!(run["tool"]["driver"]["rules"][rule]["id"], result["ruleId"]);
    }
    (result, run)
}

#[test]
fn a_violation_is_a_result_with_its_steps() {
    let (result, run) = sarif("sarif-stuck", STUCK, &["--plain"]);
    assert_eq!(result.code, 1, "{result:?}");
    assert_eq!(run["invocations"][0]["exitCode"], 1);
    let [deadlock] = list(&run["results"]) else { panic!("{run:#}") };
    assert_eq!((&deadlock["ruleId"], &deadlock["level"]), (&"deadlock".into(), &"error".into()));
    let text = deadlock["message"]["text"].as_str().unwrap();
    assert!(text.contains("invalid end state after 2 steps"), "{text}");
    assert!(text.contains("P(0) is stuck at m.pml:2: q!2"), "{text}");
    let steps = list(&deadlock["codeFlows"][0]["threadFlows"][0]["locations"]);
    let order: Vec<_> = steps.iter().map(|step| step["executionOrder"].as_u64()).collect();
    assert_eq!(order, [Some(1), Some(1), Some(2)], "both sides of a rendezvous, then the end of Q");
    assert_eq!(steps[1]["location"]["message"]["text"], "Q(1): q?1");
    let notes = list(&run["invocations"][0]["toolExecutionNotifications"]);
    assert_eq!(notes[0]["message"]["text"], "runtime-errors: holds");
}

#[test]
fn nasty_texts_survive_in_sarif() {
    let (result, run) = sarif("sarif-nasty", NASTY, &["--plain"]);
    assert_eq!(result.code, 1, "{result:?}");
    let results = list(&run["results"]);
    let failed = results.iter().find(|result| result["ruleId"] == "assertions");
    let flow = failed.expect("the assertion fails")["codeFlows"].to_string();
    assert!(flow.contains("<b a='1'> &") && flow.contains("\\u0007"), "{flow}");
}

#[test]
fn whatever_comes_of_a_check_has_a_sarif_log() {
    let (result, run) = sarif("sarif-good", GOOD, &[]);
    assert_eq!((result.code, &run["results"]), (0, &json!([])), "{run:#}");
    let (result, run) = sarif("sarif-limit", LONG, &["--plain", "--depth", "2"]);
    assert_eq!((result.code, &run["results"]), (2, &json!([])), "{run:#}");
    let note = &run["invocations"][0]["toolExecutionNotifications"][0];
    assert_eq!(
        (&note["level"], &note["associatedRule"]["id"]),
        (&"warning".into(), &"deadlock".into())
    );
    let (result, run) = sarif("sarif-bad", BAD, &[]);
    assert_eq!((result.code, &run["results"][0]["level"]), (3, &"error".into()), "{run:#}");
    assert_eq!(run["invocations"][0]["executionSuccessful"], false);
    let (result, run) = sarif("sarif-doubt", DOUBTFUL, &[]);
    assert_eq!(result.code, 0, "{result:?}");
    for warning in list(&run["results"]) {
        assert_eq!(warning["level"], "warning", "{warning:#}");
    }
    // Only an unexpected verdict is an alert.
    let (result, run) = sarif("sarif-met", STUCK, &["--expect", "deadlock=violated"]);
    assert_eq!((result.code, &run["results"]), (0, &json!([])), "{run:#}");
    let (result, run) = sarif("sarif-missed", GOOD, &["--expect", "deadlock=violated"]);
    let text = "deadlock: holds, expected violated";
    assert_eq!((result.code, &run["results"][0]["message"]["text"]), (1, &text.into()), "{run:#}");
}

#[test]
fn the_validator_finds_what_is_wrong() {
    let (_, _) = sarif("sarif-validator", STUCK, &[]);
    let schema = schema("tests/schemas/sarif-2.1.0.json");
    let log = json!({ "version": "2.1.0", "runs": [{ "tool": { "driver": { "name": "x" } } }] });
    obeys(&log, &schema);
    for (pointer, value) in [
        ("/version", json!("2.0.0")),
        ("/runs", json!({})),
        ("/runs/0/tool/driver", json!({})),
        ("/runs/0/tool/driver/name", json!(3)),
        ("/runs/0/tool/driver", json!({ "name": "x", "rulez": [] })),
    ] {
        let mut wrong = log.clone();
        *wrong.pointer_mut(pointer).expect("it is there") = value;
        disobeys(&wrong, &schema);
    }
}

/// The allowed contents of an element of a JUnit report.
struct Element {
    name: &'static str,
    required: &'static [&'static str],
    further: &'static [&'static str],
    /// The children, in their order.
    children: &'static [&'static str],
}

/// After Jenkins' junit-10.xsd.
const JUNIT: &[Element] = &[
    Element {
        name: "testsuites",
        required: &[],
        further: &["name", "time", "tests", "failures", "disabled", "errors"],
        children: &["testsuite"],
    },
    Element {
        name: "testsuite",
        required: &["name", "tests"],
        further: &[
            "failures",
            "errors",
            "time",
            "disabled",
            "skipped",
            "timestamp",
            "hostname",
            "id",
            "package",
        ],
        children: &["properties", "testcase", "system-out", "system-err"],
    },
    Element {
        name: "testcase",
        required: &["name"],
        further: &["assertions", "time", "classname", "status"],
        children: &["skipped", "error", "failure", "system-out", "system-err"],
    },
    Element { name: "failure", required: &[], further: &["type", "message"], children: &[] },
    Element { name: "error", required: &[], further: &["type", "message"], children: &[] },
    Element { name: "system-out", required: &[], further: &[], children: &[] },
];

fn obeys_junit(node: Node<'_, '_>) {
    let name = node.tag_name().name();
    let element = JUNIT.iter().find(|element| element.name == name);
    let Element { required, further, children, .. } =
        element.unwrap_or_else(|| panic!("<{name}> is not in the schema"));
    for attribute in node.attributes() {
        let known = required.contains(&attribute.name()) || further.contains(&attribute.name());
        assert!(known, "<{name} {}>", attribute.name());
    }
    assert!(required.iter().all(|wanted| node.attribute(*wanted).is_some()), "<{name}>");
    let elements: Vec<_> = node.children().filter(Node::is_element).collect();
    let place = |child: &Node<'_, '_>| {
        let own = child.tag_name().name();
        children
            .iter()
            .position(|name| *name == own)
            .unwrap_or_else(|| panic!("<{own}> in <{name}>"))
    };
    assert!(elements.is_sorted_by_key(place), "the order of elements in <{name}>");
    let count = |test: &str| {
        let cases = node.descendants().filter(|one| one.has_tag_name("testcase"));
        cases
            .filter(|case| test.is_empty() || case.children().any(|one| one.has_tag_name(test)))
            .count()
    };
    for (attribute, test) in [("tests", ""), ("failures", "failure"), ("errors", "error")] {
        if let Some(number) = node.attribute(attribute) {
            assert_eq!(number, count(test).to_string(), "<{name} {attribute}>");
        }
    }
    elements.into_iter().for_each(obeys_junit);
}

/// For each test case its name, its element with message, and the text.
fn junit(name: &str, model: &str, args: &[&str]) -> (Run, Vec<[String; 4]>) {
    let folder = folder(name, model);
    let result = run_in(&folder, &[&["check", "m.pml", "--junit", "out.xml"], args].concat());
    let text = read(&folder, "out.xml");
    let document = Document::parse(&text).unwrap_or_else(|error| panic!("{error}: {text}"));
    assert_eq!(document.root_element().tag_name().name(), "testsuites");
    obeys_junit(document.root_element());
    let cases = document.descendants().filter(|node| node.has_tag_name("testcase"));
    let cases = cases.map(|case| {
        assert_eq!(case.attribute("classname"), Some("m.pml"));
        let inner = case.children().find(Node::is_element).expect("each says something");
        let attribute = |node: Node<'_, '_>, name| node.attribute(name).unwrap_or("").to_owned();
        let text = inner.text().unwrap_or("").to_owned();
        let element = inner.tag_name().name().to_owned();
        [attribute(case, "name"), element, attribute(inner, "message"), text]
    });
    (result, cases.collect())
}

#[test]
fn a_property_is_a_test_case() {
    let (result, cases) = junit("junit-stuck", STUCK, &["--plain"]);
    assert_eq!(result.code, 1, "{result:?}");
    let [deadlock, errors] = &cases[..] else { panic!("{cases:?}") };
    assert_eq!(deadlock[..2], ["deadlock", "failure"]);
    assert!(deadlock[2].starts_with("invalid end state after 2 steps"), "{deadlock:?}");
    assert!(deadlock[3].contains("P(0) is stuck at m.pml:2: q!2"), "{deadlock:?}");
    assert_eq!(errors[..], ["runtime-errors", "system-out", "", "holds"]);
}

#[test]
fn whatever_comes_of_a_check_has_a_junit_report() {
    let (_, cases) = junit("junit-nasty", NASTY, &["--plain"]);
    let text = &cases[1][3];
    assert!(text.contains("<b a='1'> & \\\"%d\\\" ]]>") && text.contains("list[2] < 10"), "{text}");
    assert!(!text.contains('\u{7}'), "control characters are left out");
    let (result, cases) = junit("junit-limit", LONG, &["--plain", "--depth", "2"]);
    assert_eq!((result.code, &*cases[0][1]), (2, "error"), "{cases:?}");
    assert_eq!(cases[0][2], "unknown: depth limit reached");
    let (result, cases) = junit("junit-bad", BAD, &[]);
    assert_eq!((result.code, cases.len(), &*cases[0][1]), (3, 1, "error"), "{cases:?}");
    assert!(cases[0][3].contains("m.pml:2"), "{cases:?}");
    let (result, cases) = junit("junit-met", STUCK, &["--expect", "deadlock=violated"]);
    assert_eq!((result.code, &*cases[0][1]), (0, "system-out"), "{cases:?}");
    let (result, cases) = junit("junit-missed", GOOD, &["--expect", "deadlock=violated"]);
    assert_eq!((result.code, &*cases[0][1]), (1, "failure"), "{cases:?}");
    assert_eq!(cases[0][2], "holds, not as expected: expected violated");
}

/// A trace obeys its schema, and each state has exactly the declared variables.
fn obeys_itf(trace: &Value) {
    obeys(trace, &schema("../../docs/schemas/itf.schema.json"));
    let mut vars: Vec<_> = list(&trace["vars"]).iter().filter_map(Value::as_str).collect();
    vars.push("#meta");
    vars.sort_unstable();
    for (at, state) in list(&trace["states"]).iter().enumerate() {
        let keys: Vec<_> =
            state.as_object().expect("an object").keys().map(String::as_str).collect();
        assert_eq!(keys, vars, "{state:#}");
        assert_eq!(state["#meta"]["index"], at);
    }
}

#[test]
fn a_trace_has_every_variable_in_every_state() {
    let folder = folder("itf-nasty", NASTY);
    let args = ["check", "m.pml", "--plain", "--json", "--itf", "out.itf.json"];
    let check = parse(&run_in(&folder, &args).out);
    let trace = parse(&read(&folder, "out.itf.json"));
    obeys_itf(&trace);
    let states = list(&trace["states"]);
    let steps = check["properties"][1]["trail"]["steps"].as_u64().unwrap();
    assert_eq!(states.len() as u64, steps + 1, "a failed assertion has a state behind it");
    let (first, last) = (&states[0], states.last().unwrap());
    assert_eq!(first["p"], json!({ "a": 0, "b": [0, 0] }));
    assert_eq!(last["p"], json!({ "a": 0, "b": [0, 1] }));
    assert_eq!((&last["list"], &last["mood"]), (&json!([0, 0, 9]), &json!("ask")));
    assert_eq!((&first["q"], &first["r"]), (&json!([]), &json!([])));
    assert_eq!(last["q"], json!([{ "#tup": ["tell", 5] }]));
    let processes = list(&first["_processes"]["#map"]);
    assert_eq!((processes.len(), &processes[0][1]["proctype"]), (1, &json!("P")));
    let grown = states.iter().find(|state| state["_processes"]["#map"][1] != Value::Null);
    let locals = &grown.expect("Q runs for a while")["_processes"]["#map"][1][1]["locals"];
    assert_eq!(*locals, json!({ "c": "q", "x": 0, "own": [] }));
    assert_eq!(trace["#meta"]["property"], "assertions");
    assert_eq!(trace.get("loop"), None);
}

#[test]
fn a_trail_becomes_the_same_trace_when_it_is_replayed() {
    let folder = folder("itf-replay", STUCK);
    assert_eq!(run_in(&folder, &["check", "m.pml", "--itf", "one"]).code, 1);
    let result = run_in(&folder, &["replay", "m.pml", "m.pml.trail", "--itf", "-"]);
    assert_eq!(result.code, 0, "{result:?}");
    let (one, two) = (parse(&read(&folder, "one")), parse(&result.out));
    obeys_itf(&two);
    assert_eq!(one["states"], two["states"]);
    assert_eq!(list(&two["states"]).len(), 3);
}

#[test]
fn a_step_that_nothing_survives_has_no_state_behind_it() {
    let model = "byte n, m;\nactive proctype P() { n = 1; m = n / (n - 1) }\n";
    let folder = folder("itf-fatal", model);
    let result = run_in(&folder, &["check", "m.pml", "--plain", "--itf", "-"]);
    let trace = parse(&result.out);
    obeys_itf(&trace);
    assert_eq!((result.code, list(&trace["states"]).len()), (1, 2), "{trace:#}");
}

#[test]
fn nothing_in_a_state_is_lost_or_confused() {
    let model = "chan a = [1] of { byte }; chan b = [1] of { byte }; byte _processes;\n\
        active proctype P() {\n\
        \x20 { byte y; y = 2 }; { byte y; y = 3 };\n\
        \x20 a!1; a = b; b!2; assert(_processes == 9)\n\
        }\n";
    let folder = folder("itf-lost", model);
    let trace = parse(&run_in(&folder, &["check", "m.pml", "--plain", "--itf", "-"]).out);
    obeys_itf(&trace);
    let last = list(&trace["states"]).last().expect("there are states");
    // No variable holds the first channel any more.
    let (one, two) = (json!([{ "#tup": [1] }]), json!([{ "#tup": [2] }]));
    assert_eq!((&last["a"], &last["b"]), (&two, &two), "{last:#}");
    assert_eq!(last["_channels"], json!({ "#map": [["channel 1", one]] }));
    // A model may use reserved names, and its blocks may declare a name twice.
    assert_eq!(last["_processes"], 0);
    let locals = &last["__processes"]["#map"][0][1]["locals"];
    assert_eq!(*locals, json!({ "y": 2, "y__2": 3 }));
}

#[test]
fn a_lasso_becomes_a_loop() {
    let model = "byte n;\nactive proctype P() { n = 3; do :: n = 1; n = 0 od }\n";
    let folder = folder("itf-lasso", model);
    let trail = "1:0:0\n2:0:1\n3:0:2\n-1:-1:-1\n4:0:1\n5:0:2\n";
    fs::write(folder.join("t"), trail).expect("the test directory is ours");
    let trace = parse(&run_in(&folder, &["replay", "m.pml", "t", "--itf", "-"]).out);
    obeys_itf(&trace);
    let values: Vec<_> = list(&trace["states"]).iter().map(|s| &s["n"]).collect();
    // The last state, which is the first one of the loop, is not repeated.
    assert_eq!(
        (values, &trace["loop"]),
        (vec![&json!(0), &json!(3), &json!(1), &json!(0), &json!(1)], &json!(3))
    );
}

#[test]
fn json_obeys_its_schemas() {
    let check = schema("../../docs/schemas/check.schema.json");
    for (at, (model, args)) in [
        (STUCK, &[][..]),
        (NASTY, &["--plain"]),
        (GOOD, &["--search", "astar(active)"]),
        (LONG, &["--depth", "2", "--plain"]),
        (STUCK, &["--expect", "violated", "--all"]),
        (STUCK, &["--no-trail"]),
        (GOOD, &["--property", "ltl: <>(n == 7)"]),
        (GOOD, &["--property", "ltl: [](n == 9 -> <>(n == 7))", "--fair"]),
    ]
    .into_iter()
    .enumerate()
    {
        let folder = folder(&format!("json-{at}"), model);
        let result = run_in(&folder, &[&["check", "m.pml", "--json"], args].concat());
        obeys(&parse(&result.out), &check);
    }
    let folder = folder("json-replay", NASTY);
    assert_eq!(run_in(&folder, &["check", "m.pml", "--plain", "--quiet"]).code, 1);
    let replay = run_in(&folder, &["replay", "m.pml", "m.pml.trail", "--json"]);
    let replay = parse(&replay.out);
    obeys(&replay, &schema("../../docs/schemas/replay.schema.json"));
    disobeys(&replay, &check);
}

#[test]
fn a_dash_is_standard_output_and_nothing_else_is_there() {
    let folder = folder("formats-dash", STUCK);
    let sarif = run_in(&folder, &["check", "m.pml", "--sarif", "-", "--junit", "out.xml"]);
    assert_eq!(sarif.code, 1, "{sarif:?}");
    obeys(&parse(&sarif.out), &schema("tests/schemas/sarif-2.1.0.json"));
    let junit = run_in(&folder, &["check", "m.pml", "--junit", "-"]);
    assert!(Document::parse(&junit.out).is_ok(), "{junit:?}");
    let good = run_in_on(&folder, GOOD, &["check", "-", "--itf", "-"]);
    assert_eq!((good.code, &*good.out), (0, ""), "{good:?}");
    assert!(good.err.contains("no property is violated"), "{good:?}");
    for two in [["--sarif=-", "--junit=-"], ["--sarif=-", "--json"], ["--itf=-", "--json"]] {
        let result = run_in(&folder, &["check", "m.pml", two[0], two[1]]);
        let is_told = result.out.contains(r#""ok":false"#);
        assert_eq!((result.code, is_told), (4, two.contains(&"--json")), "{result:?}");
        assert_eq!(result.out.is_empty(), !is_told, "{result:?}");
        assert!(result.err.contains("only one output can go to standard output"), "{result:?}");
    }
    let result = run_in(&folder, &["replay", "m.pml", "m.pml.trail", "--itf=-", "--json"]);
    assert_eq!(result.code, 4, "{result:?}");
}

#[test]
fn each_violation_has_a_trace_of_its_own() {
    let model =
        "byte n;\nactive proctype P() { if :: n = 1; n == 2 :: n = 3; assert(n == 2) fi }\n";
    let folder = folder("formats-traces", model);
    assert_eq!(run_in(&folder, &["check", "m.pml", "--itf", "t.itf.json"]).code, 1);
    let property = |file| parse(&read(&folder, file))["#meta"]["property"].clone();
    assert_eq!(property("t.itf.json"), "deadlock");
    assert_eq!(property("t.itf2.json"), "assertions");
}

#[test]
fn what_cannot_be_written_is_told_and_so_is_the_verdict() {
    let folder = folder("formats-unwritable", STUCK);
    fs::create_dir(folder.join("taken")).unwrap();
    for option in ["--sarif", "--junit", "--itf"] {
        for (file, cause) in [("no/where", "there is no directory `no`"), ("taken", "")] {
            let result = run_in(&folder, &["check", "m.pml", option, file]);
            assert_eq!(result.code, 4, "{result:?}");
            assert!(result.err.starts_with("error: cannot write the "), "{result:?}");
            assert!(result.err.contains(&format!("`{file}`: {cause}")), "{result:?}");
            assert!(result.err.contains("\nhelp: "), "{result:?}");
            assert!(result.out.starts_with("deadlock        violated"), "{result:?}");
        }
    }
    // Errors in the model take precedence over an unwritable file.
    let result = run_in_on(&folder, BAD, &["check", "-", "--sarif", "no/where"]);
    assert_eq!(result.code, 3, "{result:?}");
    assert!(result.err.contains("cannot write the SARIF report `no/where`"), "{result:?}");
    let result = run_in(&folder, &["replay", "m.pml", "m.pml.trail", "--itf", "no/where"]);
    assert_eq!(result.code, 4, "{result:?}");
    assert!(result.out.contains("invalid end state"), "{result:?}");
    #[cfg(target_os = "linux")]
    {
        let result = run_in(&folder, &["check", "m.pml", "--sarif", "/dev/full"]);
        assert!(result.code == 4 && result.err.contains("No space left"), "{result:?}");
    }
}
