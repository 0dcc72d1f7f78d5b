//! Directed searches, from the command line to the verdict.

use serde_json::Value;

use crate::run::{run, run_on};

/// Three dining philosophers with three forks.
const TABLE: &str = "chan fork[3] = [1] of { bit };
active [3] proctype P() {
  fork[_pid]!1;
  do :: fork[_pid]?1 -> fork[(_pid + 1) % 3]?1; fork[(_pid + 1) % 3]!1; fork[_pid]!1 od
}
";

/// A failing assertion, a violated invariant, and no deadlock. The nearest failure is after a long
/// atomic sequence; in steps, the other path is shorter.
const DETOUR: &str = "byte x, y;
active proctype P() {
end: do
  :: atomic { x < 3 -> y = 1; y = 2; y = 3; y = 4; y = 5; x = 3; y = 0 }
  :: x < 3 -> x++
  :: x == 3 -> assert(y == 1)
  od
}
";

fn checked(model: &str, args: &[&str]) -> (i32, Value) {
    let result = run_on(model, &[&["check", "-", "--json", "--no-trail"], args].concat());
    let value = serde_json::from_str(&result.out).expect("standard output is one JSON value");
    (result.code, value)
}

const COMPLETE: [&str; 15] = [
    "dijkstra",
    "astar(active)",
    "astar(nonempty-queues, w=3, ties=fifo)",
    "astar(dangerous, mix=0.7, evaluate=lazy)",
    "gbfs(active, ties=nonempty-queues, reopen=yes)",
    "gbfs(deadlock-formula, order=reversed)",
    "gbfs([active, deadlock-formula], preferred=yes, useless=penalty, evaluate=lazy)",
    "gbfs([auto, nonempty-queues, active], types=yes, epsilon=0.25, seed=3)",
    "gbfs(active, novelty=1)",
    "gbfs(formula, novelty=2, evaluate=lazy, types=true)",
    "astar([active, auto], w=2)",
    "frontier",
    "branch-and-bound(blind)",
    "bounded-dfs",
    "astar",
];

#[test]
fn complete_searches_agree_on_every_verdict() {
    for (model, deadlock, assertions) in
        [(TABLE, "violated", "holds"), (DETOUR, "holds", "violated")]
    {
        for search in COMPLETE {
            for store in ["exact", "compact"] {
                let (code, object) = checked(model, &["--search", search, "--store", store]);
                let verdicts = [0, 1].map(|at| object["properties"][at]["verdict"].clone());
                assert_eq!(code, 1, "{search}: {object}");
                assert_eq!(verdicts, [deadlock, assertions], "{search}: {object}");
            }
        }
    }
}

#[test]
fn what_is_called_shortest_is() {
    let optimal =
        ["dijkstra", "astar(blind)", "astar(dangerous-states)", "branch-and-bound(blind)"];
    for search in optimal {
        let (_, object) = checked(TABLE, &["--search", search]);
        let trail = &object["properties"][0]["trail"];
        assert_eq!((&trail["steps"], &trail["shortest"]), (&6.into(), &true.into()), "{search}");
    }
    // Breadth-first search counts moves between stored states: it prefers the sequence of
    // eight steps, which is one move.
    let expected = [
        ("dijkstra", 8, true),
        ("astar(assertion-distance)", 8, true),
        ("bfs", 10, false),
        ("frontier", 10, false),
    ];
    for (search, steps, shortest) in expected {
        let (_, object) = checked(DETOUR, &["--plain", "--search", search]);
        let trail = &object["properties"][1]["trail"];
        let told = (&trail["steps"], &trail["shortest"]);
        assert_eq!(told, (&steps.into(), &shortest.into()), "{search}");
    }
    for search in COMPLETE {
        let (_, object) = checked(DETOUR, &["--plain", "--search", search]);
        let trail = &object["properties"][1]["trail"];
        assert!(trail["steps"].as_u64().unwrap() >= 8, "{search}: {trail}");
        assert!(trail["lower_bound"].as_u64().unwrap() <= 8, "{search}: {trail}");
    }
}

#[test]
fn a_heuristic_that_is_not_for_a_property_gives_way_to_the_usual_one() {
    let (_, object) = checked(DETOUR, &["--search", "gbfs(dangerous)"]);
    let names = [0, 1].map(|at| object["properties"][at]["heuristic"].clone());
    assert_eq!(names[0], "dangerous", "{object}");
    assert_ne!(names[1], "dangerous", "{object}");
}

