//! `plan`: plans, proofs, validation, and exit codes.

use std::fs;
use std::path::PathBuf;

use serde_json::Value;

use beeline_test_size::portion;

use crate::run::{Run, run_in, scratch};
use crate::schema::{disobeys, obeys};

const DOMAIN: &str = "(define (domain shop)
  (:requirements :typing :action-costs)
  (:types place item)
  (:predicates (in ?p - place) (has ?i - item) (sells ?p - place ?i - item) (way ?a ?b - place))
  (:functions (total-cost))
  (:action go :parameters (?a ?b - place) :precondition (and (in ?a) (way ?a ?b))
    :effect (and (not (in ?a)) (in ?b) (increase (total-cost) 3)))
  (:action buy :parameters (?p - place ?i - item) :precondition (and (in ?p) (sells ?p ?i))
    :effect (and (has ?i) (increase (total-cost) 1))))";

fn problem(goal: &str) -> String {
    format!(
        "(define (problem milk) (:domain shop)
  (:objects home market mall - place milk - item)
  (:init (in home) (way home market) (way market home) (sells market milk))
  (:goal {goal}) (:metric minimize (total-cost)))"
    )
}

/// A folder with the domain and problems with and without a plan.
fn folder(name: &str) -> PathBuf {
    let folder = scratch(name);
    for (file, text) in [
        ("domain.pddl", DOMAIN.to_owned()),
        ("milk.pddl", problem("(and (has milk) (in home))")),
        ("mall.pddl", problem("(in mall)")),
        ("both.pddl", problem("(and (in home) (in market))")),
        ("wrong.pddl", problem("(has mylk)")),
    ] {
        fs::write(folder.join(file), text).expect("the file can be written");
    }
    folder
}

fn object(run: &Run) -> Value {
    serde_json::from_str(&run.out).expect("standard output is one JSON value")
}

#[test]
fn a_plan_is_printed_with_its_cost_and_its_proof() {
    let folder = folder("plan-text");
    let result = run_in(&folder, &["plan", "domain.pddl", "milk.pddl"]);
    let expected = "(go home market)\n(buy market milk)\n(go market home)\n; cost = 7\n\
                    ; 3 actions, validated; optimal\n";
    assert_eq!((result.code, &*result.out, &*result.err), (0, expected, ""));
    let quiet = run_in(&folder, &["plan", "domain.pddl", "milk.pddl", "-q", "--out", "plan.txt"]);
    assert_eq!(quiet.code, 0);
    assert_eq!(fs::read_to_string(folder.join("plan.txt")).unwrap(), quiet.out);
}

#[test]
fn keys_of_the_object_are_those_of_the_contract() {
    let folder = folder("plan-json");
    for search in
        ["astar(lmcut)", "astar(hmax)", "dijkstra", "gbfs(hff, preferred=yes)", "ida(hmax)"]
    {
        let line = ["plan", "domain.pddl", "milk.pddl", "--json", "--search", search];
        let result = run_in(&folder, &line);
        let object = object(&result);
        assert_eq!((result.code, &object["verdict"]), (0, &"solved".into()), "{search}");
        assert_eq!((&object["cost"], &object["length"]), (&7.into(), &3.into()), "{search}");
        assert_eq!(object["validated"], true);
        assert_eq!(object["plan"][1], "(buy market milk)");
        if search.starts_with("astar") || search == "dijkstra" {
            assert_eq!((&object["optimal"], &object["lower_bound"]), (&true.into(), &7.into()));
        }
        assert!(object["stats"]["expanded"].as_u64().is_some());
    }
}

#[test]
fn without_a_plan_the_exit_code_is_1() {
    let folder = folder("plan-none");
    for problem in ["mall.pddl", "both.pddl"] {
        for more in [&[][..], &["--search", "astar(lmcut)"], &["--search", "bfs"]] {
            let mut line = vec!["plan", "domain.pddl", problem, "--json"];
            line.extend(more);
            let result = run_in(&folder, &line);
            assert_eq!(result.code, 1, "{problem}, {more:?}: {result:?}");
            assert_eq!(object(&result)["verdict"], "unsolvable");
        }
    }
}

