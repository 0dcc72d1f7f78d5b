//! Liveness on the command line: formulas, cycles and fairness.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use beeline_testkit::spin;
use expect_test::expect;
use serde_json::{Value, json};

use crate::run::{Run, run, run_in, scratch};

const LIMIT: Duration = Duration::from_secs(60);

/// A switch that turns on and off, and another process that may take all turns.
const SWITCH: &str = "byte on, request, turns;\n\
    active proctype Switch() { do :: on = 1; on = 0 od }\n\
    active proctype Bystander() { do :: turns = 1 - turns :: request == 1 -> request = 2 od }\n";

/// A model with a deadlock.
const STUCK: &str = "byte x;\nactive proctype A() { x = 1; x == 2 }\nltl p { <>(x == 3) }\n";

/// A huge state space without an accepting cycle.
const ENDLESS: &str = "int a, b;\nactive [2] proctype P() { do :: a++ :: b++ od }\n\
    ltl p { []<>(a != b || a == b || a > 7) }\nltl q { [](a == 1 -> <>(a != 1 || b >= 0)) }\n";

fn elevator() -> String {
    format!("{}/../../models/elevator.pml", env!("CARGO_MANIFEST_DIR"))
}

fn folder(name: &str, model: &str) -> PathBuf {
    let folder = scratch(name);
    fs::write(folder.join("m.pml"), model).expect("the test directory is ours");
    folder
}

/// The lines of the verdicts.
fn verdicts(folder: &Path, args: &[&str]) -> Run {
    run_in(folder, &[&["check", "m.pml", "--quiet"], args].concat())
}

fn object(folder: &Path, args: &[&str]) -> Value {
    let result = run_in(folder, args);
    let object = serde_json::from_str(&result.out);
    object.unwrap_or_else(|error| panic!("{error}: {result:?}"))
}

