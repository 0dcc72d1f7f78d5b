//! Breadth-first search backwards, from a set of errors to the initial state.
//!
//! Source: [EMJ05], "Symbolic Search", §5.
//! Claims: the path has the least number of steps of the model, whatever they cost.

use crate::control::ControlSets;
use crate::ldd::Set;
use crate::limits::SymbolicError;
use crate::search::outcome::{SymbolicOutcome, SymbolicPath, SymbolicSearchStatistics};
use crate::system::SymbolicSystem;

/// The layers of a backward search: the states at distance 0, 1, 2, … from its goal.
#[derive(Clone, Debug)]
pub struct BackwardLayers {
    layers: Vec<Set>,
    states: Set,
}

impl BackwardLayers {
    /// Starts a backward search from a set.
    pub fn new(goal: &Set) -> BackwardLayers {
        BackwardLayers { layers: vec![goal.clone()], states: goal.clone() }
    }

    /// Computes the next layer within given states; returns whether it has a state.
    ///
    /// # Errors
    ///
    /// When a limit is reached, or an operator has too many outcomes.
    pub fn advance(
        &mut self,
        system: &mut SymbolicSystem<'_>,
        within: &ControlSets,
    ) -> Result<bool, SymbolicError> {
        let before = system.preimage(self.last(), within)?;
        let new = system.forest.difference(&before, &self.states)?;
        self.states = system.forest.union(&self.states, &new)?;
        let found = !new.is_empty();
        if found {
            self.layers.push(new);
        }
        Ok(found)
    }

    /// The layers.
    pub fn layers(&self) -> &[Set] {
        &self.layers
    }

    /// The number of the last layer.
    pub fn depth(&self) -> usize {
        self.layers.len() - 1
    }

    pub(super) fn last(&self) -> &Set {
        self.layers.last().expect("the first layer always exists")
    }
}

impl SymbolicSystem<'_> {
    /// Searches backwards from a set of errors within given states, which must contain the states
    /// on a shortest path; those that are reachable do.
    ///
    /// # Errors
    ///
    /// When a limit is reached, or an operator has too many outcomes.
    pub fn backward(
        &mut self,
        goal: &Set,
        within: &ControlSets,
    ) -> Result<SymbolicOutcome, SymbolicError> {
        let mut statistics = SymbolicSearchStatistics::default();
        let mut layers = BackwardLayers::new(goal);
        loop {
            let depth = layers.depth();
            statistics.iterate(depth as u64);
            if self.has_initial(layers.last()) {
                let mut states = vec![self.system.initial.clone()];
                self.path_to_goal(&layers, depth, &mut states)?;
                let path = Some(SymbolicPath { cost: depth as u64, states });
                return Ok(SymbolicOutcome { path, statistics });
            }
            statistics.expand(self, layers.last());
            if !layers.advance(self, within)? {
                return Ok(SymbolicOutcome { path: None, statistics });
            }
        }
    }
}
