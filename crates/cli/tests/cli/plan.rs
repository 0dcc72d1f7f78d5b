//! `plan`: plans, proofs, validation, and exit codes.

use std::fs;
use std::path::PathBuf;

use serde_json::Value;

use crate::run::{Run, run_in, scratch};

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
