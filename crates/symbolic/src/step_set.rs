//! Some of the steps of a system: those that begin with given operators.

use crate::control::ControlSets;
use crate::group::{partitions, ruled_among};
use crate::ldd::Set;
use crate::limits::SymbolicError;
use crate::partition::Partition;
use crate::system::SymbolicSystem;

/// The steps that begin with some operators.
#[derive(Debug)]
pub struct StepSet {
    partitions: Vec<Partition>,
}

impl SymbolicSystem<'_> {
    /// The steps that begin with these operators, given by their positions in
    /// [`System::steps`](beeline_factored::System::steps).
    pub fn step_set(&mut self, operators: &[u32]) -> StepSet {
        let variants = ruled_among(self.system, self.ranges, &self.holders, &self.costs, operators);
        let view = (&self.order, self.ranges);
        let partitions = partitions(&mut self.forest, self.system, view, variants);
        StepSet { partitions }
    }

    /// The states of the model within `within` from which a step of some kind leads into a set.
    ///
    /// # Errors
    ///
    /// When a limit is reached, or an operator has too many outcomes.
    pub fn preimage_by(
        &mut self,
        steps: &mut StepSet,
        set: &Set,
        within: &ControlSets,
    ) -> Result<Set, SymbolicError> {
        let held = self.held_preimage(set, within)?;
        let mut found = self.forest.empty();
        for partition in &mut steps.partitions {
            let into = partition.rule.target.map_or(set, |target| &held[target]);
            if partition.rule.is_fatal || into.is_empty() {
                continue;
            }
            let from = self.not_excluded(partition.rule, &within.free)?;
            let before = partition.preimage(&mut self.forest, into, &from)?;
            found = self.forest.union(&found, &before)?;
        }
        Ok(found)
    }
}
