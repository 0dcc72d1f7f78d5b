//! Process creations: `run` expressions of edges.

use beeline_engine::automata::{Automaton, Edge, EdgeAction, EdgeId, Location};
use beeline_promela::hir::{Expr, ExprKind, ProcessId};

/// The edges that start processes, and the process types that they start.
pub(super) fn runs(automaton: &Automaton) -> impl Iterator<Item = (EdgeId, ProcessId)> + '_ {
    let inside = automaton.d_steps.iter().flat_map(|inside| {
        let number = inside.edge;
        inside.edges.iter().map(move |edge| (number, edge))
    });
    let own = automaton.edges.iter().map(|edge| (edge.id, edge));
    own.chain(inside).flat_map(|(number, edge)| {
        started(edge).into_iter().map(move |start| (number, start.process))
    })
}

/// A process that a statement starts.
pub(crate) struct Start {
    /// The statement.
    pub(crate) place: Location,
    pub(crate) process: ProcessId,
    /// Its arguments.
    pub(crate) args: Vec<Expr>,
}

/// The processes that an edge starts, in order.
pub(crate) fn started(edge: &Edge) -> Vec<Start> {
    let mut found = Vec::new();
    for step in &edge.steps {
        step.action.visit(&mut |part| {
            if let ExprKind::Run { process, args, .. } = &part.kind {
                let (place, args) = (step.location, args.clone());
                found.push(Start { place, process: *process, args });
            }
        });
    }
    found
}

/// Whether a process can end.
pub(super) fn may_end(automaton: &Automaton) -> bool {
    automaton.edges.iter().any(|edge| matches!(edge.steps[0].action, EdgeAction::End))
}
