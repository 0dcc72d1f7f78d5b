//! Sets of states: the proof in the automatic strategy, searches by name, limits and interrupts.

use serde_json::Value;

use crate::faults::interrupted;
use crate::run::{Run, run_on};

/// Dining philosophers, the last of whom takes the forks in the other order: no deadlock, and too
/// many states to enumerate them.
const ASYMMETRIC: &str = "#define N 20\nbit fork[N];\nactive [N] proctype P() {\n\
    byte first = (_pid == N - 1 -> 0 : _pid), second = (_pid == N - 1 -> N - 1 : _pid + 1);\n\
    do\n\
    :: atomic { fork[first] == 0 -> fork[first] = 1 };\n\
       atomic { fork[second] == 0 -> fork[second] = 1 };\n\
       fork[second] = 0; fork[first] = 0\n\
    od }\n";

/// Four philosophers with a deadlock after four steps, and an invariant that the third step
/// violates.
const STUCK: &str = "byte fork[4], taken;\nactive [4] proctype P() {\n\
    do\n\
    :: atomic { fork[_pid] == 0 -> fork[_pid] = 1; taken++ };\n\
       atomic { fork[(_pid + 1) % 4] == 0 -> fork[(_pid + 1) % 4] = 1; taken++ };\n\
       assert(taken < 4);\n\
       atomic { fork[_pid] = 0; fork[(_pid + 1) % 4] = 0; taken = taken - 2 }\n\
    od }\n\
    ltl few { [] (taken < 3) }\n";

/// Pseudo-random numbers: sets of these states have no structure.
const HARD: &str = "int x = 1, y = 2, z = 3;\nactive proctype P() {\n\
    do :: x = x * 1103515245 + y :: y = y * 22695477 + z :: z = z * 134775813 + x od }\n";

const SEARCHES: [&str; 10] = [
    "symbolic-bfs",
    "symbolic-bfs(direction=backward)",
    "symbolic-bfs(direction=both)",
    "symbolic-dijkstra",
    "symbolic-astar",
    "symbolic-astar(h=dpa)",
    "symbolic-astar(h=fsm)",
    "symbolic-astar(h=hamming, buckets=gh)",
    "symbolic-astar(h=formula, w=2)",
    "symbolic-gbfs(h=fsm)",
];

fn object(result: &Run) -> Value {
    serde_json::from_str(&result.out).unwrap_or_else(|error| panic!("{error}: {result:?}"))
}

fn property<'v>(report: &'v Value, name: &str) -> &'v Value {
    let all = report["properties"].as_array().expect("a list");
    all.iter().find(|one| one["name"] == name).expect("the property is listed")
}

#[test]
fn a_set_proves_what_no_enumeration_can() {
    let args = ["check", "-", "--json", "--property", "deadlock", "--time", "20s"];
    let proved = object(&run_on(ASYMMETRIC, &args));
    assert_eq!(property(&proved, "deadlock")["verdict"], "holds", "{proved}");
    let single = [&args[..5], &["--jobs", "1"]].concat();
    let proved = object(&run_on(ASYMMETRIC, &single));
    assert_eq!(property(&proved, "deadlock")["verdict"], "holds", "{proved}");
    let without = [&args[..5], &["--time", "500ms", "--search", "auto(sets=no)"]].concat();
    let unknown = object(&run_on(ASYMMETRIC, &without));
    assert_eq!(property(&unknown, "deadlock")["verdict"], "unknown", "{unknown}");
}

#[test]
fn a_set_with_more_states_than_the_model_proves_absence() {
    // The view does not follow the trace assertion.
    let traced = format!(
        "chan c = [1] of {{ bit }};\n{ASYMMETRIC}active proctype Q() {{ c!1 }}\n\
         trace {{ do :: c!1 od }}\n"
    );
    let args = ["check", "-", "--json", "--property", "deadlock", "--time", "20s"];
    let proved = object(&run_on(&traced, &args));
    assert_eq!(property(&proved, "deadlock")["verdict"], "holds", "{proved}");
    let without = [&args[..5], &["--time", "500ms", "--search", "auto(sets=no)"]].concat();
    let unknown = object(&run_on(&traced, &without));
    assert_eq!(property(&unknown, "deadlock")["verdict"], "unknown", "{unknown}");
}

#[test]
fn searches_on_sets_find_shortest_trails() {
    let check = |search: &str| {
        let args = ["check", "-", "--json", "--no-trail", "--search", search];
        object(&run_on(STUCK, &args))
    };
    let steps = |report: &Value, name: &str| {
        let found = property(report, name);
        assert_eq!(found["verdict"], "violated", "{name}: {report}");
        (found["trail"]["steps"].as_u64().expect("a number"), found["trail"]["shortest"] == true)
    };
    let truth = check("dijkstra");
    for search in SEARCHES {
        let report = check(search);
        for name in ["deadlock", "assertions", "few"] {
            let ((length, is_shortest), (least, _)) = (steps(&report, name), steps(&truth, name));
            let is_optimal =
                ["symbolic-dijkstra", "symbolic-astar", "symbolic-astar(h=dpa)"].contains(&search);
            assert!(length >= least, "{search}: {report}");
            assert!(length == least || !is_optimal, "{search}, {name}: {length}, not {least}");
            assert!(is_shortest || !is_optimal, "{search}, {name}: {report}");
        }
    }
}

