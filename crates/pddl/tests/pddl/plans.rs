//! The grounded task agrees with the execution of plans on the task as it is written.

use beeline_kernel::Deadline;
use beeline_pddl::{PlanFault, PlanStep, PlanningText, ground, read, read_plan, replay};

use crate::graph::{StateGraph, plan_of};
use crate::tasks::TASKS;

#[test]
fn optimal_costs_are_those_of_the_tasks() {
    for task in TASKS {
        let system = task.system();
        let optimal = match system.is_unsolvable() {
            true => None,
            false => StateGraph::of(&system).distances[0],
        };
        assert_eq!(optimal, task.optimal, "{}", task.name);
    }
}

#[test]
fn each_path_of_the_space_is_a_plan_exactly_if_it_ends_in_a_goal() {
    for task in TASKS {
        let (written, system) = (task.task(), task.system());
        let graph = StateGraph::of(&system);
        for (at, path) in graph.paths.iter().enumerate() {
            let mut longer = vec![path.clone()];
            longer.extend(graph.edges[at].iter().map(|one| [&path[..], &[one.0]].concat()));
            let ends = std::iter::once(at).chain(graph.edges[at].iter().map(|one| one.2));
            for (path, end) in longer.iter().zip(ends) {
                let plan = plan_of(&system, path);
                let replayed = replay(&written, &plan);
                match graph.is_goal[end] {
                    true => assert!(replayed.is_ok(), "{}: {plan:?}: {replayed:?}", task.name),
                    false => assert_eq!(replayed, Err(PlanFault::Goal), "{}: {plan:?}", task.name),
                }
            }
        }
    }
}

/// All actions with all arguments are tried in every state: what can be executed is a step of the
/// space, unless it changes nothing.
#[test]
fn no_applicable_action_is_missing() {
    for task in TASKS {
        let (written, system) = (task.task(), task.system());
        // Without a goal that can be reached, no action matters.
        if system.is_unsolvable() {
            continue;
        }
        let graph = StateGraph::of(&system);
        for (at, path) in graph.paths.iter().enumerate() {
            let steps: Vec<PlanStep> =
                plan_of(&system, &graph.edges[at].iter().map(|one| one.0).collect::<Vec<_>>());
            for action in &written.actions {
                let mut tuples: Vec<Vec<String>> = vec![Vec::new()];
                for variable in &action.variables[..action.parameters] {
                    let names =
                        variable.objects.iter().map(|one| &written.objects[one.0 as usize].name);
                    let names: Vec<String> = names.map(ToString::to_string).collect();
                    let longer = tuples.iter().flat_map(|tuple| {
                        names.iter().map(|name| [&tuple[..], std::slice::from_ref(name)].concat())
                    });
                    tuples = longer.collect();
                }
                for arguments in tuples {
                    let step = PlanStep { name: action.name.to_string(), arguments };
                    let mut plan = plan_of(&system, path);
                    plan.push(step.clone());
                    let is_executed =
                        matches!(replay(&written, &plan), Ok(_) | Err(PlanFault::Goal));
                    let is_step = steps.contains(&step);
                    assert!(is_executed || !is_step, "{}: {step} after {path:?}", task.name);
                    // Steps from a place to itself change nothing, and are left out.
                    let changes = step.arguments.windows(2).all(|pair| pair[0] != pair[1]);
                    if is_executed && changes {
                        assert!(is_step, "{}: {step} is missing after {path:?}", task.name);
                    }
                }
            }
        }
    }
}

#[test]
fn mutex_groups_make_few_variables() {
    let sizes = TASKS[0].system().sizes();
    // The robot, and for each thing where it is: the facts of the hand are among them.
    assert!(sizes.variables <= 5, "{sizes:?}");
    assert_eq!(sizes.facts, 2 + 3 * 3 + 1);
}

#[test]
fn plans_are_read_with_comments_and_numbers() {
    let plan = read_plan("; a plan\n(MOVE home hall)\n\n1: (pick c hall) ; here\n; cost = 2\n");
    let texts: Vec<String> = plan.expect("it is a plan").iter().map(ToString::to_string).collect();
    assert_eq!(texts, ["(move home hall)", "(pick c hall)"]);
    let wrong = read_plan("(move home hall)\nmove hall home\n").expect_err("no parentheses");
    assert_eq!(wrong.to_string(), "line 2: expected an action in parentheses, as `(move a b)`");
}

#[test]
fn faults_of_plans_are_explained() {
    let task = TASKS[0].task();
    let fault = |text: &str| {
        let plan = read_plan(text).expect("the syntax is right");
        replay(&task, &plan).expect_err("it is no plan").to_string()
    };
    assert_eq!(
        fault("(move home hall)(x)\n(pick a home)"),
        "step 2, (pick a home): (at-robot home) does not hold"
    );
    assert_eq!(fault("(fly home)"), "step 1, (fly home): there is no such action");
    assert_eq!(fault("(move home)"), "step 1, (move home): the action takes 2 arguments, not 1");
    assert_eq!(fault("(move home moon)"), "step 1, (move home moon): there is no object `moon`");
    assert_eq!(fault("(move home a)"), "step 1, (move home a): `a` has not the type of `?to`");
    assert_eq!(fault(""), "the goal does not hold after the last step");
}

#[test]
fn grounding_ends_at_its_limits_and_names_the_action() {
    let parameters: String = (0..8).map(|at| format!(" ?x{at}")).collect();
    let domain = format!(
        "(define (domain wide) (:predicates (p ?x) (q)) (:action wide :parameters ({parameters})
         :precondition (p ?x0) :effect (q)))"
    );
    let objects: String = (0..60).map(|at| format!(" o{at}")).collect();
    let problem = format!(
        "(define (problem wide) (:domain wide) (:objects{objects}) (:init (p o1)) (:goal (q)))"
    );
    let given =
        read(PlanningText { name: "d", text: &domain }, PlanningText { name: "p", text: &problem });
    let task = given.task.expect("it is well-formed");
    let error = ground(&task, Deadline::NEVER, 8 << 20).expect_err("it is too large").to_string();
    assert!(error.contains("the memory limit was reached") && error.contains("`wide`"), "{error}");
}
