//! Verdicts and statistics for people: colors, numbers and times.

use crate::run::{GOOD, run_on};

const STUCK: &str = "byte x;\nactive proctype P() { x == 1; assert(x == 2) }\n";

/// More than a thousand states, without an error.
const MANY: &str = "byte x, y;\nactive proctype P() {\n  end: do\n  :: x < 40 -> x++\n  :: x = 0\n  \
                    od\n}\nactive proctype Q() {\n  end: do\n  :: y < 40 -> y++\n  :: y = 0\n  \
                    od\n}\n";

#[test]
fn verdicts_have_colors_on_demand_only() {
    let check = |model: &str, args: &[&str]| {
        run_on(model, &[&["check", "-", "--no-trail", "--quiet"], args].concat()).out
    };
    let always = ["--color", "always"];
    assert_eq!(
        check(GOOD, &[]),
        "deadlock        holds\nassertions      holds\nruntime-errors  holds\n"
    );
    assert!(check(GOOD, &always).starts_with("deadlock        \u{1b}[1;32mholds\u{1b}[0m\n"));
    let stuck = check(STUCK, &always);
    assert!(
        stuck.starts_with("deadlock        \u{1b}[1;31mviolated\u{1b}[0m  invalid end"),
        "{stuck}"
    );
    let unknown = check(MANY, &["--color", "always", "--depth", "2"]);
    let expected = "deadlock        \u{1b}[1;33munknown\u{1b}[0m   depth limit reached\n";
    assert!(unknown.starts_with(expected), "{unknown}");
    assert!(!check(MANY, &["--color", "never", "--depth", "2"]).contains('\u{1b}'));
    assert!(!check(MANY, &["--json", "--color", "always"]).contains('\u{1b}'));
}

#[test]
fn numbers_have_separators_and_short_times_are_milliseconds() {
    let text = run_on(MANY, &["check", "-", "--search", "bfs"]).out;
    let summary = text.lines().nth(3).expect("a summary follows the verdicts");
    assert!(summary.starts_with("6,561 states in "), "{text}");
    assert!(summary.ends_with(" ms") || summary.ends_with(" s"), "{text}");
    let count = run_on(MANY, &["count", "-"]).out;
    assert!(count.contains("\nstates stored       6,561\n"), "{count}");
    let object: serde_json::Value =
        serde_json::from_str(&run_on(MANY, &["count", "-", "--json"]).out).unwrap();
    assert_eq!(object["stored"], 6561);
}

#[test]
fn statistics_come_on_demand_only() {
    let rows =
        ["search", "engine", "states", "transitions", "depth", "rate", "peak memory", "store"];
    for option in ["--stats", "-v"] {
        let text = run_on(STUCK, &["check", "-", "--no-trail", option]).out;
        let (_, statistics) = text.split_once("\nstatistics\n").expect("there are statistics");
        for row in rows.iter().chain(&["reduction"]) {
            let begins = |line: &str| line.trim_start().starts_with(row);
            assert!(statistics.lines().any(begins), "{row} is not in {text}");
        }
        assert!(statistics.contains("\n  deadlock: found by "), "{text}");
    }
    assert!(!run_on(STUCK, &["check", "-", "--no-trail"]).out.contains("statistics"));
    let search = ["check", "-", "--no-trail", "--stats", "--search", "astar(active)"];
    let text = run_on(STUCK, &search).out;
    assert!(text.contains("deadlock: found by astar(active), heuristic active\n"), "{text}");
    let count = run_on(MANY, &["count", "-", "--stats"]).out;
    assert!(count.contains("\nsearch              bfs\n"), "{count}");
    assert!(!run_on(MANY, &["count", "-"]).out.contains("\nsearch"));
}

#[test]
fn progress_tells_the_phase_the_open_properties_and_how_to_stop() {
    // 2^40 states: an enumeration does not end.
    let endless = "unsigned x : 20, y : 20;\nactive proctype P() {\n  end: do\n  :: x++\n  :: y++\n  \
                   od\n}\nltl p { [] (x + y >= 0) }\n";
    let args = ["check", "-", "--time", "2s", "--progress", "always", "--no-trail"];
    let search = ["--search", "auto(sets=no)"];
    let result = run_on(endless, &[&args[..], &search].concat());
    let line = result.err.lines().find(|line| line.contains(" states, ")).expect("a line is shown");
    for part in ["/s, depth ", "; open: deadlock, p;", "iB, "] {
        assert!(line.contains(part), "{part} is not in {line}");
    }
    assert!(line.contains("search: ") || line.contains("searches: "), "{line}");
    assert!(line.ends_with("; Ctrl-C stops and reports"), "{line}");
}
