//! Pictures of trails, automata and states.

use std::fs;
use std::path::{Path, PathBuf};

use beeline_testkit::fixture;
use roxmltree::{Document, Node};
use serde_json::Value;

use crate::run::{Run, run, run_in, run_on, scratch};

/// A deterministic model: all kinds of arrows, a read without removal, process start and end, and
/// an error.
const EVERYTHING: &str = "mtype = { one, two };\nchan buf = [3] of { mtype, byte };\n\
    chan meet = [0] of { byte };\nchan lone = [1] of { byte };\nbyte x;\n\
    active proctype A() { buf!one, 1; buf!two, 2; meet!5; lone!9; run C() }\n\
    active proctype B() { byte n; meet?n; x == 1 && _nr_pr == 2; buf??two, n; buf?<one, n>; \
    buf?one, n; assert(n == 0); lone?n }\nproctype C() { x = 1 }\n";

/// Texts with a meaning in XML, HTML, scripts, Graphviz, Mermaid and PlantUML.
const NASTY: &str = "byte x = 1; chan q = [2] of { byte };\n\
    active proctype P() {\n  printf(\"</script><!-- %d & 'a' ]]> %% ; # \\\\ \\t ** @enduml\\n\", x);\n\
    x < 3 && x > 0 && (x != 'a');\n  printf(\"<b>{{data}} $& \\\"quoted\\\"\\n\");\n  q!x;\n\
    assert(x < 1 || !(x > 0));\n  q?x\n}\n";

/// A directory with a model and the trail of its first error.
fn checked(name: &str, model: &str) -> PathBuf {
    let folder = scratch(name);
    fs::write(folder.join("m.pml"), model).expect("the test directory is ours");
    let result = run_in(&folder, &["check", "m.pml", "--plain", "--quiet"]);
    assert_eq!(result.code, 1, "{result:?}");
    folder
}

/// The chart of the trail in the directory.
fn chart(folder: &Path, file: &str) -> String {
    let result = run_in(folder, &["replay", "m.pml", "m.pml.trail", "--chart", file]);
    assert_eq!((result.code, &*result.err), (0, ""), "{result:?}");
    assert!(result.out.ends_with(&format!("chart written to {file}\n")), "{result:?}");
    fs::read_to_string(folder.join(file)).expect("it was written")
}

fn elements<'a>(document: &'a Document<'a>, attribute: &'a str) -> Vec<Node<'a, 'a>> {
    document.descendants().filter(|node| node.has_attribute(attribute)).collect()
}

/// All text below an element, without its title.
fn text(node: &Node<'_, '_>) -> String {
    let shown = node.descendants().filter(|node| node.has_tag_name("text"));
    let shown = shown.chain(node.children().filter(|node| node.has_tag_name("tspan")));
    shown.filter_map(|node| node.text()).collect::<Vec<_>>().join(" ")
}

#[test]
fn a_drawing_has_every_message_from_its_sender_to_its_receiver() {
    let folder = checked("chart-arrows", EVERYTHING);
    let svg = chart(&folder, "c.svg");
    let document = Document::parse(&svg).expect("it is XML");
    let arrows: Vec<_> = elements(&document, "data-arrow")
        .iter()
        .map(|arrow| {
            ["data-arrow", "data-from", "data-to"].map(|name| arrow.attribute(name).unwrap())
        })
        .collect();
    let expected = [
        ["message", "1", "11"],
        ["message", "2", "9"],
        ["rendezvous", "3", "3"],
        ["unreceived", "4", "4"],
        ["start", "5", "5"],
    ];
    assert_eq!(arrows, expected);
    let steps = elements(&document, "data-step");
    assert_eq!(steps.len(), 12);
    for (at, wanted) in [
        (0, "buf!one, 1"),
        (2, "meet!5"),
        (6, "ends"),
        (8, "buf?two, 2"),
        (9, "buf?<one, 1>"),
        (11, "assert(n == 0)"),
    ] {
        assert!(text(&steps[at]).contains(wanted), "{wanted}: {}", text(&steps[at]));
    }
    let end = &elements(&document, "data-end")[0];
    assert_eq!(end.attribute("data-end"), Some("banner"));
    assert!(text(end).contains("assertion violated: assert(n == 0) with n = 1"), "{}", text(end));
    assert!(svg.contains("C(2)") && svg.contains("prefers-color-scheme: dark"));
}

