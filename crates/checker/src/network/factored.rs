//! A network as components for abstractions: one for each process, a label for each action.

use beeline_heuristics::abstraction::{Component, Components, Edge, Factors, TAU};
use beeline_network::{Layout, Network, Process};

/// The components of a network, and how its states are read.
#[derive(Clone, Debug)]
pub struct Factored {
    layout: Layout,
    components: Components,
}

impl Factored {
    /// Of a network.
    pub fn new(network: &Network) -> Factored {
        let each = network.processes().iter().map(component).collect();
        let who = |pair: [usize; 2]| pair.map(|process| process as u32).to_vec();
        let participants = network.actions().iter().map(|action| who(action.processes)).collect();
        let components = Components { each, participants };
        Factored { layout: Layout::new(network), components }
    }

    /// The components.
    pub fn components(&self) -> &Components {
        &self.components
    }
}

fn component(process: &Process) -> Component {
    let edges = process.transitions.iter().map(|one| Edge {
        from: one.from,
        label: one.action.map_or(TAU, |action| action.0),
        to: one.to,
    });
    Component {
        states: process.states as usize,
        initial: process.initial.clone(),
        error: process.error.clone(),
        edges: edges.collect(),
    }
}

impl Factors for Factored {
    fn locals(&self, state: &[u8], locals: &mut [u32]) -> bool {
        self.layout.locals(state, locals)
    }
}
