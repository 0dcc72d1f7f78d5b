//! The properties that `check` examines by default: assertions only if there are some, run-time
//! errors, and remarks on overflow and on unfair cycles.

use std::fs;
use std::path::PathBuf;

use serde_json::Value;

use crate::run::{run_in, scratch};

fn folder(name: &str, model: &str) -> PathBuf {
    let folder = scratch(name);
    fs::write(folder.join("m.pml"), model).expect("the test directory is ours");
    folder
}

/// The lines of the verdicts, and the exit code.
fn verdicts(name: &str, model: &str, args: &[&str]) -> (Vec<String>, i32) {
    let folder = folder(&format!("default-properties-{name}"), model);
    let result = run_in(&folder, &[&["check", "m.pml", "--quiet"], args].concat());
    (result.out.lines().map(str::to_owned).collect(), result.code)
}

#[test]
fn a_model_without_assertions_has_no_such_property() {
    let (lines, code) = verdicts("none", "byte x; init { x = 1 }", &[]);
    assert_eq!(
        (lines, code),
        (vec!["deadlock        holds".to_owned(), "runtime-errors  holds".to_owned()], 0)
    );
    let (lines, _) = verdicts("some", "byte x; init { x = 1; assert(x == 1) }", &[]);
    assert!(lines.iter().any(|line| line.starts_with("assertions ")), "{lines:?}");
    let (lines, _) = verdicts("claim", "byte x; init { x = 1 } never { assert(x < 9) }", &[]);
    assert!(!lines.iter().any(|line| line.starts_with("assertions")), "{lines:?}");
    // Whoever names it gets an answer.
    let (lines, code) = verdicts("named", "byte x; init { x = 1 }", &["--property", "assertions"]);
    assert_eq!((lines, code), (vec!["assertions  holds".to_owned()], 0));
}

#[test]
fn run_time_errors_are_a_property_of_their_own() {
    let model = "int a[3]; byte i;\nactive proctype P() { do :: i++; a[i] = 1 od }\n\
                 active proctype Q() { assert(i < 9) }";
    let (lines, code) = verdicts("index", model, &[]);
    assert_eq!(code, 1);
    let violated = "runtime-errors  violated  array index out of bounds after 6 steps";
    assert!(lines.iter().any(|line| line.starts_with(violated)), "{lines:?}");
    assert!(!lines.iter().any(|line| line.starts_with("assertions      violated")), "{lines:?}");
}

#[test]
fn value_ranges_settle_run_time_errors_before_the_search() {
    // Nobody can enumerate these states.
    let model = "#define N 50\nbyte a[N]; proctype P(byte me) { do :: a[me] = 1; a[(me + 1) % N]++ od }\n\
                 init { byte i; atomic { for (i : 0 .. N - 1) { run P(i) } } }";
    let folder = folder("default-properties-ranges", model);
    let result = run_in(&folder, &["check", "m.pml", "--json", "--property", "runtime-errors"]);
    let object: Value = serde_json::from_str(&result.out).expect("the output is an object");
    assert_eq!(object["verdict"], "holds", "{result:?}");
    assert_eq!(object["properties"][0]["found_by"], "value ranges");
    assert_eq!(object["stats"]["stored"], 0);
}

const WRAPS: &str = "byte x;\nactive proctype P() { do :: x++ od }\n";

#[test]
fn overflow_is_a_remark_and_a_property_by_name() {
    let (lines, code) = verdicts("overflow", WRAPS, &[]);
    assert_eq!(code, 0);
    let remark = "runtime-errors  holds; overflow in line 2: ";
    assert!(lines[1].starts_with(remark) && lines[1].contains("256 does not fit"), "{lines:?}");
    let (lines, code) = verdicts("overflow-named", WRAPS, &["--property", "overflow"]);
    assert_eq!(code, 1);
    assert!(lines[0].contains("value out of the range of its type after 256 steps"), "{lines:?}");
    let (lines, code) =
        verdicts("no-overflow", "byte x; init { x = 255; x-- }", &["--property", "overflow"]);
    assert_eq!((&*lines[0], code), ("overflow  holds", 0));
}

#[test]
fn a_trail_to_an_overflow_replays() {
    let folder = folder("default-properties-replay", WRAPS);
    run_in(&folder, &["check", "m.pml", "--property", "overflow"]);
    let replay = run_in(&folder, &["replay", "m.pml", "m.pml.trail"]);
    assert!(replay.out.contains("256 does not fit, 0 is stored"), "{replay:?}");
    assert_eq!(replay.code, 0);
}

#[test]
fn overflow_beside_an_assertion_hides_neither() {
    // The same step overflows and fails.
    let model = "byte x; active proctype P() { byte y; d_step { y = 256 + x; assert(y == 1) } }";
    let both = ["--property", "overflow", "--property", "assertions"];
    let (lines, _) = verdicts("both", model, &both);
    assert!(lines.len() == 2 && lines.iter().all(|line| line.contains(" violated ")), "{lines:?}");
}

#[test]
fn an_unfair_cycle_says_so() {
    let switch = "bit on, other;\nactive proctype Switch() { do :: on = 1; on = 0 od }\n\
                  active proctype Other() { do :: other = 1 - other od }\n";
    let holds = format!("{switch}ltl p {{ []<>(on == 1) }}");
    let (lines, _) = verdicts("unfair", &holds, &["--property", "p"]);
    let remark = "Switch(0) is enabled throughout the cycle and never moves: the property holds \
                  with `--fair`";
    assert!(lines[0].ends_with(remark), "{lines:?}");
    // Fairness excludes this cycle, but not all.
    let violated = format!("{switch}ltl p {{ <>[](other == 1) }}");
    let (lines, _) = verdicts("unfair-violated", &violated, &["--property", "p"]);
    assert!(lines[0].contains("this cycle is excluded by `--fair`"), "{lines:?}");
    // A fair cycle has no remark.
    let (lines, _) = verdicts("fair", &violated, &["--property", "p", "--fair"]);
    assert!(!lines[0].contains("enabled throughout"), "{lines:?}");
}