#[test]
fn a_deadlock_shows_who_waits_for_what() {
    let model = "chan q = [1] of { byte };\nactive proctype P() { byte n; q?n; q!n }\n\
                 active proctype Q() { end: q?5 }\n";
    let svg = chart(&checked("chart-deadlock", model), "c.svg");
    assert!(svg.contains("waits: q?n") && svg.contains("valid end state: q?5"), "{svg}");
    assert!(svg.contains("✗ invalid end state"), "{svg}");
}

#[test]
fn a_cycle_is_marked() {
    let folder = scratch("chart-cycle");
    let model =
        "byte x;\nbyte y;\nactive proctype P() { y = 5; again: x = 1; x = 0; goto again }\n";
    fs::write(folder.join("m.pml"), model).unwrap();
    let automata = run_in(&folder, &["dump", "m.pml", "--form", "automata", "--plain"]).out;
    let id = |statement: &str| {
        let line = automata.lines().find(|line| line.ends_with(statement)).unwrap();
        line.split("[id").nth(1).unwrap().split(']').next().unwrap().trim().to_owned()
    };
    let [five, one, two] = ["y = 5", "x = 1", "x = 0"].map(id);
    let trail = format!("1:0:{five}\n-1:-1:-1\n2:0:{one}\n3:0:{two}\n");
    fs::write(folder.join("m.pml.trail"), trail).unwrap();
    let svg = chart(&folder, "c.svg");
    assert!(svg.contains("data-cycle=\"2\"") && svg.contains("the cycle begins"), "{svg}");
    assert!(chart(&folder, "c.mmd").contains("    loop the cycle\n"));
    assert!(chart(&folder, "c.puml").contains("\nloop the cycle\n"));
    assert_eq!(data(&chart(&folder, "c.html"))["cycle"], 1);
    assert!(svg.contains("class=\"round\""), "the cycle leads back: {svg}");
}

/// The data inside a page.
fn data(page: &str) -> Value {
    let (_, rest) =
        page.split_once("<script type=\"application/json\" id=\"data\">").expect("it has data");
    let (json, _) = rest.split_once("</script>").expect("which ends");
    serde_json::from_str(json).unwrap_or_else(|error| panic!("{error}: {json}"))
}

#[test]
fn a_page_holds_every_step_and_every_state() {
    let folder = checked("chart-page", EVERYTHING);
    let page = data(&chart(&folder, "c.html"));
    let sizes = ["columns", "channels", "steps", "arrows", "states"]
        .map(|key| page[key].as_array().unwrap().len());
    assert_eq!(sizes, [3, 3, 12, 5, 13]);
    let strings = page["strings"].as_array().unwrap();
    let shown = |number: &Value| strings[number.as_u64().unwrap() as usize].as_str().unwrap();
    assert_eq!(shown(&page["steps"][0]["text"]), "buf!one, 1");
    assert_eq!(shown(&page["steps"][0]["turn"]["place"]), "m.pml:6");
    assert!(shown(&page["steps"][0]["turn"]["source"]).starts_with("active proctype A()"));
    let change = page["states"][1]["v"].as_array().unwrap();
    assert_eq!(change.iter().map(shown).collect::<Vec<_>>(), ["buf", "[(one, 1)]"]);
    assert_eq!(page["columns"][2]["lives"], serde_json::json!([["C", 4, 6]]));
}

#[test]
fn a_page_needs_nothing_from_elsewhere() {
    let page = chart(&checked("chart-offline", NASTY), "c.html");
    let own = page.replace("http://www.w3.org/2000/svg", "");
    for address in ["http:", "https:", "//cdn", "src=", "@import", "url(", "fetch(", "XMLHttp"] {
        assert!(!own.contains(address), "{address}");
    }
    assert!(own.contains("default-src 'none'"), "the page forbids it, too");
}

