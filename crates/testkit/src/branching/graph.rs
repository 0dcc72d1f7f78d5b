//! All states of a machine with their successors.

use std::collections::HashMap;

use beeline_engine::interpreter::Machine;
use beeline_kernel::{Expansion, FaultKind, Space};

/// The reachable states. State 0 is the initial one.
pub struct ExplicitGraph {
    /// The states.
    pub states: Vec<Vec<u8>>,
    /// The numbers of the states.
    pub numbers: HashMap<Vec<u8>, usize>,
    /// The successors of each state, with the processes that move.
    pub successors: Vec<Vec<(u32, usize)>>,
    /// Whether a step fails so that nothing follows; a failed assertion does not end a run.
    pub fails: bool,
}

impl ExplicitGraph {
    /// Explores a machine; `None` if it has no initial state or more than `most` states.
    pub fn new(machine: &Machine<'_>, most: usize) -> Option<ExplicitGraph> {
        let mut start = Vec::new();
        Space::initial(machine, &mut start).ok()?;
        let mut graph = ExplicitGraph {
            states: vec![start.clone()],
            numbers: HashMap::from([(start, 0)]),
            successors: Vec::new(),
            fails: false,
        };
        let mut expansion = Expansion::default();
        while graph.successors.len() < graph.states.len() {
            let state = graph.states[graph.successors.len()].clone();
            machine.expand(&state, &mut expansion);
            let ends = |kind: FaultKind| kind != FaultKind::Assertion;
            graph.fails |= expansion.faults.iter().any(|one| ends(one.fault.kind));
            let mut next = Vec::new();
            for (transition, state) in
                expansion.successors.transitions().iter().zip(expansion.states())
            {
                next.push((transition.label.process, graph.number(state)));
            }
            graph.successors.push(next);
            if graph.states.len() > most {
                return None;
            }
        }
        Some(graph)
    }

    fn number(&mut self, state: &[u8]) -> usize {
        if let Some(&number) = self.numbers.get(state) {
            return number;
        }
        let number = self.states.len();
        self.states.push(state.to_vec());
        self.numbers.insert(state.to_vec(), number);
        number
    }

    /// The successors of a state on infinite paths: a state without steps loops.
    pub fn next(&self, state: usize) -> Vec<usize> {
        let next = &self.successors[state];
        if next.is_empty() { vec![state] } else { next.iter().map(|&(_, to)| to).collect() }
    }
}
