//! Paths through the layers of breadth-first searches, one step of the model from state to state.

use crate::control::ControlSets;
use crate::ldd::Set;
use crate::limits::SymbolicError;
use crate::reachability::Layers;
use crate::search::backward::BackwardLayers;
use crate::system::SymbolicSystem;

impl SymbolicSystem<'_> {
    /// The path from the first layer to a state of layer `depth`, from layer to layer backwards.
    pub(super) fn path_through(
        &mut self,
        layers: &Layers,
        depth: usize,
        last: Vec<i32>,
    ) -> Result<Vec<Vec<i32>>, SymbolicError> {
        let mut path = vec![last];
        for layer in layers.layers()[..depth].iter().rev() {
            let target = self.singleton(path.last().expect("it has a state"))?;
            let held = layers.states().held.clone();
            let before = self.preimage(&target, &ControlSets { free: layer.clone(), held })?;
            path.push(self.pick(&before).expect("a step leads from layer to layer"));
        }
        path.reverse();
        Ok(path)
    }

    /// Continues a path whose last state is in layer `depth` of a backward search to the goal.
    pub(super) fn path_to_goal(
        &mut self,
        layers: &BackwardLayers,
        depth: usize,
        path: &mut Vec<Vec<i32>>,
    ) -> Result<(), SymbolicError> {
        for layer in layers.layers()[..depth].iter().rev() {
            let source = self.singleton(path.last().expect("it has a state"))?;
            let after = self.image(&source)?;
            let after = self.forest.intersection(&after, layer)?;
            path.push(self.pick(&after).expect("a step leads from layer to layer"));
        }
        Ok(())
    }

    /// A state of a set that is not empty.
    pub(super) fn any_state(&self, set: &Set) -> Vec<i32> {
        self.pick(set).expect("the set is not empty")
    }
}
