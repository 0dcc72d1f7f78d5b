//! `compare`: pairs of models with known answers.

use std::fs;
use std::path::PathBuf;

use serde_json::Value;

use crate::run::{Run, run_in, run_in_on, scratch};
use crate::schema::obeys;

/// A counter modulo a number.
fn counter(modulus: u32) -> String {
    format!("byte n;\nactive proctype C() {{ do :: n = (n + 1) % {modulus} od }}\n")
}

/// A counter that stops at a number.
fn bounded(limit: u32) -> String {
    format!("byte n;\nactive proctype C() {{ do :: n < {limit} -> n++ :: else -> break od }}\n")
}

/// A variable `n` with any parity, which forgets everything else.
const ANY_PARITY: &str = "byte n;\nactive proctype C() { do :: n = 0 :: n = 1 od }\n";

/// A buffer of two places. One step puts an item or takes one.
const BUFFER: &str = "byte n;\nactive proctype B() {\n\
    do :: atomic { n < 2 -> n++ } :: atomic { n > 0 -> n-- } od }\n";
/// Two buffers of one place, with an inner step from the first to the second.
const TWO_CELLS: &str = "bit x, y;\nbyte n;\nactive proctype B() {\n\
    do :: atomic { !x -> x = 1; n++ } :: atomic { x && !y -> x = 0; y = 1 }\n\
    :: atomic { y -> y = 0; n-- } od }\n";

/// A channel that delivers, and one that may lose what was sent.
const PERFECT: &str = "byte sent, got;\nactive proctype C() {\n\
    do :: atomic { sent == got && sent < 3 -> sent++ } :: atomic { sent > got -> got++ } od }\n";
const LOSSY: &str = "byte sent, got;\nactive proctype C() {\n\
    do :: atomic { sent == got && sent < 3 -> sent++ } :: atomic { sent > got -> got++ }\n\
    :: atomic { sent > got -> sent-- } od }\n";

/// After a coin: tea or coffee.
const LATE: &str = "byte n;\nactive proctype M() { n = 1; if :: n = 2 :: n = 3 fi }\n";
/// A coin for tea, or a coin for coffee.
const EARLY: &str = "byte n;\nactive proctype M() {\n\
    if :: n = 1; n = 2 :: n = 1; n = 3 fi }\n";
/// As the first one; or a coin for tea only.
const BOTH: &str = "byte n;\nactive proctype M() {\n\
    if :: n = 1; if :: n = 2 :: n = 3 fi :: n = 1; n = 2 fi }\n";

/// A variable with an inner one that counts the steps, and the same without it.
const DETAILED: &str = "byte n, m;\nactive proctype P() {\n\
    do :: atomic { m < 3 -> m++; n = 1 } :: atomic { m == 3 -> m = 0; n = 0 } od }\n";
const FORGETFUL: &str = "byte n;\nactive proctype P() { do :: n = 1 :: n = 0 od }\n";

/// Peterson's algorithm, and mutual exclusion itself.
const PETERSON: &str = "bool flag[2];\nbit turn;\nbyte cs;\n\
    active [2] proctype P() {\n  do\n  :: flag[_pid] = true; turn = 1 - _pid;\n\
       (!flag[1 - _pid] || turn == _pid);\n     cs = cs + 1; cs = cs - 1; flag[_pid] = false\n\
    od\n}\n";
const EXCLUSION: &str = "byte cs;\nactive proctype S() { do :: cs = 1; cs = 0 od }\n";
/// Without the wait, both processes can be in the critical section.
fn broken_peterson() -> String {
    PETERSON.replace("(!flag[1 - _pid] || turn == _pid);", "skip;")
}

/// A loop, and one that may end.
const ENDLESS: &str = "byte n;\nactive proctype P() { do :: n = 1 - n od }\n";
const ENDING: &str = "byte n;\nactive proctype P() { do :: n = 1 - n :: break od }\n";

const SIMULATION: &str = "simulation";
const BISIMULATION: &str = "bisimulation";
const TRACES: &str = "trace-inclusion";

/// A folder with two models. Tests run side by side, and each has its own.
fn folder(name: &str, a: &str, b: &str) -> PathBuf {
    let thread = std::thread::current();
    let test = thread.name().unwrap_or_default().replace("::", "-");
    let folder = scratch(&format!("{test}-{name}"));
    fs::write(folder.join("a.pml"), a).expect("the test directory is ours");
    fs::write(folder.join("b.pml"), b).expect("the test directory is ours");
    folder
}