#[test]
fn mistakes_have_places_and_exit_codes() {
    let folder = folder("plan-mistakes");
    let result = run_in(&folder, &["plan", "domain.pddl", "wrong.pddl"]);
    assert_eq!(result.code, 3);
    assert!(result.err.contains("unknown object `mylk`"), "{}", result.err);
    assert!(result.err.contains("did you mean `milk`?"), "{}", result.err);
    assert!(result.err.contains("wrong.pddl: 1 error"), "{}", result.err);
    let swapped = run_in(&folder, &["plan", "milk.pddl", "domain.pddl"]);
    assert_eq!(swapped.code, 3);
    assert!(swapped.err.contains("defines a problem, not a domain"), "{}", swapped.err);
    let missing = run_in(&folder, &["plan", "domain.pddl", "none.pddl"]);
    assert_eq!(missing.code, 4);
    let search =
        run_in(&folder, &["plan", "domain.pddl", "milk.pddl", "--search", "astar(active)"]);
    assert_eq!(search.code, 4, "{search:?}");
    assert!(search.err.contains("lmcut"), "{}", search.err);
}

#[test]
fn a_given_plan_is_executed() {
    let folder = folder("plan-validate");
    let plans = [
        ("(go home market)\n(BUY market milk)\n(go market home)\n", 0, "3 actions, cost 7"),
        ("(go home market)\n(buy market milk)\n", 1, "the goal does not hold"),
        ("(buy market milk)\n", 1, "step 1, (buy market milk): (in market) does not hold"),
        ("buy market milk\n", 1, "line 1: expected an action"),
    ];
    for (text, code, expected) in plans {
        fs::write(folder.join("given.txt"), text).unwrap();
        let line = ["plan", "domain.pddl", "milk.pddl", "--validate", "given.txt"];
        let result = run_in(&folder, &line);
        assert_eq!(result.code, code, "{text}: {result:?}");
        assert!(result.out.contains(expected), "{}", result.out);
    }
}

#[test]
fn objects_obey_their_schema() {
    let schema = include_str!("../../../../docs/schemas/plan.schema.json");
    let schema: Value = serde_json::from_str(schema).expect("the schema is JSON");
    let folder = folder("plan-schema");
    fs::write(folder.join("given.txt"), "(go home market)\n").unwrap();
    for (problem, more) in [
        ("milk.pddl", &[][..]),
        ("milk.pddl", &["--search", "astar(lmcut)"]),
        ("mall.pddl", &["--search", "bfs"]),
        ("milk.pddl", &["--ground"]),
        ("milk.pddl", &["--validate", "given.txt"]),
        ("milk.pddl", &["--memory", "1k"]),
    ] {
        let mut line = vec!["plan", "domain.pddl", problem, "--json"];
        line.extend(more);
        let object = object(&run_in(&folder, &line));
        obeys(&object, &schema);
    }
    disobeys(&serde_json::json!({"tool": "beeline", "version": "0", "model": "m"}), &schema);
}

/// All searches and heuristics that work on factored systems apply.
#[test]
fn searches_on_factored_systems_apply() {
    let folder = folder("plan-searches");
    for (search, is_optimal) in [
        ("astar(pdb)", true),
        ("astar(dpa)", true),
        ("astar(max(lmcut, pdb))", true),
        ("symbolic-bfs", false),
        ("symbolic-astar(h=pattern)", true),
        ("symbolic-dijkstra", true),
        (
            "gbfs([hff(costs=one), lmcount(costs=one)], evaluate=lazy, preferred=yes, ties=fifo)",
            false,
        ),
        ("beam(lmcount)", false),
        ("ida(lmcut)", false),
        ("gbfs(hadd, novelty=1)", false),
    ] {
        let line = ["plan", "domain.pddl", "milk.pddl", "--json", "--search", search];
        let result = run_in(&folder, &line);
        assert_eq!(result.code, 0, "{search}: {result:?}");
        let object = object(&result);
        assert_eq!((&object["cost"], &object["validated"]), (&7.into(), &true.into()), "{search}");
        assert!(!is_optimal || object["optimal"] == true, "{search}: {object}");
    }
}

#[test]
fn a_task_is_grounded_without_a_search() {
    let folder = folder("plan-ground");
    let result = run_in(&folder, &["plan", "domain.pddl", "milk.pddl", "--ground"]);
    let expected = "3 facts in 2 variables, 3 operators, 0 axioms\n";
    assert_eq!((result.code, &*result.out), (0, expected));
}