#[test]
fn formulas_are_asked_on_the_command_line_and_in_the_model() {
    let model = format!("{SWITCH}ltl off {{ []<>(on == 0) }}\nltl on {{ []<>(on == 1) }}\n");
    let folder = folder("liveness-formulas", &model);
    let asked = ["--property", "off", "--property", "on", "--property", "ltl: <>[](turns == 0)"];
    let result = verdicts(&folder, &asked);
    assert_eq!(result.code, 1, "{result:?}");
    expect![[r#"
        off                    violated  formula violated by a cycle after 2 steps, then 2 steps repeat for ever (there is no shorter lasso); Switch(0) is enabled throughout the cycle and never moves: the property holds with `--fair`
        on                     violated  formula violated by a cycle after 1 step, then 2 steps repeat for ever (there is no shorter lasso); Switch(0) is enabled throughout the cycle and never moves: the property holds with `--fair`
        ltl: <>[](turns == 0)  violated  formula violated by a cycle after 1 step, then 2 steps repeat for ever (there is no shorter lasso); Switch(0) is enabled throughout the cycle and never moves: this cycle is excluded by `--fair`
    "#]]
    .assert_eq(&result.out);
    // Under weak fairness, a process that is always enabled moves eventually.
    let result = verdicts(&folder, &[&asked[..], &["--fair"]].concat());
    assert_eq!(result.code, 1, "{result:?}");
    expect![[r#"
        off                    holds
        on                     holds
        ltl: <>[](turns == 0)  violated  formula violated by a cycle after 0 steps, then 4 steps repeat for ever (there is no shorter lasso)
    "#]]
    .assert_eq(&result.out);
}

#[test]
fn every_search_for_cycles_finds_them_and_knows_when_there_are_none() {
    let folder = folder("liveness-searches", SWITCH);
    let asked = [
        "--no-trail",
        "--property",
        "ltl: []<>(on == 1)",
        "--property",
        "ltl: [](on < 2) || <>[](on == 0)",
    ];
    for search in
        ["auto", "ndfs", "indfs", "cndfs", "scc", "dfs", "bfs", "dijkstra", "astar", "gbfs"]
    {
        for fair in [false, true] {
            let mut args = vec!["check", "m.pml", "--json", "--search", search];
            args.extend(asked);
            args.extend(fair.then_some("--fair"));
            let object = object(&folder, &args);
            let verdict =
                |at: usize| object["properties"][at]["verdict"].as_str().unwrap().to_owned();
            let expected = if fair { "holds" } else { "violated" };
            assert_eq!((&*verdict(0), &*verdict(1)), (expected, "holds"), "{search} {fair}");
            let shortest = &object["properties"][0]["trail"]["shortest"];
            if !fair && ["auto", "bfs", "dijkstra"].contains(&search) {
                assert_eq!(*shortest, true, "{search}");
            }
        }
    }
    // Other searches report that they do not support cycles.
    let result = verdicts(&folder, &[&asked[..3], &["--search", "beam"]].concat());
    assert_eq!(result.code, 2, "{result:?}");
    assert!(result.out.contains("this search does not look for cycles; auto, "), "{result:?}");
}

#[test]
fn what_is_remarkable_about_a_formula_is_told() {
    let folder = folder("liveness-remarks", SWITCH);
    let asked = [
        "ltl: [] (request == 1 -> <> (on == 1))",
        "ltl: ([] (on == 1)) -> <> (on == 1)",
        "ltl: <> (on == 1 && on != 1)",
        "ltl: [] (on == 1 -> X (on < 2))",
        "ltl: []<> on == 1",
    ];
    let asked: Vec<&str> = asked.iter().flat_map(|one| ["--property", one]).collect();
    let result = verdicts(&folder, &[&asked[..], &["--no-trail"]].concat());
    expect![[r#"
        ltl: [] (request == 1 -> <> (on == 1))  holds; vacuously: `request == 1` is never true
        ltl: ([] (on == 1)) -> <> (on == 1)     holds; it holds in every model: it is a tautology
        ltl: <> (on == 1 && on != 1)            violated  formula violated by a cycle after 0 steps, then 2 steps repeat for ever (there is no shorter lasso); Bystander(1) is enabled throughout the cycle and never moves: this cycle is excluded by `--fair`
        ltl: [] (on == 1 -> X (on < 2))         holds; `X` counts steps, so no statements are merged for it (as with --plain)
        ltl: []<> on == 1                       unknown   the formula uses the truth value of a temporal operator as a number, as in `[] x == 1`, which means `([] x) == 1`; put the comparison in parentheses: `[] (x == 1)`
    "#]]
    .assert_eq(&result.out);
    let args = [&["check", "m.pml", "--json", "--no-trail"], &asked[..]].concat();
    let object = object(&folder, &args);
    let remarks = |at: usize| object["properties"][at]["remarks"].clone();
    assert_eq!(remarks(0), json!(["vacuously: `request == 1` is never true"]));
    assert_eq!(remarks(1), json!(["it holds in every model: it is a tautology"]));
    assert_eq!(remarks(3).as_array().map(Vec::len), Some(1), "{object}");
    // No vacuity: a condition that is false as far as the product goes may be true later.
    let result = verdicts(&folder, &["--property", "ltl: <> (on == 1 -> turns == 7)"]);
    assert_eq!(result.out, "ltl: <> (on == 1 -> turns == 7)  holds\n");
    // An unsatisfiable formula has a remark.
    let result =
        verdicts(&folder, &["--property", "ltl: []<>(on == 1) && !([]<>(on == 1))", "--no-trail"]);
    assert!(result.out.contains("; it holds in no model: it contradicts itself"), "{result:?}");
}

#[test]
fn a_mistake_in_a_formula_is_shown_where_it_is() {
    let folder = folder("liveness-mistakes", SWITCH);
    let result = verdicts(&folder, &["--property", "ltl: [] (on == 1 -> <> (requst == 1))"]);
    assert_eq!(result.code, 4, "{result:?}");
    assert!(result.err.contains("--> --property:1:20\n"), "{result:?}");
    assert!(result.err.contains("did you mean `request`?"), "{result:?}");
    let result = verdicts(&folder, &["--property", "ltl: [] (on == 1 -> ) <> on"]);
    assert_eq!(result.code, 4, "{result:?}");
    assert!(result.err.contains("--> --property:1:16\n"), "{result:?}");
    // The text ends too early.
    let result = run_in(&folder, &["check", "m.pml", "--property", "invariant: on +"]);
    assert_eq!(result.code, 4, "{result:?}");
    let message = "error[syntax-error]: expected an expression, found the end of the text\n \
                   --> --property:1:5\n";
    assert!(result.err.contains(message), "{result:?}");
    assert!(result.err.ends_with("\n--property: 1 error\n"), "{result:?}");
    let result = run_in(&folder, &["check", "m.pml", "--property", "ltl: []"]);
    assert!(result.err.contains("found the end of the text\n --> --property:1:3\n"), "{result:?}");
    // The suggested fix of a misleading precedence is valid.
    let result = run_in(&folder, &["check", "m.pml", "--property", "ltl: []<> on == 1"]);
    assert!(result.err.contains("1 + []<> (on == 1)\n"), "{result:?}");
    let result = verdicts(&folder, &["--property", "offf"]);
    assert_eq!(result.code, 4, "{result:?}");
}

#[test]
fn limits_leave_a_formula_unknown_with_advice() {
    let folder = folder("liveness-limits", ENDLESS);
    let check = |args: &[&str]| {
        run_in(&folder, &[&["check", "m.pml", "--property", "q", "--no-trail"], args].concat())
    };
    for search in ["auto", "indfs", "scc", "bfs", "gbfs"] {
        let result = check(&["--time", "300ms", "--search", search]);
        assert_eq!(result.code, 2, "{search}: {result:?}");
        assert!(result.out.contains("unknown   time limit reached"), "{search}: {result:?}");
        assert!(result.out.contains("try: more time (--time)"), "{search}: {result:?}");
        let result = check(&["--depth", "5", "--search", search]);
        assert!(result.out.contains("unknown   depth limit reached"), "{search}: {result:?}");
        assert!(result.out.contains("try: a greater --depth"), "{search}: {result:?}");
    }
    let result = check(&["--memory", "4M", "--time", "60s"]);
    assert!(result.out.contains("unknown   memory limit reached"), "{result:?}");
    // Violations found before the time limit are kept.
    let model =
        format!("{ENDLESS}active proctype R() {{ do :: skip od }}\nltl found {{ <>(a == 1) }}\n");
    fs::write(folder.join("m.pml"), model).expect("the test directory is ours");
    let result = verdicts(&folder, &["--property", "found", "--property", "q", "--time", "2s"]);
    assert_eq!(result.code, 1, "{result:?}");
    assert!(result.out.contains("found  violated  formula violated"), "{result:?}");
    assert!(result.out.contains("q      unknown   time limit reached"), "{result:?}");
}

#[test]
fn a_lasso_is_told_and_its_trail_says_the_same() {
    let folder = scratch("liveness-lasso");
    let elevator = elevator();
    let result = run_in(&folder, &["check", &elevator, "--property", "served", "--trail", "t"]);
    assert_eq!(result.code, 1, "{result:?}");
    let (_, told) = result.out.split_once("trail written to t\n").expect("there is a trail");
    expect![[r#"
          1  passenger(2)  elevator.pml:43  !call[_pid]
          2  passenger(2)  elevator.pml:43  call[_pid] = true   {call[2]: 0 -> 1}
          3  passenger(1)  elevator.pml:43  !call[_pid]
            <<<<< start of the cycle >>>>>
          4  passenger(0)  elevator.pml:43  !call[_pid]
          5  passenger(0)  elevator.pml:43  call[_pid] = true   {call[0]: 0 -> 1}
          6  cabin(3)      elevator.pml:52  call[floor]
          7  cabin(3)      elevator.pml:53  door_open = true   {door_open: 0 -> 1}
          8  cabin(3)      elevator.pml:54  call[floor] = false   {call[0]: 1 -> 0}
          9  cabin(3)      elevator.pml:55  door_open = false   {door_open: 1 -> 0}
        after 9 steps the state is the same as after step 3: formula violated by a cycle: `served`
          passenger(0) is at elevator.pml:43: !call[_pid]
          passenger(1) is at elevator.pml:43: call[_pid] = true
          passenger(2) is at elevator.pml:43: !call[_pid]
          cabin(3) is at elevator.pml:52: call[floor] | !call[floor]
          call[2] = 1
          cabin(3):upwards = 1
    "#]]
    .assert_eq(told);
    assert_eq!(run_in(&folder, &["replay", &elevator, "t"]).out, told);
    let replayed = object(&folder, &["replay", &elevator, "t", "--json"]);
    assert_eq!(replayed["cycle_start"], 3);
    assert_eq!(replayed["error"], "formula violated by a cycle");
    // A formula that is not in the model has to be given again.
    let asked = ["--property", "ltl: []<>(floor == 2)"];
    let result = run_in(&folder, &[&["check", &elevator, "--trail", "u"], &asked[..]].concat());
    assert!(result.out.contains(": formula violated by a cycle: []<>(floor == 2)\n"), "{result:?}");
    let result = run_in(&folder, &[&["replay", &elevator, "u"], &asked[..]].concat());
    assert!(result.out.contains(": formula violated by a cycle: []<>(floor == 2)\n"), "{result:?}");
    let result = run_in(&folder, &["replay", &elevator, "u"]);
    assert!(result.out.contains(": there is no error here\n"), "{result:?}");
}

#[test]
fn a_trail_is_told_as_what_it_is_said_to_violate() {
    let model = "bool x; byte t;\nactive proctype p() { do :: x = !x :: t = (t + 1) % 3 od }\n\
                 ltl f1 { [] (t != 2) }\nltl f2 { []<> x }\n";
    let folder = folder("liveness-about", model);
    let replay = |words: &[&str]| run_in(&folder, &[&["replay", "m.pml"], words].concat());
    assert_eq!(run_in(&folder, &["check", "m.pml", "--property", "f2"]).code, 1);
    let result = replay(&["m.pml.trail", "--property", "f2"]);
    assert_eq!(result.code, 0, "{result:?}");
    assert!(result.out.contains("violated by a cycle: `f2`\n"), "{result:?}");
    // Without progress labels, non-progress has to be requested.
    let result = replay(&["m.pml.trail", "--property", "progress"]);
    assert!(result.out.contains(": non-progress cycle\n"), "{result:?}");
    let result = replay(&["m.pml.trail", "--property", "nobody"]);
    assert_eq!((result.code, &*result.out), (4, ""), "{result:?}");
    assert!(result.err.contains("nobody") && result.err.contains("f1, f2"), "{result:?}");
    // Another error than the requested one is still reported.
    let result = replay(&["m.pml.trail", "--property", "deadlock"]);
    assert!(result.out.contains("violated by a cycle: `f"), "{result:?}");
    assert_eq!(run_in(&folder, &["check", "m.pml", "--property", "progress"]).code, 1);
    let told =
        object(&folder, &["replay", "m.pml", "m.pml.trail", "--property", "progress", "--json"]);
    assert_eq!(told["error"], "non-progress cycle", "{told}");
}

/// A deadlock after an assertion that failed a step before.
#[test]
fn a_deadlock_is_told_where_it_is_meant() {
    let model = "byte x;\nactive proctype p() { x == 0 -> assert(x == 1); x = 2 }\n\
                 active proctype q() { x == 2 -> x = 3; assert(x == 4); x == 5 }\n";
    let folder = folder("liveness-both", model);
    let result = run_in(&folder, &["check", "m.pml", "--property", "deadlock", "--plain"]);
    assert_eq!(result.code, 1, "{result:?}");
    for (property, end) in [("deadlock", "invalid end state"), ("assertions", "assertion violated")]
    {
        let result = run_in(&folder, &["replay", "m.pml", "m.pml.trail", "--property", property]);
        assert!(result.out.contains(&format!("steps: {end}")), "{property}: {result:?}");
    }
}

#[test]
fn who_is_stuck_stays_for_ever() {
    let folder = folder("liveness-stuck", STUCK);
    let result = run_in(&folder, &["check", "m.pml", "--property", "p", "--chart", "c.svg"]);
    assert_eq!(result.code, 1, "{result:?}");
    let verdict = "after 1 step, then the last state repeats for ever (there is no shorter lasso)";
    assert!(result.out.contains(verdict), "{result:?}");
    expect![[r#"
          1  A(0)  m.pml:2         x = 1   {x: 0 -> 1}
            <<<<< the last state repeats for ever >>>>>
        after 1 step the last state repeats for ever: formula violated by a cycle: `p`
          A(0) is stuck at m.pml:2: x == 2 (x = 1)
          x = 1
    "#]]
    .assert_eq(&run_in(&folder, &["replay", "m.pml", "m.pml.trail"]).out);
    expect![[r#"
             A(0)
          1  x = 1
            <<<<< the last state repeats for ever >>>>>
        after 1 step the last state repeats for ever: formula violated by a cycle: `p`
          A(0) is stuck at m.pml:2: x == 2 (x = 1)
          x = 1
    "#]]
    .assert_eq(&run_in(&folder, &["replay", "m.pml", "m.pml.trail", "--columns"]).out);
    let svg = fs::read_to_string(folder.join("c.svg")).expect("it was drawn");
    assert!(
        svg.contains("the last state repeats for ever") && svg.contains("waits: x == 2"),
        "{svg}"
    );
    assert!(!svg.contains("class=\"round\""), "nothing leads back: {svg}");
    let chart = |format: &str| {
        let args = ["replay", "m.pml", "m.pml.trail", "--chart", "-", "--chart-format", format];
        run_in(&folder, &args).out
    };
    let mermaid =
        "    loop the cycle\n        Note over p0: the last state repeats for ever\n    end\n";
    assert!(chart("mermaid").contains(mermaid), "{}", chart("mermaid"));
    let plantuml = "\nloop the cycle\nhnote over p0 : the last state repeats for ever\nend\n";
    assert!(chart("plantuml").contains(plantuml), "{}", chart("plantuml"));
    let args = ["check", "m.pml", "--property", "p", "--sarif", "-"];
    let sarif = object(&folder, &args);
    let result = &sarif["runs"][0]["results"][0];
    let text = result["message"]["text"].as_str().expect("a message");
    assert!(text.contains("A(0) is stuck at m.pml:2: x == 2 (x = 1)"), "{text}");
    assert_eq!(result["properties"]["cycleStart"], 1);
}

#[test]
fn lassos_are_shortened_to_the_shortest_and_never_become_longer() {
    let folder = scratch("liveness-improve");
    let elevator = elevator();
    let args =
        ["check", &elevator, "--property", "served", "--search", "ndfs", "--trail", "t.trail"];
    assert_eq!(run_in(&folder, &args).code, 1);
    let improved = run_in(&folder, &["improve", &elevator, "t.trail", "--quiet"]);
    assert_eq!(improved.code, 0, "{improved:?}");
    let last = "improved: formula violated by a cycle after 3 steps, then 6 steps repeat for ever (there is \
                no shorter lasso)\n";
    assert!(improved.out.ends_with(last), "{improved:?}");
    let replayed = object(&folder, &["replay", &elevator, "t.short.trail", "--json"]);
    assert_eq!(replayed["steps"].as_array().map(Vec::len), Some(9));
    // Written by hand. The claim needs more than one round of the cycle to accept.
    let text = "-4:-4:-4\n1:2:0\n2:2:1\n-1:-1:-1\n3:0:0\n4:0:1\n5:3:6\n6:3:7\n7:3:8\n8:3:9\n";
    fs::write(folder.join("hand"), text).expect("the test directory is ours");
    let result = run_in(&folder, &["improve", &elevator, "hand", "--trail", "out"]);
    assert!(result.out.starts_with("given: 8 steps\nnot improved: "), "{result:?}");
    assert!(!folder.join("out").exists(), "there is nothing to write");
}

#[test]
fn broken_lassos_are_refused() {
    let folder = scratch("liveness-broken");
    let elevator = elevator();
    let stem = "-4:-4:-4\n1:2:0\n2:2:1\n3:1:0\n";
    let open = "has a cycle that does not close";
    let empty =
        "has no steps after the start of its cycle (`-1:-1:-1`), but the model is not blocked";
    for (cycle, complaint) in [
        ("-1:-1:-1\n4:0:0\n5:0:1\n", open),
        ("-1:-1:-1\n", empty),
        ("4:0:0\n-1:-1:-1\n-1:-1:-1\n", empty),
        ("-1:-1:-1\n4:0:7\n", "cannot be taken"),
        ("-1:-1\n4:0:0\n", "is not a trail: line 5 is not `step:process:edge`"),
    ] {
        fs::write(folder.join("t"), format!("{stem}{cycle}")).expect("the test directory is ours");
        let result = run_in(&folder, &["replay", &elevator, "t"]);
        assert_eq!(result.code, 4, "{cycle}: {result:?}");
        assert!(result.err.contains(complaint), "{cycle}: {result:?}");
        assert!(!result.out.contains("repeats for ever"), "{cycle}: {result:?}");
        let result = run_in(&folder, &["improve", &elevator, "t"]);
        assert_eq!(result.code, 4, "{cycle}: {result:?}");
    }
    // A cycle that does not close is not drawn as one.
    fs::write(folder.join("t"), format!("{stem}-1:-1:-1\n4:0:0\n")).expect("it is ours");
    run_in(&folder, &["replay", &elevator, "t", "--chart", "c.svg"]);
    let svg = fs::read_to_string(folder.join("c.svg")).expect("it was drawn");
    assert!(!svg.contains("the cycle begins"), "{svg}");
}

#[test]
fn claims_are_printed() {
    let elevator = elevator();
    let dump = |args: &[&str]| run(&[&["dump", &elevator, "--form", "claim"], args].concat());
    let never = dump(&[]).out;
    expect![[r#"
        never  {    /* doors: !([]!(door_open && moving)) */
        T0_init:
        	do
        	:: (!((door_open && moving))) -> goto T0_init
        	:: (((door_open && moving))) -> goto accept_all
        	od;
        accept_all:
        	skip
        }
        never  {    /* served: !([](call[3 - 1] -> <>!call[3 - 1])) */
        T0_init:
        	do
        	:: (1) -> goto T0_init
        	:: (((call[3 - 1]))) -> goto accept_S1
        	od;
        accept_S1:
        	do
        	:: (((call[3 - 1]))) -> goto accept_S1
        	od;
        }
    "#]]
    .assert_eq(&never);
    let hoa = dump(&["--property", "served", "--hoa"]).out;
    assert!(hoa.starts_with("HOA: v1\n") && hoa.ends_with("--END--\n"), "{hoa}");
    assert!(hoa.contains("AP: 1 \"call[3 - 1]\"\n"), "{hoa}");
    let dot = dump(&["--property", "served", "--dot"]).out;
    assert!(dot.starts_with("digraph automaton {\n"), "{dot}");
    let asked = dump(&["--property", "ltl: <>(floor == 2)"]).out;
    assert!(asked.contains("/* ltl: <>(floor == 2): !(<>(floor == 2)) */"), "{asked}");
    for (args, complaint) in [
        (&["--property", "nope"][..], "the model has no property `nope`"),
        (&["--hoa", "--dot"], "cannot be used with"),
    ] {
        let result = dump(args);
        assert_eq!(result.code, 4, "{result:?}");
        assert!(result.err.contains(complaint), "{result:?}");
    }
    let result = run(&["dump", &elevator, "--form", "ast", "--hoa"]);
    assert_eq!(result.code, 4, "{result:?}");
    assert!(result.err.contains("use it with `--form claim`"), "{result:?}");
    let philosophers = elevator.replace("elevator", "philosophers");
    let result = run(&["dump", &philosophers, "--form", "claim"]);
    assert_eq!(result.code, 4, "{result:?}");
    assert!(result.err.contains("has no ltl formula"), "{result:?}");
    assert!(result.err.contains("--property 'ltl: FORMULA' adds one"), "{result:?}");
}

#[test]
fn spin_reads_the_claims_that_are_printed() {
    if !spin::available_or_skip("spin_reads_the_claims_that_are_printed") {
        return;
    }
    let folder = scratch("liveness-spin");
    let model = fs::read_to_string(elevator()).expect("the model is there");
    let (without, _) = model.split_once("\nltl ").expect("it has formulas");
    for property in ["doors", "served", "ltl: <>[](floor == 2) || []<>(door_open U moving)"] {
        let args = ["dump", &elevator(), "--form", "claim", "--property", property];
        let claim = run(&args).out;
        fs::write(folder.join("m.pml"), format!("{without}\n{claim}")).expect("it is ours");
        let answer = spin::run("spin", ["-a", "m.pml"], &folder, LIMIT).expect("spin runs");
        assert!(answer.success(), "{property}: {}{}\n{claim}", answer.stdout, answer.stderr);
        // As a model, the claim has the same verdict.
        let result = run_in(&folder, &["check", "m.pml", "--property", "never", "--json"]);
        let formula = run(&["check", &elevator(), "--property", property, "--json", "--no-trail"]);
        let verdict = |run: &Run| -> Value {
            let object: Value = serde_json::from_str(&run.out).expect("it is JSON");
            object["verdict"].clone()
        };
        assert_eq!(verdict(&result), verdict(&formula), "{property}");
    }
}

#[test]
fn what_cannot_be_followed_is_unknown_with_the_reason() {
    let model = "byte x;\nactive proctype A() { x = 1 }\n\
        never { byte k; do :: x == 1 -> k = 1 :: k == 1 -> break od }\n";
    let result = verdicts(&folder("liveness-variables", model), &["--property", "never"]);
    assert_eq!(result.out, "never  unknown   the claim has variables of its own\n");
    let model = "byte n;\nactive proctype A() { do :: n < 70 -> run B(); n++ :: else -> break od }\n\
        proctype B() { n == 99 }\nltl p { <>(n == 80) || <>[](n < 90) }\n";
    let folder = folder("liveness-crowd", model);
    let result = verdicts(&folder, &["--property", "p", "--fair"]);
    assert_eq!(result.code, 2, "{result:?}");
    assert!(result.out.contains("more than 63 processes"), "{result:?}");
    assert_eq!(verdicts(&folder, &["--property", "p"]).out, "p  holds\n");
}

#[test]
fn a_lasso_in_other_formats_says_where_its_cycle_begins() {
    let folder = scratch("liveness-formats");
    let elevator = elevator();
    let args = ["check", &elevator, "--property", "served", "--no-trail"];
    let sarif = object(&folder, &[&args[..], &["--sarif", "-"]].concat());
    let result = &sarif["runs"][0]["results"][0];
    assert_eq!(result["properties"]["cycleStart"], 3);
    let flow = &result["codeFlows"][0]["threadFlows"][0]["locations"];
    assert_eq!(
        flow[3]["location"]["message"]["text"],
        "the cycle begins: passenger(0): !call[_pid]"
    );
    let itf = object(&folder, &[&args[..], &["--itf", "-"]].concat());
    assert_eq!((&itf["loop"], itf["states"].as_array().map(Vec::len)), (&json!(3), Some(9)));
    let junit = run_in(&folder, &[&args[..], &["--junit", "-"]].concat()).out;
    assert!(junit.contains("after 3 steps, then 6 steps repeat for ever"), "{junit}");
    assert!(junit.contains("after 9 steps the state is the same as after step 3: "), "{junit}");
}

/// Ctrl-C ends a search for cycles with the results so far.
#[cfg(unix)]
#[test]
fn an_interrupted_search_for_cycles_keeps_what_it_found() {
    let looping = "active proctype R() { do :: skip od }\nltl found { <>(a == 1) }\n";
    let model = ENDLESS.replace("ltl p { []<>(a != b || a == b || a > 7) }\n", looping);
    // The violated formula is checked before the other one.
    let model = model.replace("ltl q", "ltl r");
    let args = ["check", "-", "--property", "found", "--property", "r", "--no-trail"];
    let result = crate::faults::interrupted(&model, &args);
    assert_eq!(result.code, 1, "{result:?}");
    assert!(result.out.contains("found  violated"), "{result:?}");
    assert!(result.out.contains("r      unknown   interrupted"), "{result:?}");
}

/// A formula or a claim that reads beyond an array has no value, which is reported; operands after
/// a false condition are not evaluated.
#[test]
fn what_has_no_value_is_told_and_not_taken_for_an_answer() {
    let model = "byte a[3], x = 7; chan none;\n\
        active proctype P() { do :: x = 8 :: x = 7 od }\n";
    let searches =
        ["auto", "dfs", "bfs", "ndfs", "cndfs", "scc", "astar(claim-distance)", "gbfs(hff)"];
    let asks = [
        ("ltl: [] (a[x] == 0)", "a[x] == 0 has no value (array index out of bounds)"),
        ("ltl: [] !(a[x] == 0)", "!(a[x] == 0) has no value (array index out of bounds)"),
        ("ltl: <> (a[x] == 1)", "a[x] == 1 has no value (array index out of bounds)"),
        ("ltl: [] (a[x] == 1 -> <> (x == 99))", "a[x] == 1 has no value"),
        ("ltl: [] <> (4 / (7 - x) == 0)", "4 / (7 - x) == 0 has no value (division by zero)"),
        ("ltl: [] <> (len(none) == 1)", "len(none) == 1 has no value (channel does not exist)"),
    ];
    let folder = folder("valueless", model);
    for (property, why) in asks {
        for search in searches {
            let args = ["check", "m.pml", "--property", property, "--search", search];
            let result = run_in(&folder, &args);
            assert_eq!(result.code, 1, "{property}, {search}: {result:?}");
            assert!(result.out.contains(why), "{property}, {search}: {result:?}");
        }
    }
    let guarded = "ltl: [] (x < 3 -> (a[x] == 0 U x == 7))";
    for search in searches {
        let args = ["--property", guarded, "--search", search];
        assert_eq!(verdicts(&folder, &args).code, 0, "{search}");
    }
    let never = format!("{model}never {{ do :: a[x] == 1 -> break :: else od }}\n");
    fs::write(folder.join("m.pml"), never).expect("the test directory is ours");
    for search in searches {
        let args = ["check", "m.pml", "--property", "never", "--search", search];
        let result = run_in(&folder, &args);
        assert_eq!(result.code, 1, "{search}: {result:?}");
        let told = run_in(&folder, &["replay", "m.pml", "m.pml.trail"]);
        assert!(told.out.contains("a[x] == 1 has no value"), "{search}: {told:?}");
    }
}

/// Eight counters: more states than anyone can enumerate, and two formulas that short runs violate.
const COUNTERS: &str = "#define N 8\nbyte x[N];\n\
    active [N] proctype P() { do :: x[_pid] = (x[_pid] + 1) % 25 od }\n\
    ltl p { []<>(x[0] == 0) }\nltl q { [](x[0] < 20) }\n";

/// No property waits for the end of the proof of another: a formula that is settled at once alone is
/// settled at once among others, too.
#[test]
fn no_property_waits_for_the_proof_of_another() {
    let folder = folder("liveness-turns", COUNTERS);
    // The proof for deadlocks takes all of the time. Two seconds are enough on a machine that is idle.
    let verdicts = |time: &str| {
        let check = object(&folder, &["check", "m.pml", "--json", "--no-trail", "--time", time]);
        let properties = check["properties"].as_array().expect("an array");
        ["p", "q"].map(|name| {
            let found = properties.iter().find(|property| property["name"] == name);
            found.map(|property| property["verdict"].clone()).expect("it is asked for")
        })
    };
    let both = [json!("violated"), json!("violated")];
    assert!(["2s", "20s"].into_iter().any(|time| verdicts(time) == both), "a property waits");
}

/// With one thread, turns are counted in work, so that every run is the same.
#[test]
fn turns_are_the_same_in_every_run() {
    let model = format!("{SWITCH}ltl off {{ []<>(on == 0) }}\nltl on {{ []<>(on == 1) }}\n");
    let folder = folder("liveness-same", &model);
    let counts = || {
        let args = ["check", "m.pml", "--json", "--no-trail", "--jobs", "1"];
        let mut check = object(&folder, &args);
        let stats = check["stats"].as_object_mut().expect("an object");
        stats.remove("seconds");
        stats.remove("peak_bytes");
        check
    };
    assert_eq!(counts(), counts());
}
