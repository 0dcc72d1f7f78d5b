use serde_json::Value;

use crate::run::{GOOD, run, run_on};

/// Two processes that count.
const GRID: &str =
    "byte n[2];\nactive [2] proctype P() {\n  do :: n[_pid] < 9 -> n[_pid]++ od\n}\n";

fn counted(model: &str, args: &[&str]) -> (i32, Value) {
    let result = run_on(model, &[&["count", "-", "--json"], args].concat());
    let value = serde_json::from_str(&result.out).expect("standard output is one JSON value");
    (result.code, value)
}

#[test]
fn every_transition_leads_to_a_state_that_is_new_or_known() {
    let (code, object) = counted(GRID, &[]);
    assert_eq!((code, &object["complete"]), (0, &Value::Bool(true)), "{object}");
    assert_eq!((&object["search"], &object["store"]), (&"bfs".into(), &"exact".into()));
    let number = |key: &str| object[key].as_u64().unwrap();
    assert_eq!(number("transitions"), number("stored") + number("matched"));
}

#[test]
fn each_search_counts_the_same() {
    for options in [&["--plain"][..], &[]] {
        let counts = ["bfs", "dfs", "random-dfs"].map(|search| {
            let (_, object) = counted(GRID, &[&["--search", search], options].concat());
            ["stored", "matched", "transitions", "errors"].map(|key| object[key].clone())
        });
        assert_eq!(counts[0], counts[1]);
        assert_eq!(counts[0], counts[2]);
    }
}

#[test]
fn each_store_counts_the_same() {
    // States have different lengths, since processes start and end.
    let runs = "byte n;\nproctype P() { n++; n-- }\n\
                init { do :: _nr_pr < 4 -> run P() :: n == 3 -> break od }\n";
    for model in [GRID, runs] {
        let counts = ["exact", "compact"].map(|store| {
            let (_, object) = counted(model, &["--store", store]);
            assert_eq!(object["store"], store);
            ["stored", "matched", "depth", "errors", "state_bytes"].map(|key| object[key].clone())
        });
        assert_eq!(counts[0], counts[1]);
    }
}

#[test]
fn a_limit_ends_with_2_and_is_named() {
    for (limit, reason) in
        [(["--depth", "3"], "depth limit reached"), (["--memory", "2K"], "memory limit reached")]
    {
        let (code, object) = counted(GRID, &limit);
        assert_eq!((code, &object["complete"]), (2, &Value::Bool(false)), "{object}");
        assert_eq!(object["reason"], reason);
    }
    // Large enough that the time limit is checked before the end.
    let endless = "int a, b;\nactive [3] proctype P() { do :: a++ :: b++ od }\n";
    let (code, object) = counted(endless, &["--plain", "--time", "50ms"]);
    assert_eq!((code, &object["reason"]), (2, &Value::from("time limit reached")), "{object}");
}

#[test]
fn people_read_a_table() {
    let result = run_on(GOOD, &["count", "-"]);
    assert_eq!((result.code, &*result.err), (0, ""), "{result:?}");
    assert!(result.out.starts_with("complete            yes\nstates stored       "), "{result:?}");
}

#[test]
fn a_search_that_does_not_exist_ends_with_4_and_names_those_that_do() {
    let result = run(&["count", "-", "--search", "clairvoyance"]);
    assert_eq!((result.code, &*result.out), (4, ""), "{result:?}");
    for name in ["bfs", "dfs", "random-dfs"] {
        assert!(result.err.contains(name), "{result:?}");
    }
    let result = run(&["count", "-", "--store", "cloud"]);
    assert_eq!((result.code, &*result.out), (4, ""), "{result:?}");
    for name in ["exact", "compact"] {
        assert!(result.err.contains(name), "{result:?}");
    }
    for line in [["--time", "soon"], ["--memory", "lots"], ["--depth", "-1"]] {
        assert_eq!(run(&[&["count", "-"][..], &line].concat()).code, 4, "{line:?}");
    }
}

#[test]
fn sets_of_states_count_the_same() {
    let (_, explicit) = counted(GRID, &[]);
    let stored = Value::from(explicit["stored"].to_string());
    for strategy in ["auto", "bfs", "chaining", "saturation"] {
        let (code, object) = counted(GRID, &["--symbolic", "--strategy", strategy]);
        assert_eq!((code, &object["states"]), (0, &stored), "{object}");
        assert_eq!((&object["complete"], &object["precision"]), (&true.into(), &"exact".into()));
    }
}