/// 100^4 instances of an action.
#[test]
fn a_task_that_grounds_to_too_much_keeps_to_the_memory_limit() {
    let folder = scratch("plan-large");
    let domain = "(define (domain d) (:predicates (p ?x) (q ?x ?y ?z ?w))
      (:action small :parameters (?x) :precondition (p ?x) :effect (q ?x ?x ?x ?x))
      (:action large :parameters (?x ?y ?z ?w)
        :precondition (and (p ?x) (p ?y) (p ?z) (p ?w)) :effect (q ?x ?y ?z ?w)))";
    let objects: String = (0..100).map(|at| format!(" o{at}")).collect();
    let initial: String = (0..100).map(|at| format!(" (p o{at})")).collect();
    let problem = format!(
        "(define (problem l) (:domain d) (:objects{objects}) (:init{initial})
          (:goal (q o1 o2 o3 o4)))"
    );
    fs::write(folder.join("domain.pddl"), domain).unwrap();
    fs::write(folder.join("problem.pddl"), problem).unwrap();
    let line = ["plan", "domain.pddl", "problem.pddl", "--memory", "100M"];
    let result = run_in(&folder, &line);
    assert_eq!(result.code, 2, "{result:?}");
    let expected =
        "the memory limit was reached while grounding: the action `large` has most instances";
    assert!(result.out.contains(expected), "{}", result.out);
    assert!(result.out.contains("split it into actions with fewer parameters"), "{}", result.out);
}