fn compare(name: &str, [a, b]: [&str; 2], relation: &str, options: &[&str]) -> Run {
    let folder = folder(name, a, b);
    let args = ["compare", "a.pml", "b.pml", "--relation", relation];
    run_in(&folder, &[&args, options].concat())
}

/// The object, which obeys its schema.
fn object(name: &str, models: [&str; 2], relation: &str, options: &[&str]) -> (i32, Value) {
    let result = compare(name, models, relation, &[options, &["--json"]].concat());
    let object = serde_json::from_str(&result.out);
    let object = object.unwrap_or_else(|error| panic!("{error}: {result:?}"));
    let schema = include_str!("../../../../docs/schemas/compare.schema.json");
    obeys(&object, &serde_json::from_str(schema).expect("the schema is JSON"));
    (result.code, object)
}

/// Checks the three relations in both directions: simulation, bisimulation, traces.
fn check(models: [&str; 2], options: &[&str], there: [bool; 3], back: [bool; 3]) {
    let [a, b] = models;
    for (models, expected) in [([a, b], there), ([b, a], back)] {
        for (relation, expected) in [SIMULATION, BISIMULATION, TRACES].into_iter().zip(expected) {
            let (code, object) = object("compare-known", models, relation, options);
            assert_eq!(object["related"], expected, "{relation} {options:?}\n{models:?}\n{object}");
            assert_eq!(code, i32::from(!expected), "{relation}");
            assert_eq!(object["trail"].is_null(), expected, "{object}");
            let is_trail = |trail: &Value| trail["text"].as_str().is_some();
            assert!(expected || is_trail(&object["trail"]), "{object}");
        }
    }
}

const ALL: [bool; 3] = [true; 3];
const NONE: [bool; 3] = [false; 3];

#[test]
fn counters_of_different_size_have_the_same_parity() {
    let [two, four, eight] = [2, 4, 8].map(counter);
    check([&two, &four], &["--observe", "n % 2 == 0"], ALL, ALL);
    check([&four, &eight], &["--observe", "n % 2 == 0"], ALL, ALL);
    check([&four, &eight], &["--observe", "n < 2"], NONE, NONE);
    check([&four, &eight], &["--observe", "n == 0"], NONE, NONE);
    check([&counter(3), &four], &["--observe", "n % 2 == 0"], NONE, NONE);
}

#[test]
fn an_abstraction_that_forgets_simulates_but_is_not_simulated() {
    let simulated = [true, false, true];
    check([&counter(4), ANY_PARITY], &["--observe", "n % 2 == 0"], simulated, NONE);
    check([DETAILED, FORGETFUL], &["--observe", "n == 1"], simulated, NONE);
    // Nothing is observed but that there is always a step.
    check([DETAILED, FORGETFUL], &[], ALL, ALL);
}

#[test]
fn two_cells_are_a_buffer_of_two_places() {
    let observe = ["--observe", "n == 0", "--observe", "n == 1", "--observe", "n == 2"];
    let with_inner = [&observe[..], &["--stutter"]].concat();
    // An inner step takes a step of the cells, so that the buffer cannot answer it by one.
    check([TWO_CELLS, BUFFER], &observe, NONE, NONE);
    check([TWO_CELLS, BUFFER], &with_inner, ALL, ALL);
}

#[test]
fn a_lossy_channel_simulates_a_perfect_one() {
    let observe = ["--observe", "sent == 0", "--observe", "sent == 1", "--observe", "got == sent"];
    check([PERFECT, LOSSY], &observe, [true, false, true], NONE);
    let stutter = [&observe[..], &["--stutter"]].concat();
    check([PERFECT, LOSSY], &stutter, [true, false, true], NONE);
}

#[test]
fn a_choice_has_the_same_traces_wherever_it_is_made() {
    let observe = ["--observe", "n == 1", "--observe", "n == 2", "--observe", "n == 3"];
    check([LATE, EARLY], &observe, [false, false, true], [true, false, true]);
    // The models simulate each other, and are not bisimilar.
    check([LATE, BOTH], &observe, [true, false, true], [true, false, true]);
    check([EARLY, BOTH], &observe, [true, false, true], [false, false, true]);
    let stutter = [&observe[..], &["--stutter"]].concat();
    check([LATE, EARLY], &stutter, [false, false, true], [true, false, true]);
}

