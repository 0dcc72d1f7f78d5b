//! Blocking locations: every outgoing edge begins with an action that may not be executable.
//!
//! Source: "dangerous" in [ELL00] §3.5, "potentially blocking" in [EMJ05] (Heuristics).
//! Deviation: a process may also wait for its children to end, for a free process slot, for its
//! `provided` clause, or for a process of higher priority.

use beeline_analysis::blocking::may_wait;
use beeline_engine::automata::{Automaton, Edge, EdgeAction, Location};
use beeline_engine::interpreter::Machine;
use beeline_promela::hir::{ProcessId, ProcessKind};

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
