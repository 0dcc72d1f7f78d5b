//! Exact views have the steps and goals of the task, state by state, also where axioms became formulas.

use std::collections::BTreeSet;

use beeline_factored::{holds, successors};
use beeline_model::System as _;

use crate::graph::StateGraph;
use crate::tasks::{LAMPS, SmallTask, TASKS};

#[test]
fn exact_views_have_the_steps_and_goals_of_the_task() {
    let mut exact = Vec::new();
    for task in TASKS {
        let system = task.system();
        let problem = system.symbolic_problem().expect("each task has a view");
        let view = &problem.view;
        if !view.system.precision.is_exact() {
            continue;
        }
        exact.push(task.name);
        let graph = StateGraph::of(&system);
        for (at, state) in graph.states.iter().enumerate() {
            let about = format!("{}, state {at}", task.name);
            let read = |state: &[u8]| view.read(state).expect("each state has values");
            let values = read(state);
            let mut steps = BTreeSet::new();
            for operator in &view.system.steps {
                let add = &mut |after: &[i32]| {
                    steps.insert((operator.label.edge, u64::from(operator.cost), after.to_vec()));
                };
                successors(operator, &values, add).expect("operators are deterministic");
            }
            let edges = graph.edges[at].iter();
            let expected = edges.map(|&(edge, cost, to)| (edge, cost, read(&graph.states[to])));
            assert_eq!(steps, expected.collect(), "{about}");
            // A goal that relaxed reachability excludes is not there.
            let goal = view.system.goals.first();
            let is_goal = goal.is_some_and(|goal| holds(goal, &values).expect("values are known"));
            assert_eq!(is_goal, graph.is_goal[at], "{about}");
        }
    }
    assert_eq!(
        exact,
        ["two balls", "nothing to do", "no hand", "lamps", "all lamps", "shopping"],
        "numeric tasks without a range are not exact"
    );
}

/// Lamps that light each other: the formula of one would contain itself.
#[test]
fn axioms_that_depend_on_each_other_are_no_formulas() {
    let problem = "(define (problem ring) (:domain lamps) (:objects a b - lamp)
      (:init (next a b) (next b a) (on a)) (:goal (not (lit b))))";
    let task = SmallTask { name: "ring", domain: LAMPS, problem, optimal: Some(1) };
    let problem = task.system().symbolic_problem().expect("each task has a view");
    let reasons: Vec<&str> = problem.view.system.precision.reasons().collect();
    assert_eq!(reasons, ["derived predicates change at any time"]);
}
