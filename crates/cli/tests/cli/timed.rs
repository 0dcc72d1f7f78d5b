//! Timed automata on the command line: the automatic strategy on zones.

use serde_json::Value;

use crate::run::{Run, run_in, run_on, scratch};

/// Processes with a clock each, whose zones are many: a run to the goal takes two steps of each.
const LOOPS: &str = "process P(const int[0,11] id) {\n\
    clock x;\n\
    state A { x <= 3 }, B { x <= 5 }, C;\n\
    init A;\n\
    trans A -> B { guard x >= 1; assign x = 0; }, B -> A { guard x >= 2; assign x = 0; },\n\
      B -> C { guard x >= 4; };\n\
    }\n\
    system P;\n";

/// Three of them.
const THREE: &str = "0,2";
/// All twelve.
const TWELVE: &str = "0,11";

/// The model with the processes of this range.
fn loops(range: &str) -> String {
    LOOPS.replace("0,11", range)
}

fn check(range: &str, query: &str, args: &[&str]) -> Run {
    let directory = scratch("timed");
    std::fs::write(directory.join("loops.xta"), loops(range)).expect("the model is written");
    let words = ["check", "loops.xta", "--query", query, "--time", "100s"];
    run_in(&directory, &[&words, args].concat())
}

fn json_of(range: &str, query: &str, args: &[&str]) -> (i32, Value) {
    let result = check(range, query, &[&["--json"], args].concat());
    (result.code, serde_json::from_str(&result.out).expect("one JSON value"))
}

#[test]
fn a_directed_search_finds_what_is_too_far_for_the_proof() {
    let all = "forall (i : int[0,11]) P(i).C";
    for (query, verdict) in
        [(format!("E<> {all}"), "holds"), (format!("A[] not ({all})"), "violated")]
    {
        for jobs in ["1", "2"] {
            let (_, said) = json_of(TWELVE, &query, &["--jobs", jobs]);
            let property = &said["properties"][0];
            assert_eq!(property["verdict"], verdict, "{said}");
            let by = property["found_by"].as_str().expect("a search found it");
            assert!(by.starts_with("gbfs("), "{by}");
            assert_eq!(property["trail"]["steps"], 24, "{said}");
            assert_eq!(property["trail"]["replayed"], true, "{said}");
        }
    }
}

#[test]
fn a_query_has_an_earliest_time() {
    let run = |search: &str| {
        let (_, said) = json_of(THREE, "E<> P(0).C and P(2).C", &["--search", search]);
        let property = &said["properties"][0];
        assert_eq!(property["verdict"], "holds", "{said}");
        property["remarks"].to_string()
    };
    assert!(run("dijkstra(cost=time)").contains("ends at time 5; there is no earlier one"));
    assert!(run("astar(hpl, cost=time)").contains("ends at time 5"));
    let promela = run_on(
        "active proctype p() { assert(false) }",
        &["check", "-", "--search", "dijkstra(cost=time)"],
    );
    assert!(promela.out.contains("number of steps: leave out `cost`"), "{promela:?}");
}

#[test]
fn automata_and_factors_are_printed() {
    let directory = scratch("timed-dump");
    std::fs::write(directory.join("loops.xta"), LOOPS).expect("the model is written");
    std::fs::write(directory.join("broken.xta"), "clock x; process P(").expect("it is written");
    let dump = |model: &str, args: &[&str]| run_in(&directory, &[&["dump", model], args].concat());
    let automata = dump("loops.xta", &["--form", "automata"]);
    assert_eq!((automata.code, &*automata.err), (0, ""));
    assert!(automata.out.contains("process P(11) (11)\n"), "{}", automata.out);
    assert!(automata.out.contains("A  [initial, with an invariant]"), "{}", automata.out);
    assert!(automata.out.contains("loops.xta:6  B -> C {x >= 4}"), "{}", automata.out);
    let graph = dump("loops.xta", &["--form", "automata", "--dot"]);
    assert!(graph.out.starts_with("digraph") && graph.out.contains("x >= 4"), "{}", graph.out);
    let factored = dump("loops.xta", &["--form", "factored"]);
    assert!(factored.code == 0 && !factored.out.is_empty(), "{factored:?}");
    let tokens = dump("loops.xta", &["--form", "tokens"]);
    assert!(
        tokens.code != 0 && tokens.err.contains("timed automata cannot be printed as `tokens`")
    );
    let broken = dump("broken.xta", &["--form", "automata"]);
    assert!(broken.code != 0 && broken.err.contains("broken.xta:1"), "{broken:?}");
}

#[test]
fn states_of_other_models_cover_none() {
    // The last bytes of a state look like bounds of a zone.
    let model = "active proctype p() { byte v = 9; int x = 4; byte w;\n\
                 do :: v > 0 -> v-- :: v == 3 && x == 4 -> w = 1; assert(false); x = 5 od }";
    let run = |store: &str| run_on(model, &["check", "-", "-q", "--store", store]).out;
    let exact = run("exact");
    assert!(exact.contains("assertions      violated"), "{exact}");
    assert_eq!(run("covering"), exact);
    assert_eq!(run("covering").lines().count(), 3);
    for search in ["astar(hpl)", "dfs"] {
        let args = ["check", "-", "-q", "--store", "covering", "--search", search];
        assert!(run_on(model, &args).out.contains("assertions      violated"), "{search}");
    }
}

