//! All states of a small task, with their true distances to the goal.

use std::collections::HashMap;

use beeline_kernel::{EdgeId, Expansion, Trail, TrailLine};
use beeline_model::System as _;
use beeline_pddl::{PlanStep, PlanningSystem};

/// The states of a task.
pub(crate) struct StateGraph {
    pub(crate) states: Vec<Vec<u8>>,
    /// By state: the operators with their costs and ends.
    pub(crate) edges: Vec<Vec<(u32, u64, usize)>>,
    pub(crate) is_goal: Vec<bool>,
    /// By state: the cost of the cheapest path to a goal.
    pub(crate) distances: Vec<Option<u64>>,
    /// By state: the operators of a path to it.
    pub(crate) paths: Vec<Vec<u32>>,
}

impl StateGraph {
    /// Explores a task.
    pub(crate) fn of(system: &PlanningSystem) -> StateGraph {
        let space = system.space();
        let (mut initial, mut expansion) = (Vec::new(), Expansion::default());
        space.initial(&mut initial).expect("planning tasks have no faults");
        let mut ids = HashMap::from([(initial.clone(), 0)]);
        let mut graph = StateGraph {
            states: vec![initial],
            edges: Vec::new(),
            is_goal: Vec::new(),
            distances: Vec::new(),
            paths: vec![Vec::new()],
        };
        let mut at = 0;
        while at < graph.states.len() {
            space.expand(&graph.states[at].clone(), &mut expansion);
            graph.is_goal.push(!expansion.violated_invariants.is_empty());
            let mut edges = Vec::new();
            for (transition, state) in
                expansion.successors.transitions().iter().zip(expansion.states())
            {
                let next = graph.states.len();
                let id = *ids.entry(state.to_vec()).or_insert(next);
                if id == next {
                    graph.states.push(state.to_vec());
                    let mut path = graph.paths[at].clone();
                    path.push(transition.label.edge);
                    graph.paths.push(path);
                }
                edges.push((transition.label.edge, u64::from(transition.steps), id));
            }
            graph.edges.push(edges);
            at += 1;
            assert!(at < 20_000, "the task is too large for this test");
        }
        graph.measure();
        graph
    }

    /// Distances, by relaxation until nothing changes.
    fn measure(&mut self) {
        self.distances = self.is_goal.iter().map(|&is_goal| is_goal.then_some(0)).collect();
        let mut is_changed = true;
        while is_changed {
            is_changed = false;
            for at in 0..self.states.len() {
                for &(_, cost, next) in &self.edges[at] {
                    let Some(further) = self.distances[next] else { continue };
                    let through = further + cost;
                    if self.distances[at].is_none_or(|known| through < known) {
                        self.distances[at] = Some(through);
                        is_changed = true;
                    }
                }
            }
        }
    }
}

/// The actions of a path of operators.
pub(crate) fn plan_of(system: &PlanningSystem, operators: &[u32]) -> Vec<PlanStep> {
    let line = |&edge: &u32| TrailLine { pid: 0, edge: EdgeId(edge) };
    system.plan(&Trail { lines: operators.iter().map(line).collect(), ..Trail::default() })
}