#[test]
fn sets_of_states_count_more_than_64_bits_can_tell() {
    // Each process has 31 states: 16 values, and before 15 increments.
    let cells =
        "byte n[40];\nactive [40] proctype P() {\n  do :: n[_pid] < 15 -> n[_pid]++ od\n}\n";
    let (code, object) = counted(cells, &["--symbolic"]);
    let truth = "451302514611022222119906091571193923850834154614488607763201";
    assert_eq!((code, &object["states"]), (0, &truth.into()), "{object}");
    let text = run_on(cells, &["count", "-", "--symbolic"]).out;
    assert!(text.contains("\nstates              451,302,514,61"), "{text}");
}

#[test]
fn a_view_that_is_not_exact_says_why() {
    let runs = "byte n;\nproctype P() { n++; n-- }\n\
                init { do :: _nr_pr < 4 -> run P() :: n == 3 -> break od }\n";
    let (code, object) = counted(runs, &["--symbolic"]);
    assert_eq!((code, &object["complete"]), (2, &false.into()), "{object}");
    let reasons = object["precision"].as_array().expect("reasons");
    assert!(reasons.contains(&"processes without a fixed number".into()), "{object}");
    let reason = object["reason"].as_str().expect("a reason");
    assert!(reason.starts_with("the symbolic view is not exact: "), "{object}");
}

#[test]
fn a_view_with_room_for_all_processes_is_exact() {
    let runs = "byte n;\nproctype P() { n++; n-- }\n\
                init { do :: _nr_pr < 4 -> run P() :: n == 3 -> break od }\n";
    let (_, truth) = counted(runs, &[]);
    for room in ["P=3", "P=5"] {
        let (code, object) = counted(runs, &["--symbolic", "--instances", room]);
        assert_eq!((code, &object["precision"]), (0, &"exact".into()), "{object}");
        assert_eq!(object["states"], truth["stored"].to_string(), "{object}");
    }
    let (code, object) = counted(runs, &["--symbolic", "--instances", "P=2"]);
    let reasons = object["precision"].as_array().expect("reasons");
    assert_eq!((code, &reasons[..]), (2, &["more than 2 processes P".into()][..]), "{object}");
    let unknown = run_on(runs, &["count", "-", "--symbolic", "--instances", "Q=2"]);
    assert_eq!(unknown.code, 4, "{}", unknown.err);
    assert!(unknown.err.contains("no process type `Q`"), "{}", unknown.err);
    for (formula, room, code) in
        [("EF (n == 3)", 3, 0), ("EF (n == 4)", 3, 1), ("EF (n == 3)", 2, 2)]
    {
        let (formula, room) = (format!("ctl: {formula}"), format!("P={room}"));
        let checked = run_on(runs, &["check", "-", "--property", &formula, "--instances", &room]);
        assert_eq!(checked.code, code, "{formula} {room}: {}{}", checked.out, checked.err);
    }
    for (room, code) in [("P=3", 1), ("P=2", 2)] {
        let asked = ["check", "-", "--property", "invariant: n < 3", "--search", "symbolic-bfs"];
        let checked = run_on(runs, &[&asked[..], &["--instances", room]].concat());
        assert_eq!(checked.code, code, "{room}: {}{}", checked.out, checked.err);
    }
}

#[test]
fn limits_end_a_symbolic_count() {
    let hard = "int a[12]; active [12] proctype P() {\n\
                do :: a[_pid] < 30 -> a[_pid]++; a[(_pid + 1) % 12] = a[_pid] * 7 % 31 od }\n";
    let limits = [
        (["--nodes", "500"], "node limit reached"),
        (["--time", "300ms"], "time limit reached"),
        (["--memory", "1M"], "memory limit reached"),
    ];
    for (limit, reason) in limits {
        let (code, object) = counted(hard, &[&["--symbolic"][..], &limit].concat());
        assert_eq!((code, &object["reason"]), (2, &reason.into()), "{object}");
        assert_eq!((&object["states"], &object["complete"]), (&Value::Null, &false.into()));
    }
}

#[test]
fn options_of_explicit_counts_are_refused() {
    let result = run_on(GRID, &["count", "-", "--symbolic", "--store", "exact"]);
    assert_eq!(result.code, 4, "{result:?}");
    assert!(result.err.contains("cannot be used with"), "{result:?}");
    let result = run_on(GRID, &["count", "-", "--strategy", "chaining"]);
    assert_eq!(result.code, 4, "{result:?}");
    let result = run_on(GRID, &["count", "-", "--symbolic", "--strategy", "saturated"]);
    assert!(result.err.contains("saturation"), "{result:?}");
}
