//! The reachable states of a small model as a graph: states with their values by name, edges with
//! the statements between them.
//!
//! The states are those that `count` counts: states inside atomic sequences are part of an edge.

use beeline_model::{ProcessPosition, ProcessStep};
use std::collections::HashMap;

use beeline_engine::automata::AutomataOptions;
use beeline_engine::interpreter::{DecodedState, Move, Successor};
use beeline_kernel::FaultKind;
use beeline_promela::Frontend;

use crate::describer::Describer;
use crate::semantics::SemanticsOptions;

/// The reachable states of a model.
#[derive(Clone, Debug, Default)]
pub struct StateGraph {
    /// The states in breadth-first order, the initial state first.
    pub states: Vec<StateNode>,
    /// The edges, by source state.
    pub edges: Vec<StateEdge>,
    /// The model fails before its first step.
    pub initial_fault: Option<FaultKind>,
}

/// A state.
#[derive(Clone, Debug)]
pub struct StateNode {
    /// All values by name.
    pub values: Vec<(String, String)>,
    /// The positions of the processes.
    pub processes: Vec<ProcessPosition>,
    /// Whether it is an invalid end state.
    pub deadlock: bool,
}

/// A move from a state to another one.
#[derive(Clone, Debug)]
pub struct StateEdge {
    /// The source state.
    pub from: usize,
    /// The target state; `None` after a fatal fault.
    pub to: Option<usize>,
    /// The steps: one, or those of an atomic sequence.
    pub steps: Vec<GraphStep>,
    /// The fault on this move.
    pub fault: Option<FaultKind>,
}

/// A step of a move.
#[derive(Clone, Debug)]
pub struct GraphStep {
    /// The process that moves.
    pub turn: ProcessStep,
    /// The receiver of a rendezvous.
    pub partner: Option<ProcessStep>,
}

/// The model has more states than the limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooManyStates;

/// Explores a model without errors, if it has at most `limit` states.
///
/// # Errors
///
/// When it has more.
pub fn state_graph(
    front: &Frontend,
    options: AutomataOptions,
    semantics: SemanticsOptions,
    limit: usize,
) -> Result<StateGraph, TooManyStates> {
    let describer = Describer::new(semantics.machine(&front.hir, options), front);
    let mut graph = StateGraph::default();
    let initial = match describer.machine().initial() {
        Ok(initial) => initial,
        Err(kind) => return Ok(StateGraph { initial_fault: Some(kind), ..graph }),
    };
    // Used for lookup only, so that its order does not matter.
    let mut numbers = HashMap::from([(initial.bytes.clone(), 0)]);
    let mut waiting = vec![initial];
    let mut from = 0;
    while let Some(now) = waiting.get(from).cloned() {
        let mut arrivals = Vec::new();
        let deadlock =
            describer.machine().successors(&now, &mut |arrival| arrivals.extend(keep(&arrival)));
        graph.states.push(StateNode {
            values: describer.view().all(&now),
            processes: (0..now.process_count()).map(|pid| describer.position(&now, pid)).collect(),
            deadlock,
        });
        for (next, moves) in arrivals {
            let to = next.map(|next| {
                let fresh = waiting.len();
                *numbers.entry(next.bytes.clone()).or_insert_with(|| {
                    waiting.push(next);
                    fresh
                })
            });
            let fault = moves.iter().find_map(|step| step.fault);
            let steps = steps(&describer, &now, &moves);
            graph.edges.push(StateEdge { from, to, steps, fault });
        }
        if waiting.len() > limit {
            return Err(TooManyStates);
        }
        from += 1;
    }
    Ok(graph)
}

/// The part of the graph that a successor adds. After a survivable fault there is a state, whose
/// edge shows the fault.
fn keep(arrival: &Successor<'_>) -> Option<(Option<DecodedState>, Vec<Move>)> {
    match arrival {
        Successor::State(next, moves) => Some((Some((*next).clone()), moves.to_vec())),
        Successor::Fault(kind, moves) => {
            let last = !kind.is_survivable() || *kind == FaultKind::Index;
            last.then(|| (None, moves.to_vec()))
        }
    }
}

fn steps(describer: &Describer<'_>, from: &DecodedState, moves: &[Move]) -> Vec<GraphStep> {
    let mut now = from;
    let mut steps = Vec::new();
    for step in moves {
        let (turn, partner) = describer.turns(now, step);
        steps.push(GraphStep { turn, partner });
        now = &step.next;
    }
    steps
}