#[test]
fn petersons_algorithm_excludes() {
    let observe = ["--observe", "cs == 0", "--observe", "cs == 1", "--stutter"];
    // Each process can always enter, so that the specification has no more than the algorithm.
    check([PETERSON, EXCLUSION], &observe, ALL, ALL);
    check([&broken_peterson(), EXCLUSION], &observe, NONE, [true, false, true]);
}

#[test]
fn an_end_is_observed_if_nothing_else_is() {
    check([ENDLESS, ENDING], &[], [true, false, true], NONE);
    check([ENDLESS, ENDING], &["--stutter"], [true, false, true], NONE);
    // A state without steps repeats itself, which the loop does not.
    check([ENDLESS, ENDING], &["--observe", "n == 1"], [true, false, true], NONE);
    // After two increments, both keep the observation for ever, by steps or at the end.
    check([&bounded(2), &bounded(3)], &["--observe", "n < 2"], ALL, ALL);
    let later = bounded(2).replace("do ::", "skip; do ::");
    check([&bounded(2), &later], &["--observe", "n < 2"], NONE, NONE);
    check([&bounded(2), &later], &["--observe", "n < 2", "--stutter"], ALL, ALL);
    // Divergence is not seen: a loop that keeps `n` needs no answer.
    let diverging = bounded(2).replace("do ::", "do :: skip ::");
    let there = [true, false, true];
    check([&bounded(2), &diverging], &["--observe", "n < 2"], there, NONE);
    check([&bounded(2), &diverging], &["--observe", "n < 2", "--stutter"], ALL, ALL);
}

#[test]
fn a_difference_is_a_sentence_with_a_run() {
    let observe = ["--observe", "n < 2"];
    let (two, four) = (counter(2), counter(4));
    let result = compare("compare-text", [&four, &two], SIMULATION, &observe);
    assert_eq!(result.code, 1, "{result:?}");
    let sentence = "b.pml does not simulate a.pml: after 2 steps, a.pml is in a state with \
                    !(n < 2); b.pml can only reach a state with n < 2\n";
    assert!(result.out.starts_with(sentence), "{}", result.out);
    assert!(result.out.contains("n: 1 -> 2"), "{}", result.out);
    assert!(result.out.contains("\nstates of a.pml: 4\nstates of b.pml: 2\n"), "{}", result.out);
    let related = compare("compare-text", [&two, &two], SIMULATION, &["--quiet"]);
    assert_eq!((related.code, &*related.out), (0, "b.pml simulates a.pml\n"));
    let begins = compare(
        "compare-text",
        [&two, &two.replace("byte n", "byte n = 1")],
        TRACES,
        &["--observe", "n == 0", "--quiet"],
    );
    let sentence = "b.pml does not have all traces of a.pml: a.pml begins in a state with n == 0, b.pml \
                    in a state with !(n == 0)\n";
    assert_eq!((begins.code, &*begins.out), (1, sentence));
}

#[test]
fn the_run_of_a_difference_is_a_shortest_one_that_replays() {
    let observe = ["--observe", "n == 9", "--trail", "t"];
    let models = [&*counter(16), &*counter(8)];
    for relation in [SIMULATION, BISIMULATION, TRACES] {
        let (_, object) = object("compare-shortest", models, relation, &observe);
        assert_eq!(object["trail"]["steps"], 9, "{object}");
        assert_eq!(object["trail"]["file"], "t", "{object}");
        let answer = &object["answer"]["steps"];
        assert!(*answer == 8 || relation == TRACES, "{object}");
        let place = folder("compare-replay", models[0], models[1]);
        let text = object["trail"]["text"].as_str().expect("a trail");
        fs::write(place.join("t"), text).expect("the test directory is ours");
        let replayed = run_in(&place, &["replay", "a.pml", "t"]);
        assert!(replayed.out.contains("n: 8 -> 9"), "{replayed:?}");
    }
}

#[test]
fn a_step_of_the_abstraction_can_be_the_difference() {
    let (code, object) = object(
        "compare-by",
        [EARLY, LATE],
        BISIMULATION,
        &["--observe", "n == 1", "--observe", "n == 3"],
    );
    assert_eq!((code, &object["difference"]["by"]), (1, &"b".into()), "{object}");
    assert_eq!(object["difference"]["observed"], serde_json::json!([false, true]));
    assert_eq!((&object["trail"]["steps"], &object["answer"]["steps"]), (&1.into(), &2.into()));
}

