//! Breadth-first search from the initial state and from a set of errors at the same time.
//!
//! Source: [EMJ05], "Symbolic Search", §5. The direction is that of the last layer with fewer nodes.
//! Claims: the path has the least number of steps of the model, whatever they cost. Layers f and b
//! that do not meet, after layers that did not meet either, prove that there is no path of f + b
//! steps or fewer; so the first layers that meet give a shortest one.

use crate::control::ControlSets;
use crate::ldd::Set;
use crate::limits::SymbolicError;
use crate::reachability::Layers;
use crate::search::backward::BackwardLayers;
use crate::search::outcome::{SymbolicOutcome, SymbolicPath, SymbolicSearchStatistics};
use crate::system::SymbolicSystem;

impl SymbolicSystem<'_> {
    /// Searches from both ends. The backward search remains within given states, which must contain
    /// the states on a shortest path; those that are reachable do.
    ///
    /// # Errors
    ///
    /// When a limit is reached, or an operator has too many outcomes.
    pub fn bidirectional(
        &mut self,
        goal: &Set,
        within: &ControlSets,
    ) -> Result<SymbolicOutcome, SymbolicError> {
        let mut statistics = SymbolicSearchStatistics::default();
        let initial = self.initial()?;
        let (mut forward, mut backward) = (self.layers(&initial)?, BackwardLayers::new(goal));
        loop {
            statistics.iterate((forward.depth() + backward.depth()) as u64);
            let last = forward.layers()[forward.depth()].clone();
            let met = self.forest.intersection(&last, backward.last())?;
            if !met.is_empty() {
                let path = Some(self.path_over(&met, &forward, &backward)?);
                return Ok(SymbolicOutcome { path, statistics });
            }
            let nodes = |set: &Set| self.forest.node_count(set);
            let found = if nodes(&last) <= nodes(backward.last()) {
                statistics.expand(self, &last);
                forward.advance(self)?
            } else {
                statistics.expand(self, backward.last());
                backward.advance(self, within)?
            };
            if !found {
                return Ok(SymbolicOutcome { path: None, statistics });
            }
        }
    }

    /// A path over a state of the last layers of both searches.
    fn path_over(
        &mut self,
        met: &Set,
        forward: &Layers,
        backward: &BackwardLayers,
    ) -> Result<SymbolicPath, SymbolicError> {
        let middle = self.any_state(met);
        let mut states = self.path_through(forward, forward.depth(), middle)?;
        self.path_to_goal(backward, backward.depth(), &mut states)?;
        Ok(SymbolicPath { cost: (forward.depth() + backward.depth()) as u64, states })
    }
}