#[test]
fn incomplete_searches_do_not_say_that_something_holds() {
    let model = "byte n;\nactive proctype P() { do :: n < 9 -> n++ :: n > 3 -> n = 0 od }\n";
    for search in ["hill-climbing(active)", "beam(active, width=1)"] {
        let (code, object) = checked(model, &["--search", search, "--property", "deadlock"]);
        assert_eq!(code, 2, "{search}: {object}");
        assert_eq!(object["properties"][0]["verdict"], "unknown", "{search}");
    }
}

#[test]
fn limits_end_a_directed_search() {
    let endless =
        "int n; active [3] proctype P() { do :: n < 9999999 -> n++ :: n > -9999999 -> n-- od }";
    for (limit, reason) in [
        (["--time", "50ms"], "time limit reached"),
        (["--memory", "200K"], "memory limit reached"),
        (["--depth", "20"], "depth limit reached"),
    ] {
        for search in ["astar(active)", "gbfs(active)", "ida(blind, table=100000)"] {
            let args = [&limit[..], &["--search", search, "--property", "deadlock"]].concat();
            let (code, object) = checked(endless, &args);
            assert_eq!(code, 2, "{search} {limit:?}: {object}");
            assert_eq!(object["properties"][0]["reason"], reason, "{search}: {object}");
        }
    }
}

#[test]
fn mistakes_in_a_search_end_with_4_and_tell_what_there_is() {
    for (search, words) in [
        ("quick", "there is no search `quick`; there are: auto, bfs, dfs"),
        ("astra", "there is no search `astra`; did you mean `astar`? There are: auto, bfs, dfs"),
        ("astar(actve)", "there is no heuristic `actve`; did you mean `active`? There are: blind"),
        ("astar(active, fast=yes)", "`astar` has no argument `fast`; it has: h, w"),
        ("astar(active", "column"),
    ] {
        // The model is not even read.
        let result = run(&["check", "nowhere.pml", "--search", search]);
        assert_eq!(result.code, 4, "{search}: {}", result.err);
        assert!(result.err.contains(words), "{search}: {}", result.err);
    }
    let result = run_on(TABLE, &["check", "-", "--search", "astar(fsm(P@nowhere))"]);
    assert_eq!(result.code, 4, "{}", result.err);
    assert!(result.err.contains("heuristic `fsm`"), "{}", result.err);
    let result = run(&["count", "nowhere.pml", "--search", "astar(active)"]);
    assert_eq!(result.code, 4);
    assert!(result.err.contains("`count` visits every state"), "{}", result.err);
}

#[test]
fn a_misspelt_value_gets_a_suggestion_or_the_list() {
    for (option, value, words) in [
        ("--store", "exat", "there is no store `exat`; did you mean `exact`? There are: auto, "),
        ("--reduce", "stuborn", "there is no reduction `stuborn`; did you mean `stubborn`? There"),
        ("--property", "deadlok", "no property `deadlok`; did you mean `deadlock`? There are: "),
        ("--property", "safety", "no property `safety`; there are: deadlock, runtime-errors"),
        ("--seed", "x", "expected a whole number, 0 or more"),
        ("--depth", "-1", "expected a whole number, 0 or more"),
        ("--engine", "jti", "there is no engine `jti`; did you mean `jit`? There are: interp, jit"),
        ("--expect", "hold", "`hold` is not a verdict; did you mean `holds`? There are: holds"),
    ] {
        let result = run_on(TABLE, &["check", "-", option, value]);
        assert_eq!(result.code, 4, "{value}: {}", result.err);
        assert!(result.err.contains(words), "{value}: {}", result.err);
    }
}

#[test]
fn everything_with_a_name_is_listed() {
    for (kind, name) in [("searches", "astar"), ("heuristics", "active"), ("stores", "compact")] {
        let text = run(&["list", kind]);
        assert_eq!(text.code, 0);
        assert!(text.out.lines().any(|line| line.starts_with(name)), "{}", text.out);
        let object: Value = serde_json::from_str(&run(&["list", kind, "--json"]).out).unwrap();
        let rows = object["rows"].as_array().unwrap();
        assert!(rows.iter().any(|row| row["name"] == name), "{object}");
        assert!(rows.iter().all(|row| !row["about"].as_str().unwrap().is_empty()), "{object}");
    }
    assert_eq!(run(&["list", "reductions"]).code, 0);
    assert_eq!(run(&["list", "nonsense"]).code, 4);
}

