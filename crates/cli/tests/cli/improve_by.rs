use std::fs;

use serde_json::Value;

use crate::run::{run_in, scratch};

/// Depth-first search counts to ten first.
const MODEL: &str = "byte n, m;\n\
    active proctype P() { do :: n < 10 -> n++ :: n > 1 -> break od; m = 1; assert(m == 0) }\n";

#[test]
fn a_trail_is_shortened_by_the_methods_that_are_named() {
    let folder = scratch("improve-by");
    fs::write(folder.join("m.pml"), MODEL).expect("the test directory is ours");
    let found = run_in(&folder, &["check", "m.pml", "--search", "dfs", "--trail", "t", "--quiet"]);
    assert_eq!(found.code, 1, "{found:?}");
    let improve = |more: &[&str]| {
        let words = [&["improve", "m.pml", "t", "--json"], more].concat();
        let result = run_in(&folder, &words);
        assert_eq!(result.code, 0, "{result:?}");
        serde_json::from_str::<Value>(&result.out).expect("it is JSON")
    };
    let best = improve(&[])["trail"]["length"].as_u64().expect("it is a number");
    for method in
        ["elimination", "neighbourhood", "astar(hamming)", "astar(fsm-state)", "gbfs(active)"]
    {
        let object = improve(&["--by", method]);
        assert_eq!(object["trail"]["length"], best, "{method}: {object}");
        for step in object["improvements"].as_array().expect("they are a list") {
            assert_eq!(step["by"], method, "{object}");
        }
    }
    let both = improve(&["--by", "segments", "--by", "astar(assertion-distance)"]);
    assert_eq!((&both["trail"]["length"], &both["shortest"]), (&best.into(), &true.into()));
}

#[test]
fn methods_that_do_not_exist_are_refused() {
    let folder = scratch("improve-by-wrong");
    fs::write(folder.join("m.pml"), MODEL).expect("the test directory is ours");
    run_in(&folder, &["check", "m.pml", "--search", "dfs", "--trail", "t", "--quiet"]);
    for (method, why) in [
        (
            "magic",
            "it must be one of elimination, filter, neighbourhood, segments, astar(HEURISTIC)",
        ),
        ("astar", "it must be one of"),
        ("astar(magic)", "there is no heuristic `magic`"),
        ("astar(deadlock-formula)", "deadlock-formula"),
    ] {
        let result = run_in(&folder, &["improve", "m.pml", "t", "--by", method]);
        assert!(result.code > 1 && result.err.contains(why), "{method}: {result:?}");
    }
}

#[test]
fn steps_of_others_are_filtered() {
    let folder = scratch("improve-by-filter");
    let text = "byte a, x;\n\
        active proctype R() { x = 1; assert(x == 0) }\n\
        active proctype P() { do :: a < 9 -> a++ :: else -> break od }\n";
    fs::write(folder.join("m.pml"), text).expect("the test directory is ours");
    let search = ["check", "m.pml", "--search", "dfs", "--property", "assertions", "--trail", "t"];
    let found = run_in(&folder, &[&search[..], &["--quiet"]].concat());
    assert_eq!(found.code, 1, "{found:?}");
    let result = run_in(&folder, &["improve", "m.pml", "t", "--by", "filter", "--quiet"]);
    assert!(result.out.contains("assertion violated after 2 steps"), "{result:?}");
}
