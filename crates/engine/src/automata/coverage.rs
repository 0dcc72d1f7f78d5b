//! Coverage of automata by a run: the number of executions of each edge, and the final locations.

use std::collections::BTreeMap;

use beeline_promela::hir::ProcessId;

use super::graph::{Automaton, Edge, EdgeId, Location};

/// Coverage of automata by a run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EdgeCoverage {
    /// The number of executions of each edge, by process type and source location.
    pub edges: BTreeMap<(ProcessId, Location, EdgeId), usize>,
    /// The number of processes of each type at each location at the end.
    pub ends: BTreeMap<(ProcessId, Location), usize>,
}

impl EdgeCoverage {
    /// The number of executions of an edge.
    pub fn taken(&self, automaton: &Automaton, edge: &Edge) -> usize {
        self.edges.get(&(automaton.process, edge.from, edge.id)).copied().unwrap_or(0)
    }

    /// The number of processes at a location at the end.
    pub fn resting(&self, automaton: &Automaton, location: Location) -> usize {
        self.ends.get(&(automaton.process, location)).copied().unwrap_or(0)
    }

    /// Whether a process is ever at a location.
    pub fn passes(&self, automaton: &Automaton, location: Location) -> bool {
        let taken = |edge: &&Edge| self.taken(automaton, edge) > 0;
        self.resting(automaton, location) > 0
            || automaton
                .edges
                .iter()
                .filter(taken)
                .any(|edge| edge.from == location || edge.to == location)
    }
}