#[test]
fn more_processes_than_spin_allows_can_be_asked_for() {
    let many = "proctype P() { false }\ninit { short i; do :: i < 300 -> run P(); i++ :: i == 300 -> break od }\n";
    let (_, usual) = checked(many, &["--property", "deadlock"]);
    assert_eq!(usual["properties"][0]["verdict"], "violated");
    let (_, more) = checked(many, &["--property", "deadlock", "--max-processes", "400"]);
    let steps = |object: &Value| object["properties"][0]["trail"]["steps"].as_u64().unwrap();
    assert!(steps(&usual) < 800 && steps(&more) >= 900, "{} {}", steps(&usual), steps(&more));
    // Without the option, all processes of the initial state run; the option limits them, too.
    let active = "byte n; active [300] proctype P() { atomic { n == 0 -> n = 1 } }\n";
    for options in [&["--max-processes", "300"][..], &[]] {
        let (_, found) =
            checked(active, &[&["--property", "invariant: _nr_pr == 300"], options].concat());
        assert_eq!(found["properties"][0]["trail"]["steps"], 2, "{found}");
    }
    for command in ["check", "simulate", "count"] {
        let refused = run_on(active, &[command, "-", "--max-processes", "299"]);
        assert_eq!(refused.code, 3, "{refused:?}");
        let message = "error[too-many-processes]: more processes run than the limit of 299 allows";
        assert!(refused.err.contains(message), "{refused:?}");
        assert!(refused.err.contains("`--max-processes 300`"), "{refused:?}");
    }
    let refused = run(&["check", "nowhere.pml", "--max-processes", "1000000"]);
    assert_eq!(refused.code, 4);
    assert!(refused.err.contains("from 1 to 10000"), "{}", refused.err);
}

/// Two processes that can fail together: in few steps with context switches, or each alone in more.
const TURNS: &str = "byte a, b;
active proctype A() { do :: a < 3 && a <= b -> a++ :: a < 3 && a > b -> skip; skip; a++ od }
active proctype B() { do :: b < 3 -> b++ od }
";

#[test]
fn a_trail_can_be_cheap_in_other_ways() {
    let bad = ["--property", "invariant: !(a == 3 && b == 3)", "--plain"];
    let switches = |search: &str| {
        let (code, object) = checked(TURNS, &[&["--search", search], &bad[..]].concat());
        assert_eq!(code, 1, "{search}: {object}");
        let text = run_on(
            TURNS,
            &[&["check", "-", "--no-trail", "--color", "never", "--search", search], &bad[..]]
                .concat(),
        );
        let who: Vec<&str> = text
            .out
            .lines()
            .filter_map(|line| {
                ["A", "B"].into_iter().find(|name| {
                    line.contains(&format!(" {name}("))
                        && line.trim_start().starts_with(|c: char| c.is_ascii_digit())
                })
            })
            .collect();
        let switches = who.windows(2).filter(|pair| pair[0] != pair[1]).count();
        (object["properties"][0]["trail"]["steps"].as_u64().unwrap(), switches)
    };
    let (shortest, _) = switches("dijkstra");
    let (steps, fewest) = switches("dijkstra(cost=switches)");
    assert_eq!(fewest, 1, "one process after the other");
    assert!(steps >= shortest);
    let (steps, fewest) = switches("astar(formula, cost=switches)");
    assert!(steps >= shortest && fewest >= 1);
    // No message is sent, so every trail has cost 0.
    let (steps, _) = switches("dijkstra(cost=messages)");
    assert!(steps >= shortest);
}

/// The lists in the book are the output of `list`.
#[test]
fn the_book_lists_what_there_is() {
    for kind in ["searches", "heuristics", "stores", "reductions"] {
        let page = run(&["list", kind, "--markdown"]).out;
        let file = format!("{}/../../docs/book/{kind}.md", env!("CARGO_MANIFEST_DIR"));
        expect_test::expect_file![file].assert_eq(&page);
    }
}