#[test]
fn nothing_in_a_model_breaks_a_picture() {
    let folder = checked("chart-nasty", NASTY);
    let svg = chart(&folder, "c.svg");
    let document = Document::parse(&svg).expect("it is XML");
    let titles: String = document.descendants().filter_map(|node| node.text()).collect();
    for wanted in
        ["</script><!-- 1 & 'a' ]]> % ; # \\", "x < 3 && x > 0", "assert(x < 1 || !(x > 0))"]
    {
        assert!(titles.contains(wanted), "{wanted}: {titles}");
    }
    let page = chart(&folder, "c.html");
    assert_eq!(page.matches("<script").count(), 2, "the data does not add any");
    assert_eq!(page.matches("</script").count(), 2);
    let steps = data(&page);
    let printed = steps["steps"][0]["printed"].as_str().unwrap();
    assert!(printed.starts_with("</script><!-- 1 & 'a' ]]> % ; # \\ \t ** @enduml"), "{printed}");
    assert!(steps["steps"][2]["printed"].as_str().unwrap().contains("{{data}} $&"), "{steps}");
    let mermaid = chart(&folder, "c.mmd");
    let body = mermaid.split_once("sequenceDiagram\n").unwrap().1;
    for line in body.lines().map(str::trim) {
        let known = ["participant ", "Note over ", "rect ", "end", "p0"];
        assert!(known.iter().any(|begin| line.starts_with(begin)), "{line}");
        let text = line.replace("<br/>", "");
        assert!(!text.contains(['<', '>', '"', '%', '&']) || text.contains("->>"), "{line}");
    }
    let plantuml = chart(&folder, "c.puml");
    assert_eq!(plantuml.matches("@enduml").count(), 1, "{plantuml}");
    assert!(!plantuml.contains("**") && !plantuml.contains("<b>"), "{plantuml}");
    for form in [&["--dot"][..], &["--svg"]] {
        let args = ["dump", "m.pml", "--form", "automata", "--trail", "m.pml.trail"];
        let result = run_in(&folder, &[&args, form].concat());
        assert_eq!(result.code, 0, "{result:?}");
        if form == ["--svg"] {
            Document::parse(&result.out).expect("it is XML");
        } else {
            quotes_match(&result.out);
        }
    }
    quotes_match(&run_in(&folder, &["dump", "m.pml", "--form", "states", "--dot"]).out);
}

/// Checks that each line of a graph has balanced quotes.
fn quotes_match(dot: &str) {
    for line in dot.lines() {
        let bare = line.replace("\\\\", "").replace("\\\"", "");
        assert_eq!(bare.matches('"').count() % 2, 0, "{line}");
        assert!(bare.ends_with(['{', '}', ';']), "{line}");
    }
}

#[test]
fn sequence_diagrams_say_who_sends_and_who_receives() {
    let folder = checked("chart-text", EVERYTHING);
    let mermaid = chart(&folder, "c.mmd");
    for line in [
        "    participant p2 as C(2)\n",
        "    p0-)p1: 1#58; buf!one, 1\n",
        "    p0->>p1: 3#58; meet!5\n",
        "    Note over p0: 4#58; lone!9 (never received)\n",
        "    p0-->>p2: 5#58; run C()\n",
        "9#58; buf?two, 2 (sent in step 2)<br/>10#58; buf?#60;one, 1#62; (sent in step 1)",
        "    Note over p0,p2: ✗ assertion violated#58;",
    ] {
        assert!(mermaid.contains(line), "{line} is not in\n{mermaid}");
    }
    let plantuml = chart(&folder, "c.puml");
    for line in [
        "@startuml\n",
        "participant \"C(2)\" as p2\n",
        "p0 ->> p1 : 1: buf<U+0021>one, 1\n",
        "p0 -> p1 : 3: meet<U+0021>5\n",
        "p0 --> p2 : 5: run C()\n",
        "hnote over p0, p2 #FFD6D3 : ",
    ] {
        assert!(plantuml.contains(line), "{line} is not in\n{plantuml}");
    }
}

