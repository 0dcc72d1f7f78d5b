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
