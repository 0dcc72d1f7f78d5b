//! The least costs from states to a set: Dijkstra's algorithm backwards.
//!
//! Source: [EMJ05], "Symbolic Search", §§5-6.

use std::collections::BTreeMap;

use crate::control::ControlSets;
use crate::costed_step::{CostedSets, add_to};
use crate::limits::SymbolicError;
use crate::system::SymbolicSystem;

impl SymbolicSystem<'_> {
    /// The states within given ones from which goals can be reached, by the least cost. Goals have
    /// costs of their own. States of holders are not goals.
    ///
    /// # Errors
    ///
    /// When a limit is reached, or an operator has too many outcomes.
    pub fn distances_to(
        &mut self,
        goals: &CostedSets,
        within: &ControlSets,
    ) -> Result<CostedSets, SymbolicError> {
        let mut open = BTreeMap::new();
        for (cost, goal) in goals {
            add_to(&mut self.forest, &mut open, *cost, goal.clone())?;
        }
        let mut found = BTreeMap::new();
        let mut done = self.forest.empty();
        while let Some((cost, set)) = open.pop_first() {
            let new = self.forest.difference(&set, &done)?;
            if new.is_empty() {
                continue;
            }
            done = self.forest.union(&done, &new)?;
            for (step, before) in self.predecessors_by_cost(&new, within)? {
                add_to(&mut self.forest, &mut open, cost + step, before)?;
            }
            add_to(&mut self.forest, &mut found, cost, new)?;
        }
        Ok(found.into_iter().collect())
    }
}
