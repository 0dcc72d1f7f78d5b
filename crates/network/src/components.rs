//! A network as components for abstractions: one for each process, a label for each action.

use beeline_heuristics::merge_and_shrink::{
    LabelledComponent, LabelledComponents, LabelledEdge, StateFactors, TAU,
};

use crate::layout::NetworkLayout;
use crate::network::{Network, NetworkProcess};

/// The components of a network, and the layout of its states.
#[derive(Clone, Debug)]
pub struct NetworkComponents {
    layout: NetworkLayout,
    components: LabelledComponents,
}

impl NetworkComponents {
    /// The components of a network.
    pub fn new(network: &Network) -> NetworkComponents {
        let each = network.processes().iter().map(component).collect();
        let who = |pair: [usize; 2]| pair.map(|process| process as u32).to_vec();
        let participants = network.actions().iter().map(|action| who(action.processes)).collect();
        let components = LabelledComponents { each, participants };
        NetworkComponents { layout: NetworkLayout::new(network), components }
    }

    /// The components.
    pub fn components(&self) -> &LabelledComponents {
        &self.components
    }
}

fn component(process: &NetworkProcess) -> LabelledComponent {
    let edges = process.transitions.iter().map(|one| LabelledEdge {
        from: one.from,
        label: one.action.map_or(TAU, |action| action.0),
        to: one.to,
    });
    LabelledComponent {
        states: process.states as usize,
        initial: process.initial.clone(),
        error: process.error.clone(),
        edges: edges.collect(),
    }
}

impl StateFactors for NetworkComponents {
    fn locals(&self, state: &[u8], locals: &mut [u32]) -> bool {
        self.layout.locals(state, locals)
    }
}