#[test]
fn the_effort_of_a_search_on_sets_is_among_the_statistics() {
    let args = ["check", "-", "--no-trail", "--search", "symbolic-bfs", "--property", "deadlock"];
    let plain = run_on(STUCK, &args).out;
    assert!(!plain.contains("sets with"), "{plain}");
    let text = run_on(STUCK, &[&args[..], &["--stats"]].concat()).out;
    let line =
        text.lines().find(|line| line.contains("  deadlock: ") && line.contains(" sets with "));
    assert!(line.is_some_and(|line| line.ends_with(" nodes")), "{text}");
    let report = object(&run_on(STUCK, &[&args[..], &["--json"]].concat()));
    let sets = &property(&report, "deadlock")["sets"];
    // The layers up to the deadlock after four steps.
    assert_eq!(sets["expanded"], 5, "{report}");
    let states: u64 = sets["states"].as_str().expect("text").parse().expect("a number");
    assert!(states >= 5 && sets["largest_nodes"].as_u64() > Some(0), "{report}");
    assert_eq!(property(&report, "deadlock")["remarks"], serde_json::json!([]), "{report}");
}

#[test]
fn searches_on_sets_prove_absence() {
    let good = "byte x, y;\nactive proctype P() { end: do\n\
        :: atomic { x < 9 -> x++; y++ } :: atomic { x > 0 -> x--; y-- } od }\n\
        active proctype Q() { end: do :: atomic { x != y -> assert(false) } od }\n\
        ltl same { [] (x == y) }\n";
    for search in SEARCHES {
        let report = object(&run_on(good, &["check", "-", "--json", "--search", search]));
        for name in ["deadlock", "assertions", "same"] {
            assert_eq!(property(&report, name)["verdict"], "holds", "{search}: {report}");
        }
    }
}

#[test]
fn what_sets_cannot_say_is_unknown_with_the_reason() {
    let check = |model: &str, more: &[&str]| {
        run_on(model, &[&["check", "-", "--search", "symbolic-bfs"], more].concat())
    };
    let repeated = "byte i;\nactive proctype P() {\n\
        do :: d_step { do :: i < 200 -> i++ :: else -> i = 0; break od } od }\n";
    let result = check(repeated, &["--property", "deadlock"]);
    assert_eq!(result.code, 2, "{result:?}");
    assert!(result.out.contains("searches on sets of states need an exact"), "{result:?}");
    let live = "bit x;\nactive proctype P() { do :: x = 1 :: x = 0 od }\nltl p { []<> x }\n";
    let result = check(live, &["--property", "p"]);
    assert_eq!(result.code, 2, "{result:?}");
    assert!(result.out.contains("use another search, or --property 'ctl: A (…)'"), "{result:?}");
    let result = check(live, &["--reduce", "stubborn"]);
    assert_eq!(result.code, 4, "{result:?}");
    assert!(result.err.contains("cannot be reduced: leave out --reduce"), "{result:?}");
}

/// The commands that work on sets of states only.
const ON_SETS: [&[&str]; 6] = [
    &["count", "-", "--symbolic"],
    &["count", "-", "--symbolic", "--strategy", "bfs"],
    &["check", "-", "--search", "symbolic-bfs"],
    &["check", "-", "--search", "symbolic-dijkstra"],
    &["check", "-", "--search", "symbolic-astar(h=hamming)"],
    &["check", "-", "--property", "ctl: AG EF (x == 1)"],
];

#[test]
fn limits_end_each_computation_on_sets() {
    for command in ON_SETS {
        for (limit, reason) in
            [(["--time", "300ms"], "time limit"), (["--memory", "10M"], "memory")]
        {
            let result = run_on(HARD, &[command, &limit, &["--json"]].concat());
            assert_eq!(result.code, 2, "{command:?}: {result:?}");
            let text = object(&result).to_string();
            assert!(text.contains(reason), "{command:?}, {limit:?}: {text}");
        }
    }
    let nodes = ["count", "-", "--symbolic", "--nodes", "1000", "--json"];
    let result = run_on(HARD, &nodes);
    assert_eq!((result.code, &object(&result)["complete"]), (2, &false.into()), "{result:?}");
}

#[cfg(unix)]
#[test]
fn an_interrupt_ends_each_computation_on_sets() {
    for command in ON_SETS {
        let result = interrupted(HARD, &[command, &["--json"]].concat());
        assert_eq!(result.code, 2, "{command:?}: {result:?}");
        let text = object(&result).to_string();
        assert!(text.contains("interrupted"), "{command:?}: {text}");
    }
}
