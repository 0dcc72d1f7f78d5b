//! All states of a machine with their successors and predecessors.

use std::collections::HashMap;

use beeline_engine::interpreter::Machine;
use beeline_kernel::{Expansion, FaultKind, Space};

use super::adjacency::Adjacency;
use super::labels::Labels;

/// The reachable states. State 0 is the initial one. On infinite paths, a state without steps loops.
pub struct ExplicitGraph {
    /// The states.
    pub states: Vec<Vec<u8>>,
    /// The numbers of the states.
    pub numbers: HashMap<Vec<u8>, usize>,
    /// The states without steps.
    pub dead: Labels,
    /// Whether a step fails so that nothing follows; a failed assertion does not end a run.
    pub fails: bool,
    /// The successors of all states, state by state.
    next: Adjacency,
    /// The process that moves to each of them; of a loop in a state without steps, 0.
    processes: Vec<u32>,
    before: Adjacency,
}

impl ExplicitGraph {
    /// Explores a machine; `None` if it has no initial state or more than `most` states.
    pub fn new(machine: &Machine<'_>, most: usize) -> Option<ExplicitGraph> {
        let mut start = Vec::new();
        Space::initial(machine, &mut start).ok()?;
        let (mut states, mut numbers) = (vec![start.clone()], HashMap::from([(start, 0)]));
        let (mut next, mut processes, mut dead) = (Adjacency::default(), Vec::new(), Vec::new());
        let mut fails = false;
        let mut expansion = Expansion::default();
        let mut at = 0;
        while at < states.len() {
            machine.expand(&states[at], &mut expansion);
            let ends = |kind: FaultKind| kind != FaultKind::Assertion;
            fails |= expansion.faults.iter().any(|one| ends(one.fault.kind));
            for (transition, state) in
                expansion.successors.transitions().iter().zip(expansion.states())
            {
                let known = numbers.get(state).copied();
                let number = known.unwrap_or_else(|| {
                    states.push(state.to_vec());
                    numbers.insert(state.to_vec(), states.len() - 1);
                    states.len() - 1
                });
                next.push(number);
                processes.push(transition.label.process);
            }
            if next.is_last_empty() {
                dead.push(at);
                next.push(at);
                processes.push(0);
            }
            next.end_node();
            if states.len() > most {
                return None;
            }
            at += 1;
        }
        let before = next.reversed();
        let mut dead_labels = Labels::all(states.len(), false);
        dead.into_iter().for_each(|at| dead_labels.set(at));
        Some(ExplicitGraph { states, numbers, dead: dead_labels, fails, next, processes, before })
    }

    /// The number of states.
    pub fn count(&self) -> usize {
        self.states.len()
    }

    /// The steps of a state: the processes that move, and the successors.
    pub fn steps(&self, state: usize) -> impl Iterator<Item = (u32, usize)> + '_ {
        let range = if self.dead.has(state) { 0..0 } else { self.next.range(state) };
        range.map(|at| (self.processes[at], self.next.target(at)))
    }

    /// The successors of a state on infinite paths.
    pub fn next(&self, state: usize) -> impl Iterator<Item = usize> + '_ {
        self.next.of(state)
    }

    /// The predecessors of a state on infinite paths; each as often as it has steps to the state.
    pub fn before(&self, state: usize) -> impl Iterator<Item = usize> + '_ {
        self.before.of(state)
    }

    /// The number of steps of all states.
    pub fn edges(&self) -> usize {
        self.next.edges()
    }
}
