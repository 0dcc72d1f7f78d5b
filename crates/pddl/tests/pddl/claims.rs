//! Heuristics keep their claims in every state of small tasks.

use beeline_kernel::spec::Spec;
use beeline_kernel::{Estimate, Resources};
use beeline_model::{Aim, System as _};
use beeline_pddl::PlanningSystem;

use crate::graph::StateGraph;
use crate::tasks::TASKS;

#[test]
fn heuristics_keep_their_claims() {
    for task in TASKS {
        let system = task.system();
        let graph = StateGraph::of(&system);
        for name in [
            "blind",
            "hmax",
            "hadd",
            "hadd(costs=task)",
            "hff",
            "hff(costs=one)",
            "lmcut",
            "lmcount",
            "lmcount(costs=one)",
            "pdb",
            "dpa",
            "max(hmax, lmcut)",
        ] {
            let spec = Spec::parse(name).expect("it is a spec");
            let target = system.target(&PlanningSystem::property()).expect("it is about states");
            let built = system.heuristic(&spec, Aim::Error(target), Resources::default());
            let mut heuristic = built.unwrap_or_else(|error| panic!("{name}: {error}"));
            let claims = heuristic.claims();
            let estimates: Vec<Estimate> =
                graph.states.iter().map(|state| heuristic.estimate(state)).collect();
            for at in 0..graph.states.len() {
                let about = format!("{}, {name}, state {at}", task.name);
                match (estimates[at], graph.distances[at]) {
                    (Estimate::DeadEnd, Some(distance)) => {
                        assert!(!claims.safe, "{about}: no dead end, {distance}");
                    }
                    (Estimate::Finite(cost), Some(distance)) if claims.admissible => {
                        assert!(u64::from(cost.0) <= distance, "{about}: {cost} > {distance}");
                    }
                    _ => {}
                }
                let Estimate::Finite(own) = estimates[at] else { continue };
                for &(_, cost, next) in graph.edges[at].iter().filter(|_| claims.consistent) {
                    if let Estimate::Finite(further) = estimates[next] {
                        assert!(u64::from(own.0) <= cost + u64::from(further.0), "{about}");
                    }
                }
            }
        }
    }
}

/// Landmarks add up where the most expensive fact alone does not.
#[test]
fn landmarks_are_better_than_the_most_expensive_fact() {
    let system = TASKS[0].system();
    let state = &StateGraph::of(&system).states[0];
    let estimate = |name: &str| {
        let spec = Spec::named(name);
        let target = system.target(&PlanningSystem::property()).expect("it is about states");
        let built = system.heuristic(&spec, Aim::Error(target), Resources::default());
        built.expect("it is a heuristic").estimate(state).finite().expect("there is a plan").0
    };
    let (most, landmarks, plan) = (estimate("hmax"), estimate("lmcut"), estimate("hff"));
    assert!(most < landmarks && landmarks <= 9, "{most}, {landmarks}");
    assert!(plan >= landmarks, "{plan}");
}
