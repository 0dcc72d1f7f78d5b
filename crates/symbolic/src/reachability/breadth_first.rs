//! Breadth-first search on sets, layer by layer.
//!
//! Source: [EMJ05], "Symbolic Search", §5, with forward set simplification: a layer has only states
//! that are in no layer before it. So the number of the first layer with a state is its distance.

use crate::control::ControlSets;
use crate::ldd::Set;
use crate::limits::SymbolicError;
use crate::system::SymbolicSystem;

/// The layers of a breadth-first search.
#[derive(Clone, Debug)]
pub struct Layers {
    layers: Vec<Set>,
    states: ControlSets,
}

impl SymbolicSystem<'_> {
    /// Starts a breadth-first search from a set.
    ///
    /// # Errors
    ///
    /// When a limit is reached.
    pub fn layers(&mut self, from: &Set) -> Result<Layers, SymbolicError> {
        let states = ControlSets { free: from.clone(), held: self.nothing_held() };
        Ok(Layers { layers: vec![from.clone()], states })
    }
}

impl Layers {
    /// Computes the next layer; returns whether it has a state.
    ///
    /// # Errors
    ///
    /// When a limit is reached, or an operator has too many outcomes.
    pub fn advance(&mut self, system: &mut SymbolicSystem<'_>) -> Result<bool, SymbolicError> {
        let last = self.layers.last().expect("the first layer always exists");
        // The steps from states of holders that were seen before lead to states of these layers.
        let after = system.step(last, &mut self.states.held, |_| true)?;
        let new = system.forest.difference(&after, &self.states.free)?;
        self.states.free = system.forest.union(&self.states.free, &new)?;
        let found = !new.is_empty();
        if found {
            self.layers.push(new);
        }
        Ok(found)
    }

    /// The number of the last layer.
    pub fn depth(&self) -> usize {
        self.layers.len() - 1
    }

    /// The layers: the states at distance 0, 1, 2, …
    pub fn layers(&self) -> &[Set] {
        &self.layers
    }

    /// All states so far.
    pub fn states(&self) -> &ControlSets {
        &self.states
    }

    /// All states so far.
    pub fn into_states(self) -> ControlSets {
        self.states
    }
}