#[test]
fn check_draws_the_first_violation_or_says_that_there_is_none() {
    let folder = scratch("chart-check");
    fs::write(folder.join("m.pml"), EVERYTHING).unwrap();
    let result = run_in(&folder, &["check", "m.pml", "--plain", "--chart", "c.svg"]);
    assert_eq!((result.code, &*result.err), (1, ""), "{result:?}");
    assert!(result.out.ends_with("chart written to c.svg\n"), "{result:?}");
    Document::parse(&fs::read_to_string(folder.join("c.svg")).unwrap()).expect("it is XML");
    let result = run_in(&folder, &["check", "m.pml", "--plain", "--json", "--chart", "d.svg"]);
    assert!(folder.join("d.svg").exists());
    let _: Value = serde_json::from_str(&result.out).expect("nothing but JSON");
    fs::write(folder.join("good.pml"), "active proctype P() { skip }\n").unwrap();
    let result = run_in(&folder, &["check", "good.pml", "--chart", "e.svg"]);
    assert_eq!(result.code, 0, "{result:?}");
    assert_eq!(result.err, "note: no property is violated, so there is no trail to draw\n");
    assert!(!folder.join("e.svg").exists());
}

#[test]
fn each_violation_has_a_chart_that_is_named_after_its_property() {
    let folder = scratch("chart-all");
    let model = "byte n;\nactive proctype P() { n = 1; assert(n == 2); n = 3; assert(n == 4); \
        n == 9 }\nltl small { [] (n < 3) }\n";
    fs::write(folder.join("m.pml"), model).unwrap();
    let result = run_in(&folder, &["check", "m.pml", "--plain", "--chart", "out.svg", "--all"]);
    assert_eq!(result.code, 1, "{result:?}");
    let charts = ["out.svg", "out.assertions.svg", "out.assertions.2.svg", "out.small.svg"];
    for chart in charts {
        assert!(result.out.contains(&format!("chart written to {chart}\n")), "{chart}: {result:?}");
        let svg = fs::read_to_string(folder.join(chart)).expect("it was written");
        Document::parse(&svg).expect("it is XML");
    }
    let read = |chart: &str| fs::read_to_string(folder.join(chart)).unwrap();
    assert!(read("out.svg").contains("invalid end state"), "the first violation has the file");
    assert!(read("out.assertions.2.svg").contains("n == 4"), "{}", read("out.assertions.2.svg"));
    let args = ["check", "m.pml", "--plain", "--all", "--chart", "-", "--chart-format", "svg"];
    let result = run_in(&folder, &args);
    Document::parse(&result.out).expect("one chart");
    assert!(result.err.contains("note: only the first violation is drawn"), "{result:?}");
}

#[test]
fn standard_output_holds_the_chart_alone() {
    let folder = checked("chart-stdout", EVERYTHING);
    for (format, begin) in [
        ("svg", "<svg "),
        ("html", "<!DOCTYPE html>"),
        ("mermaid", "---\ntitle: "),
        ("plantuml", "@startuml\n"),
    ] {
        let args = ["replay", "m.pml", "m.pml.trail", "--chart", "-", "--chart-format", format];
        let result = run_in(&folder, &args);
        assert_eq!((result.code, &*result.err), (0, ""), "{result:?}");
        assert!(result.out.starts_with(begin), "{format}: {}", result.out);
    }
    let args = ["check", "m.pml", "--plain", "--chart", "-", "--chart-format", "svg"];
    let result = run_in(&folder, &args);
    assert_eq!(result.code, 1, "{result:?}");
    Document::parse(&result.out).expect("it is XML");
    assert!(result.err.contains("assertions      violated"), "{result:?}");
    let result = run_in(&folder, &[&args[..], &["--json"]].concat());
    refused(&result, "standard output cannot hold both the chart and JSON");
}

