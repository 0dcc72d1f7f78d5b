//! Breadth-first search on sets, with forward set simplification.
//!
//! Source: [EMJ05], "Symbolic Search", §5.
//! Claims: the path has the least number of steps of the model, whatever they cost.

use crate::ldd::Set;
use crate::limits::SymbolicError;
use crate::search::goal::SymbolicGoal;
use crate::search::outcome::{SymbolicOutcome, SymbolicPath, SymbolicSearchStatistics};
use crate::system::SymbolicSystem;

impl SymbolicSystem<'_> {
    /// Searches for an error layer by layer.
    ///
    /// # Errors
    ///
    /// When a limit is reached, or an operator has too many outcomes.
    pub fn breadth_first(
        &mut self,
        goal: &mut SymbolicGoal<'_>,
    ) -> Result<SymbolicOutcome, SymbolicError> {
        let mut statistics = SymbolicSearchStatistics::default();
        let initial = self.initial()?;
        let mut layers = self.layers(&initial)?;
        loop {
            let depth = layers.depth();
            let last = layers.layers()[depth].clone();
            statistics.iterate(depth as u64);
            if let Some((_, states)) = goal.find(self, &last)?.into_iter().next() {
                let last = self.any_state(&states);
                let states = self.path_through(&layers, depth, last)?;
                let cost = depth as u64 + u64::from(goal.is_step);
                let path = Some(SymbolicPath { cost, states });
                return Ok(SymbolicOutcome { path, statistics });
            }
            statistics.expand(self, &last);
            if !layers.advance(self)? {
                return Ok(SymbolicOutcome { path: None, statistics });
            }
        }
    }

    /// Whether the initial state is in a set.
    pub(super) fn has_initial(&mut self, set: &Set) -> bool {
        self.contains(set, &self.system.initial)
    }
}
