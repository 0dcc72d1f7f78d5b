//! Chaining: within one round, each relation is applied to what the relations before it have
//! reached.
//!
//! Source: Roig, Cortadella, Pastor, "Verification of asynchronous circuits by BDD-based model
//! checking of Petri nets", 1995. Rounds are far fewer than the layers of a breadth-first search.

use crate::ldd::Set;
use crate::limits::SymbolicError;
use crate::system::SymbolicSystem;

impl SymbolicSystem<'_> {
    /// The closure of a set under the free operators.
    pub(super) fn chain(&mut self, set: &Set) -> Result<Set, SymbolicError> {
        let mut reached = set.clone();
        let mut frontier = set.clone();
        let (forest, mut relations) = self.free_relations();
        while !frontier.is_empty() {
            for relation in &mut relations {
                let after = forest.run(|forest| relation.image(forest, &frontier))?;
                frontier = forest.union(&frontier, &after)?;
            }
            let next = forest.difference(&frontier, &reached)?;
            reached = forest.union(&reached, &next)?;
            frontier = next;
        }
        Ok(reached)
    }
}