/// The expected answers to queries of small models of single rules: lines `// yes: QUERY`.
#[test]
fn the_automatic_strategy_answers_as_expected() {
    let fixtures = concat!(env!("CARGO_MANIFEST_DIR"), "/../timed/tests/fixtures");
    let files = std::fs::read_dir(fixtures).expect("the directory is there");
    let mut files: Vec<_> = files.map(|file| file.expect("it can be read").path()).collect();
    files.sort();
    let mut asked = 0;
    for file in files {
        let text = std::fs::read_to_string(&file).expect("the fixture can be read");
        let answers = [("// yes: ", "holds"), ("// no: ", "violated"), ("// refused: ", "unknown")];
        let lines = text.lines().map(str::trim);
        let expected: Vec<(&str, &str)> = lines
            .filter_map(|line| {
                answers
                    .iter()
                    .find_map(|(mark, verdict)| Some((line.strip_prefix(mark)?, *verdict)))
            })
            .collect();
        let mut args = vec!["check", "-", "--json", "--no-trail", "--jobs", "1"];
        args.extend(expected.iter().flat_map(|(query, _)| ["--query", query]));
        let result = run_on(&text, &args);
        let said: Value = serde_json::from_str(&result.out).expect("one JSON value");
        let properties = said["properties"].as_array().expect("queries have verdicts");
        assert_eq!(properties.len(), expected.len(), "{}", file.display());
        for (property, (query, verdict)) in properties.iter().zip(&expected) {
            assert_eq!(property["verdict"], *verdict, "{query} of {}: {property}", file.display());
            asked += 1;
        }
    }
    assert!(asked > 200, "{asked}");
}

/// Processes with a lock, of which sets of states without clocks prove that it works.
const LOCK: &str = "int[0,1] lock;\nprocess P(const int[0,11] id) {\n\
    clock x;\n\
    state A { x <= 3 }, B { x <= 5 }, cs { x <= 4 };\n\
    init A;\n\
    trans A -> B { guard x >= 1; assign x = 0; }, B -> A { guard x >= 2; assign x = 0; },\n\
      B -> cs { guard x >= 2 && lock == 0; assign lock = 1, x = 0; },\n\
      cs -> A { guard x >= 1; assign lock = 0, x = 0; };\n\
    }\n\
    system P;\n";

#[test]
fn a_proof_on_sets_without_clocks_is_one_with_clocks() {
    let both = "A[] forall (i : int[0,11]) forall (j : int[0,11]) P(i).cs and P(j).cs imply i == j";
    let args = ["check", "-", "--query", both, "--time", "100s", "--json", "--jobs", "1"];
    let result = run_on(LOCK, &args);
    let said: Value = serde_json::from_str(&result.out).expect("one JSON value");
    assert_eq!(said["verdict"], "holds", "{said}");
    // What is false without clocks may hold with them: sets say nothing, the search does.
    let timed = "process P() { clock x; state A { x <= 3 }, B; init A; trans A -> B { guard x > 3; }; }\n\
                 system P;";
    let result = run_on(timed, &["check", "-", "--query", "A[] P.A", "--query", "E<> P.B", "-q"]);
    assert!(result.out.contains("A[] P.A  holds"), "{}", result.out);
    assert!(result.out.contains("E<> P.B  violated"), "{}", result.out);
}

/// A run with a strict bound, so that a step happens at no whole number.
const SENDER: &str = "clock x; chan c;\n\
    process P() { state A, B, C; init A;\n\
    trans A -> B { guard x > 2; sync c!; assign x = 0; }, B -> C { guard x == 1; }; }\n\
    process Q() { state A, B; init A; trans A -> B { sync c?; }; }\n\
    system P, Q;\n";

#[test]
fn charts_have_the_times_of_steps() {
    let directory = scratch("timed-charts");
    std::fs::write(directory.join("m.xta"), SENDER).expect("the model is written");
    let draw = |file: &str| {
        let words = ["check", "m.xta", "--query", "A[] not P.C", "--search", "bfs"];
        let result = run_in(&directory, &[&words[..], &["--chart", file]].concat());
        assert_eq!(result.code, 1, "{result:?}");
        std::fs::read_to_string(directory.join(file)).expect("the chart is written")
    };
    let svg = draw("c.svg");
    let document = roxmltree::Document::parse(&svg).expect("it is XML");
    let times: Vec<&str> = document
        .descendants()
        .filter(|node| node.attribute("class") == Some("line time"))
        .filter_map(|node| node.text())
        .collect();
    assert_eq!(times.len(), 2, "{svg}");
    // The clock exceeds 2 first, and 1 passes between the steps.
    let number = |time: &str| -> f64 {
        let (above, below) = time.split_once('/').unwrap_or((time, "1"));
        above.parse::<f64>().expect("a number") / below.parse::<f64>().expect("a number")
    };
    let (first, second) = (number(times[0]), number(times[1]));
    assert!(first > 2.0 && (second - first - 1.0).abs() < 1e-9, "{times:?}");
    let head = document.descendants().any(|node| node.text() == Some("time"));
    assert!(head, "the column has a head");
    let page = draw("c.html");
    assert!(page.contains(&format!("\"time\":\"{}\"", times[1])), "the page has the times");
    let mermaid = draw("c.mmd");
    assert!(mermaid.contains(&format!("1 at {}#58; c!", times[0])), "{mermaid}");
}

#[test]
fn charts_of_models_without_clocks_have_no_times() {
    let directory = scratch("untimed-charts");
    std::fs::write(
        directory.join("m.pml"),
        "byte x; active proctype P() { x = 1; assert(x == 0) }",
    )
    .expect("the model is written");
    let result = run_in(&directory, &["check", "m.pml", "--chart", "c.svg"]);
    assert_eq!(result.code, 1, "{result:?}");
    let svg = std::fs::read_to_string(directory.join("c.svg")).expect("the chart is written");
    assert!(!svg.contains(">time<") && !svg.contains("line time"), "{svg}");
}