fn refused(result: &Run, message: &str) {
    assert_eq!(result.code, 4, "{result:?}");
    assert!(result.err.contains(message), "{result:?}");
}

#[test]
fn a_chart_that_cannot_be_named_or_written_is_refused() {
    let folder = checked("chart-refused", EVERYTHING);
    let replay = |file: &str| run_in(&folder, &["replay", "m.pml", "m.pml.trail", "--chart", file]);
    refused(&replay("c.png"), "the name `c.png` does not determine the format of the chart");
    refused(&replay("-"), "standard output does not determine the format of the chart");
    refused(&replay("nowhere/c.svg"), "cannot write the chart `nowhere/c.svg`: ");
    fs::create_dir(folder.join("there.svg")).unwrap();
    refused(&replay("there.svg"), "cannot write the chart `there.svg`: ");
    let check = |file: &str| run_in(&folder, &["check", "m.pml", "--plain", "--chart", file]);
    refused(&check("c"), "does not determine the format of the chart");
    // The exit code is that of the verdict.
    let result = check("nowhere/c.svg");
    assert_eq!(result.code, 1, "{result:?}");
    assert!(
        result.err.starts_with("warning: cannot write the chart `nowhere/c.svg`: "),
        "{result:?}"
    );
    assert!(result.err.contains("help: the verdict is valid nevertheless; "), "{result:?}");
    #[cfg(target_os = "linux")]
    {
        let args =
            ["replay", "m.pml", "m.pml.trail", "--chart", "/dev/full", "--chart-format", "svg"];
        refused(&run_in(&folder, &args), "cannot write the chart `/dev/full`: ");
    }
    // The model, its trail under two names, and the directory.
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 4, "nothing is left behind");
}

#[test]
fn automata_show_what_a_trail_uses() {
    let model = "byte x;\nactive proctype P() { do :: x < 2 -> x++ :: x == 9 -> break od }\n";
    let folder = scratch("chart-automata");
    fs::write(folder.join("m.pml"), model).unwrap();
    let result = run_in(&folder, &["check", "m.pml", "--plain", "--quiet"]);
    assert_eq!(result.code, 1, "{result:?}");
    let args = ["dump", "m.pml", "--form", "automata", "--trail", "m.pml.trail"];
    let svg = run_in(&folder, &[&args[..], &["--svg"]].concat()).out;
    let document = Document::parse(&svg).expect("it is XML");
    let taken: Vec<_> = elements(&document, "data-taken")
        .iter()
        .map(|edge| (text(edge), edge.attribute("data-taken").unwrap().to_owned()))
        .collect();
    for (wanted, times) in [("x < 2 ×2", "2"), ("x = x + 1 ×2", "2"), ("x == 9", "0")] {
        assert!(taken.contains(&(wanted.to_owned(), times.to_owned())), "{wanted}: {taken:?}");
    }
    assert_eq!(svg.matches("here at the end").count(), 1, "{svg}");
    let dot = run_in(&folder, &[&args[..], &["--dot"]].concat()).out;
    assert!(dot.contains("[label=\"x < 2  ×2\", color=blue"), "{dot}");
    assert!(dot.contains("\\nend ×1\""), "{dot}");
    // A trail of merged automata needs those.
    assert_eq!(run_in(&folder, &["check", "m.pml", "--quiet"]).code, 1);
    let dot = run_in(&folder, &[&args[..], &["--dot"]].concat()).out;
    assert!(dot.contains("×2"), "{dot}");
    refused(
        &run_in(&folder, &["dump", "m.pml", "--form", "automata", "--svg", "--trail", "none"]),
        "cannot read the trail `none`",
    );
}

