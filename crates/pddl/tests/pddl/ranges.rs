//! Numeric fluents within a range that is given.

use beeline_kernel::Deadline;
use beeline_pddl::{GroundError, NumberRange, PlanFault, PlanningSystem, replay};

use crate::graph::{StateGraph, plan_of};
use crate::tasks::{SmallTask, TASKS};

fn jugs() -> &'static SmallTask {
    TASKS.iter().find(|task| task.name == "four litres").expect("there is such a task")
}

fn within(least: i32, greatest: i32) -> Result<PlanningSystem, GroundError> {
    let mut task = jugs().task();
    task.range = NumberRange { least, greatest };
    PlanningSystem::new(task, Deadline::NEVER, usize::MAX)
}

#[test]
fn a_range_that_no_action_leaves_changes_nothing_and_makes_the_view_exact() {
    let (free, bounded) = (jugs().system(), within(0, 5).expect("it can be grounded"));
    assert!(!free.factored().system.precision.is_exact());
    assert!(bounded.factored().system.precision.is_exact());
    let (free, bounded) = (StateGraph::of(&free), StateGraph::of(&bounded));
    assert_eq!(free.states, bounded.states);
    assert_eq!((free.distances[0], bounded.distances[0]), (Some(6), Some(6)));
}

/// The larger jug is never full: from it alone four litres cannot be poured.
#[test]
fn an_action_that_leaves_the_range_is_not_applicable() {
    let bounded = within(0, 4).expect("it can be grounded");
    let graph = StateGraph::of(&bounded);
    let all = StateGraph::of(&jugs().system());
    assert!(graph.states.len() < all.states.len());
    assert!(graph.states.iter().all(|state| all.states.contains(state)));
    assert_eq!(graph.distances[0], None);
    // What is left are steps of the task as it is written.
    for path in &graph.paths {
        let replayed = replay(&jugs().task(), &plan_of(&bounded, path));
        assert_eq!(replayed, Err(PlanFault::Goal));
    }
}

#[test]
fn initial_values_are_in_the_range() {
    let error = within(1, 5).err().expect("it is refused").to_string();
    assert_eq!(error, "the initial value of (in small), 0, is not in the range");
}
