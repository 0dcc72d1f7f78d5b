//! Blocking locations: every outgoing edge begins with an action that may not be executable.
//!
//! Source: "dangerous" in [ELL00] §3.5, "potentially blocking" in [EMJ05] (Heuristics).
//! Deviation: a process may also wait for its children to end, for a free process slot, for its
//! `provided` clause, or for a process of higher priority.

use beeline_engine::automata::{Automaton, Edge, EdgeAction, Location};
use beeline_engine::interpreter::Machine;
use beeline_promela::hir::{ExprKind, ProcessId, ProcessKind};

use crate::incremental::dependencies::has_rendezvous;

/// First actions of an edge; for a `d_step`, those inside of it.
pub(crate) fn first_actions<'a>(
    automaton: &'a Automaton,
    edge: &'a Edge,
) -> impl Iterator<Item = &'a EdgeAction> {
    let inside = automaton.d_steps.iter().find(|inside| inside.edge == edge.id);
    let entries = inside
        .into_iter()
        .flat_map(|inside| inside.edges.iter().filter(move |first| first.from == inside.entry));
    let own = inside.is_none().then_some(edge);
    entries.chain(own).map(|edge| &edge.steps[0].action)
}

/// Whether an action may not be executable.
pub(crate) fn may_wait(machine: &Machine<'_>, action: &EdgeAction) -> bool {
    match action {
        EdgeAction::Guard(condition) => match condition.kind {
            ExprKind::Run { .. } => true,
            _ => condition.kind.constant().is_none_or(|value| value == 0),
        },
        EdgeAction::Send { .. } => !machine.loses_messages() || has_rendezvous(machine),
        EdgeAction::Receive { .. } | EdgeAction::End => true,
        _ => false,
    }
}

/// Blocking locations of a process type.
pub(crate) fn blocking_locations(machine: &Machine<'_>, process: ProcessId) -> Vec<Location> {
    let automaton = machine.automaton(process);
    let anywhere = machine.has_priorities() || machine.model().process(process).provided.is_some();
    let is_blocking = |at: &Location| {
        let edges = automaton.edges_from(*at);
        let mut first = edges.iter().flat_map(|edge| first_actions(automaton, edge));
        anywhere || first.all(|action| may_wait(machine, action))
    };
    (0..automaton.marks.len() as u32).map(Location).filter(is_blocking).collect()
}

/// Whether processes of this type are counted. The tables of [ELL00] omit `init`.
pub(crate) fn counts(machine: &Machine<'_>, process: ProcessId) -> bool {
    machine.model().process(process).kind == ProcessKind::Proctype
}