#[test]
fn every_automaton_of_every_fixture_can_be_drawn() {
    for fixture in fixture::all() {
        for mode in [&["--svg"][..], &["--svg", "--plain"]] {
            let args = [&["dump", "-", "--form", "automata", "--quiet"], mode].concat();
            let result = run_on(&fixture.text, &args);
            assert_eq!(result.code, 0, "{}: {}", fixture.name, result.err);
            let document = Document::parse(&result.out).expect("it is XML");
            let plain = run_on(&fixture.text, &[&args[..4], &mode[1..]].concat()).out;
            let inside = |line: &&str| line.starts_with("  inside ");
            let edges = plain.lines().filter(|line| line.contains(" -> ") && !inside(line)).count();
            let drawn = elements(&document, "data-taken").len();
            assert!(drawn > 0 && drawn <= edges, "{}: {drawn} of {edges}", fixture.name);
        }
    }
}

#[test]
fn states_are_text_a_graph_or_data() {
    let model =
        "byte x;\nactive proctype P() { if :: x = 1 :: x = 2; assert(x == 1) fi; x == 1 }\n";
    let args = ["dump", "-", "--form", "states", "--plain"];
    let states = run_on(model, &args);
    assert_eq!((states.code, &*states.err), (0, ""), "{states:?}");
    for needle in [
        "state 0 (initial)\n  x = 0\n  P(0) at <stdin>:2\n",
        " (invalid end state)\n",
        "P(0) x = 1",
        "P(0) assert(x == 1)  !! assertion violated",
    ] {
        assert!(states.out.contains(needle), "{needle} is not in\n{}", states.out);
    }
    let dot = run_on(model, &[&args[..], &["--dot"]].concat()).out;
    assert!(dot.starts_with("digraph states {") && dot.contains("penwidth=3"), "{dot}");
    assert!(dot.contains("fillcolor=\"#ffd6d3\"") && dot.contains("color=red"), "{dot}");
    let json = run_on(model, &[&args[..], &["--json"]].concat()).out;
    let graph: Value = serde_json::from_str(&json).unwrap();
    let count: Value =
        serde_json::from_str(&run_on(model, &["count", "-", "--plain", "--json"]).out).unwrap();
    let nodes = graph["states"].as_array().unwrap();
    assert_eq!(nodes.len() as u64, count["stored"].as_u64().unwrap());
    assert_eq!(nodes[0]["initial"], true);
    assert_eq!(nodes[0]["values"][0], serde_json::json!({ "name": "x", "value": "0" }));
    assert_eq!(nodes.iter().filter(|node| node["deadlock"] == true).count(), 1, "{graph}");
    let edges = graph["edges"].as_array().unwrap();
    let fault = edges.iter().find(|edge| !edge["fault"].is_null()).unwrap();
    assert_eq!(fault["fault"], "assertion violated");
    assert_eq!(fault["steps"][0]["process"], "P");
    assert_eq!(fault["steps"][0]["line"], 2);
}

#[test]
fn too_many_states_are_refused() {
    let model = "byte x;\nactive proctype P() { do :: x < 100 -> x++ od }\n";
    let result = run_on(model, &["dump", "-", "--form", "states", "--states", "50"]);
    refused(&result, "`<stdin>` has more than 50 states");
    assert!(result.err.contains("`--states N`") && result.out.is_empty(), "{result:?}");
    let large = "byte x, y;\nactive proctype P() { do :: x < 200 -> x++ :: y < 200 -> y++ od }\n";
    refused(&run_on(large, &["dump", "-", "--form", "states"]), "has more than 2000 states");
    let result = run_on(model, &["dump", "-", "--form", "states", "--states", "1000"]);
    assert_eq!(result.code, 0, "{result:?}");
}

#[test]
fn options_without_effect_are_refused() {
    for args in [
        &["--form", "ast", "--svg"][..],
        &["--form", "states", "--svg"],
        &["--form", "automata", "--states", "5"],
        &["--form", "automata", "--trail", "t"],
        &["--form", "automata", "--svg", "--dot"],
        &["--form", "automata", "--svg", "--plain", "--trail", "t"],
        &["--form", "states", "--dot", "--json"],
    ] {
        let result = run(&[&["dump", "m.pml"], args].concat());
        assert_eq!(result.code, 4, "{args:?}: {result:?}");
        assert!(!result.err.contains("cannot read"), "{args:?}: {result:?}");
    }
}