#[test]
fn what_has_no_answer_says_why() {
    let failing = "byte n, d;\nactive proctype P() { n = 1 / d }\n";
    let (code, object) = object("compare-unknown", [ENDLESS, failing], SIMULATION, &[]);
    assert_eq!((code, &object["related"]), (2, &Value::Null), "{object}");
    let reason = object["reason"].as_str().expect("a reason");
    assert!(reason.starts_with("b.pml: ") && reason.contains("division by zero"), "{reason}");
    // A failed assertion does not end the run.
    let asserting = "byte n;\nactive proctype P() { do :: n = 1 - n; assert(n == 0) od }\n";
    let both = [asserting, asserting];
    assert_eq!(compare("compare-unknown", both, BISIMULATION, &["--observe", "n == 0"]).code, 0);
}

#[test]
fn limits_hold() {
    let large = "int a, b;\nactive [3] proctype P() { do :: a++ :: b++ od }\n";
    for (limit, reason) in
        [(["--time", "300ms"], "time limit reached"), (["--memory", "8M"], "memory limit reached")]
    {
        let (code, object) = object("compare-limits", [large, large], SIMULATION, &limit);
        assert_eq!((code, &object["related"]), (2, &Value::Null), "{object}");
        let found = object["reason"].as_str().expect("a reason");
        assert!(found.contains(reason), "{object}");
    }
}

#[test]
fn networks_are_compared_by_their_steps() {
    let place = scratch("compare-networks");
    for (name, family) in [("a.net", ["hanoi", "3"]), ("b.net", ["hanoi", "4"])] {
        let result = run_in(&place, &[&["generate"][..], &family].concat());
        fs::write(place.join(name), result.out).expect("the test directory is ours");
    }
    let args = ["compare", "a.net", "b.net", "--relation", BISIMULATION];
    // A disk can always be moved.
    let result = run_in(&place, &args);
    assert_eq!(result.code, 0, "{result:?}");
    let ending = "process p\nstates 2\ninit 0\nerror 1\ntrans 0 tau 1\n";
    fs::write(place.join("end.net"), ending).expect("the test directory is ours");
    let ends = run_in(&place, &["compare", "end.net", "a.net", "--relation", SIMULATION]);
    assert_eq!(ends.code, 1, "{ends:?}");
    let sentence = "a.net does not simulate end.net: after 1 step, end.net is in a state without steps; \
                    a.net can only reach a state with a step\n";
    assert!(ends.out.starts_with(sentence), "{ends:?}");
    let refused = run_in(&place, &[&args[..], &["--observe", "x"]].concat());
    assert_eq!(refused.code, 4, "{refused:?}");
    assert!(refused.err.contains("--observe takes a condition on a Promela model"), "{refused:?}");
}

#[test]
fn mistakes_are_named() {
    let two = counter(2);
    let models = [&*two, &*two];
    let relation = compare("compare-mistakes", models, "similarity", &[]);
    assert_eq!(relation.code, 4);
    assert!(relation.err.contains("there is no relation `similarity`"), "{relation:?}");
    let temporal = compare("compare-mistakes", models, TRACES, &["--observe", "<> (n == 1)"]);
    assert_eq!(temporal.code, 4, "{temporal:?}");
    assert!(temporal.err.contains("leave out temporal operators"), "{temporal:?}");
    let missing = compare("compare-mistakes", models, TRACES, &["--observe", "m == 1"]);
    assert_eq!(missing.code, 4, "{missing:?}");
    assert!(missing.err.contains("undeclared-variable"), "{missing:?}");
    let open = compare("compare-mistakes", models, TRACES, &["--observe", "(n == 1"]);
    assert_eq!(open.code, 4, "{open:?}");
    let many: Vec<&str> = std::iter::repeat_n(["--observe", "n == 1"], 65).flatten().collect();
    let many = compare("compare-mistakes", models, TRACES, &many);
    assert!(many.code == 4 && many.err.contains("at most 64"), "{many:?}");
    let place = folder("compare-stdin", &two, &two);
    let twice = run_in(&place, &["compare", "-", "-", "--relation", TRACES]);
    assert!(twice.code == 4 && twice.err.contains("standard input"), "{twice:?}");
    let once = run_in_on(&place, &two, &["compare", "-", "b.pml", "--relation", TRACES, "-q"]);
    assert_eq!((once.code, &*once.out), (0, "b.pml has all traces of <stdin>\n"), "{once:?}");
}
