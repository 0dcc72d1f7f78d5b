//! Tasks in the format of Fast Downward's translator.

use beeline_pddl::{PlanFault, PlanningSystem, read_plan, read_sas, replay_sas};
use expect_test::{Expect, expect};

use crate::graph::{StateGraph, plan_of};

/// A switch, a door that is open where the switch is on, by an axiom, and a room. Two operators have
/// the same name and different costs.
const DOOR: &str = "begin_version\n3\nend_version\nbegin_metric\n1\nend_metric\n3\n\
begin_variable\nvar0\n-1\n3\nAtom at(hall)\nAtom at(door)\nAtom at(room)\nend_variable\n\
begin_variable\nvar1\n-1\n2\nAtom on()\nNegatedAtom on()\nend_variable\n\
begin_variable\nvar2\n0\n2\nAtom open()\nNegatedAtom open()\nend_variable\n\
1\nbegin_mutex_group\n3\n0 0\n0 1\n0 2\nend_mutex_group\n\
begin_state\n0\n1\n1\nend_state\nbegin_goal\n1\n0 2\nend_goal\n5\n\
begin_operator\nmove hall door\n0\n1\n0 0 0 1\n1\nend_operator\n\
begin_operator\nmove door room\n1\n2 0\n1\n0 0 1 2\n1\nend_operator\n\
begin_operator\npress\n1\n0 0\n2\n1 1 1 1 -1 0\n1 1 0 1 -1 1\n4\nend_operator\n\
begin_operator\nlight\n1\n0 1\n1\n0 1 -1 0\n7\nend_operator\n\
begin_operator\nlight\n1\n1 1\n1\n0 1 -1 0\n5\nend_operator\n\
1\nbegin_rule\n1\n1 0\n2 1 0\nend_rule\n";

#[test]
fn the_space_agrees_with_the_execution_of_plans() {
    let task = read_sas(DOOR).expect("it has no mistakes");
    let system = PlanningSystem::of_sas(task.clone());
    let graph = StateGraph::of(&system);
    // Two places with the switch on or off; the room, where it is on, since the door is open.
    assert_eq!((graph.states.len(), graph.distances[0]), (5, Some(6)));
    for (path, &is_goal) in graph.paths.iter().zip(&graph.is_goal) {
        let replayed = replay_sas(&task, &plan_of(&system, path));
        match is_goal {
            true => assert!(replayed.is_ok(), "{replayed:?}"),
            false => assert_eq!(replayed, Err(PlanFault::Goal)),
        }
    }
}

#[test]
fn plans_are_executed() {
    let task = read_sas(DOOR).expect("it has no mistakes");
    let run = |plan: &str| {
        let replayed = read_plan(plan).and_then(|steps| replay_sas(&task, &steps));
        replayed.map_or_else(|fault| fault.to_string(), |plan| plan.cost.to_string())
    };
    assert_eq!(run("(press)\n(move hall door)\n(MOVE door room)\n"), "6");
    // The cheaper operator of two with this name.
    assert_eq!(run("(move hall door)\n(light)\n(move door room)\n"), "7");
    assert_eq!(run("(press)\n"), "the goal does not hold after the last step");
    let closed = "step 2, (move door room): its precondition does not hold";
    assert_eq!(run("(move hall door)\n(move door room)\n"), closed);
    assert_eq!(run("(press)\n(press)\n(open)\n"), "step 3, (open): there is no such action");
}

#[test]
fn mistakes_have_a_line() {
    let check = |from: &str, to: &str, expected: &Expect| {
        let text = DOOR.replacen(from, to, 1);
        assert!(text != DOOR);
        expected.assert_eq(&read_sas(&text).expect_err("it is refused").to_string());
    };
    check(
        "version\n3\n",
        "version\n2\n",
        &expect!["line 2: version 2 is not supported, only 3 is"],
    );
    check("end_metric", "", &expect!["line 6: expected `end_metric`, not ``"]);
    check(
        "Atom at(room)\n",
        "",
        &expect!["line 15: expected `end_variable`, not `begin_variable`"],
    );
    check("0 2\nend_goal", "0 3\nend_goal", &expect!["line 44: variable 0 has no value 3"]);
    check("0 2\nend_goal", "7 0\nend_goal", &expect!["line 44: there is no variable 7"]);
    check(
        "0 0 0 1\n1",
        "1 0 0 1\n1",
        &expect![
            "line 51: an effect is the number of its conditions, variables and values of these, a variable, its value before or -1, and its new value"
        ],
    );
    check("0 0 0 1\n1", "0 2 1 0\n1", &expect!["line 51: an operator sets a derived variable"]);
    check(
        "2 1 0\nend_rule",
        "2 0 1\nend_rule",
        &expect!["line 91: an axiom changes a variable from its initial value to the other"],
    );
    check(
        "1 0\n2 1 0",
        "2 1\n2 1 0",
        &expect!["line 91: axioms are not stratified: a condition is in a higher layer"],
    );
    check(
        "open()\nend",
        "open()\nAtom half()\nend",
        &expect!["line 29: expected `end_variable`, not `Atom half()`"],
    );
    check("\nend_rule\n", "", &expect!["line 92: the file ends where `end_rule` should be"]);
    check(
        DOOR,
        "(define (domain d))",
        &expect!["line 1: expected `begin_version`, not `(define (domain d))`"],
    );
}