/// Ten megabytes of garbage (two without `CI`), with parentheses or without, end in messages.
#[test]
fn large_files_of_garbage_are_refused() {
    let folder = folder("plan-garbage");
    let size = portion(10_000_000u32);
    let letters: String = (0..size)
        .map(|at| char::from(32 + (at.wrapping_mul(2_654_435_761) >> 25) as u8 % 95))
        .collect();
    fs::write(folder.join("letters.pddl"), letters).unwrap();
    fs::write(folder.join("open.pddl"), "(".repeat(size as usize)).unwrap();
    fs::write(folder.join("zeros.pddl"), vec![0; size as usize]).unwrap();
    let mut summaries = String::new();
    for name in ["letters.pddl", "open.pddl", "zeros.pddl"] {
        for line in [["plan", name, "milk.pddl"], ["plan", "domain.pddl", name]] {
            let result = run_in(&folder, &line);
            assert_eq!((result.code, &*result.out), (3, ""), "{line:?}");
            assert!(result.err.len() < 20_000, "{line:?}: {} bytes", result.err.len());
            summaries += result.err.lines().next().unwrap_or_default();
            summaries += "\n";
        }
        let result = run_in(&folder, &["plan", name, "--from", "sas"]);
        assert_eq!(result.code, 3);
        summaries += result.err.lines().next().unwrap_or_default();
        summaries += "\n";
    }
    expect_test::expect![[r#"
        error[pddl-syntax]: unexpected character '\\'
        error[pddl-syntax]: unexpected character '\\'
        error: `letters.pddl`, line 1: expected `begin_version`, not `o>.\+zI9g7'U$sB2`/ N>l;+Y(wG7e4$R!p?0^-|`
        error[pddl-syntax]: parentheses are nested deeper than 500 levels
        error[pddl-syntax]: parentheses are nested deeper than 500 levels
        error: `open.pddl`, line 1: expected `begin_version`, not `((((((((((((((((((((((((((((((((((((((((`
        error[pddl-syntax]: unexpected character '\0'
        error[pddl-syntax]: unexpected character '\0'
        error: `zeros.pddl`, line 1: expected `begin_version`, not `␀␀␀␀␀␀␀␀␀␀␀␀␀␀␀␀␀␀␀␀␀␀␀␀␀␀␀␀␀␀␀␀␀␀␀␀␀␀␀␀`
    "#]]
    .assert_eq(&summaries);
}

const COUNTER: &str = "(define (domain counter) (:requirements :numeric-fluents)
  (:predicates (done)) (:functions (n))
  (:action up :effect (increase (n) 3))
  (:action down :effect (decrease (n) 2)))";

#[test]
fn numbers_stay_in_a_given_range() {
    let folder = scratch("plan-range");
    let problem = |goal: u32| {
        format!("(define (problem p) (:domain counter) (:init (= (n) 0)) (:goal (= (n) {goal})))")
    };
    fs::write(folder.join("domain.pddl"), COUNTER).unwrap();
    fs::write(folder.join("two.pddl"), problem(2)).unwrap();
    let plan = |range: &[&str], more: &[&str]| {
        let line = [&["plan", "domain.pddl", "two.pddl", "--json"], range, more].concat();
        let result = run_in(&folder, &line);
        (result.code, object(&result))
    };
    // Up, up, down, down passes 6; the other order of these four actions does not leave 0 and 4.
    for (range, length) in
        [("0..4", Some(4)), ("-2..3", Some(4)), ("0..3", None), ("0..100", Some(4))]
    {
        for search in ["bfs", "astar(hmax)", "symbolic-bfs"] {
            let (code, found) = plan(&["--range", range], &["--search", search]);
            assert_eq!(code, i32::from(length.is_none()), "{range} {search}: {found}");
            assert_eq!(found["length"].as_u64(), length, "{range} {search}: {found}");
            let remark = found["remarks"].to_string();
            assert!(remark.contains("by --range"), "{remark}");
        }
    }
    let (code, found) = plan(&["--range", "1..9"], &[]);
    assert_eq!(code, 4, "{found}");
    let message = "the initial value of (n), 0, is not in the range";
    assert!(found["error"].to_string().contains(message), "{found}");
    let wrong = run_in(&folder, &["plan", "domain.pddl", "two.pddl", "--range", "4..0"]);
    assert_eq!(wrong.code, 4);
    assert!(wrong.err.contains("expected two whole numbers"), "{}", wrong.err);
}

#[test]
fn the_output_of_a_translator_is_a_task() {
    let folder = scratch("plan-sas");
    let model = "chan c = [2] of { bit }; active [2] proctype P() { c!1; c!1 }\n";
    fs::write(folder.join("model.pml"), model).unwrap();
    for format in ["sas", "pddl"] {
        let line = ["export", "model.pml", "--to", format, "--out", "task"];
        assert_eq!(run_in(&folder, &line).code, 0);
    }
    let sas = ["plan", "task/output.sas", "--from", "sas"];
    let mut found = Vec::new();
    for task in [&["plan", "task/domain.pddl", "task/problem.pddl"][..], &sas] {
        for search in ["astar(lmcut)", "dijkstra", "symbolic-dijkstra"] {
            let line = [task, &["--json", "--out", "plan", "--search", search]].concat();
            let result = run_in(&folder, &line);
            assert_eq!(result.code, 0, "{result:?}");
            found.push(object(&result)["cost"].clone());
        }
    }
    assert!(found.iter().all(|cost| *cost == found[0]), "{found:?}");
    let valid = run_in(&folder, &[&sas[..], &["--validate", "plan"]].concat());
    assert_eq!(valid.code, 0, "{}", valid.out);
    let back = run_in(&folder, &["import-plan", "model.pml", "plan", "--no-trail", "-q"]);
    assert!(back.out.starts_with("deadlock: violated, invalid end state"), "{}", back.out);
    let two = run_in(&folder, &["plan", "task/output.sas", "plan", "--from", "sas"]);
    assert_eq!(two.code, 4);
    assert!(two.err.contains("--from sas needs one file"), "{}", two.err);
    let one = run_in(&folder, &["plan", "task/domain.pddl", "--from", "pddl"]);
    assert_eq!(one.code, 4);
    assert!(one.err.contains("the problem is missing"), "{}", one.err);
    fs::write(folder.join("bad.sas"), "begin_version\n4\nend_version\n").unwrap();
    let bad = run_in(&folder, &["plan", "bad.sas", "--from", "sas"]);
    assert_eq!(bad.code, 3);
    let message = "error: `bad.sas`, line 2: version 4 is not supported, only 3 is";
    assert!(bad.err.starts_with(message), "{}", bad.err);
}

/// Items that are all alike: with symmetries, the bought ones matter only by their number.
#[test]
fn symmetric_states_are_expanded_once() {
    let folder = folder("plan-symmetry");
    let items = "a b c d e f g";
    let each = |text: &str| -> String {
        items.split(' ').map(|item| text.replace('?', item)).collect::<Vec<_>>().join(" ")
    };
    let problem = format!(
        "(define (problem all) (:domain shop) (:objects home market - place {items} - item)
          (:init (in home) (way home market) (way market home) {})
          (:goal (and (in home) {})) (:metric minimize (total-cost)))",
        each("(sells market ?)"),
        each("(has ?)")
    );
    fs::write(folder.join("all.pddl"), problem).expect("the file can be written");
    let run = |more: &[&str]| {
        let line = [&["plan", "domain.pddl", "all.pddl", "--json"], more].concat();
        let result = run_in(&folder, &line);
        let found = object(&result);
        assert_eq!((result.code, found["cost"].as_u64()), (0, Some(13)), "{line:?}");
        assert_eq!((&found["optimal"], &found["validated"]), (&true.into(), &true.into()));
        found["stats"]["expanded"].as_u64().expect("the states are counted")
    };
    let all = run(&["--search", "dijkstra"]);
    assert!(all > 128, "{all}");
    assert_eq!(run(&["--search", "dijkstra", "--symmetry", "auto"]), all);
    assert_eq!(run(&["--search", "dijkstra", "--symmetry", "off"]), all);
    let few = run(&["--search", "dijkstra", "--symmetry", "on"]);
    assert!(few <= 20, "{few}");
    run(&["--optimal"]);
    run(&["--optimal", "--symmetry", "off", "--reduce", "off"]);
}
