//! Estimates that are given as sets.

use crate::costed_step::CostedSets;
use crate::ldd::{Set, Support};
use crate::limits::SymbolicError;
use crate::search::estimate::SymbolicEstimate;
use crate::system::SymbolicSystem;

/// No information: 0 for each state.
#[derive(Clone, Copy, Debug, Default)]
pub struct ZeroEstimate;

impl SymbolicEstimate for ZeroEstimate {
    fn is_consistent(&self) -> bool {
        true
    }

    fn split(
        &mut self,
        _: &mut SymbolicSystem<'_>,
        set: &Set,
    ) -> Result<CostedSets, SymbolicError> {
        Ok(vec![(0, set.clone())])
    }
}

/// The relation H of values and states, as a set for each value: of states, or of their values at
/// the levels of a support. States in no set are dead ends.
#[derive(Clone, Debug)]
pub struct EstimateRelation {
    pub(super) values: CostedSets,
    pub(super) support: Option<Support>,
}

impl EstimateRelation {
    /// Disjoint sets of states with their estimates.
    pub fn new(values: CostedSets) -> EstimateRelation {
        EstimateRelation { values, support: None }
    }
}

impl SymbolicEstimate for EstimateRelation {
    fn split(
        &mut self,
        system: &mut SymbolicSystem<'_>,
        set: &Set,
    ) -> Result<CostedSets, SymbolicError> {
        let mut parts = Vec::new();
        for (value, states) in &self.values {
            let part = match &self.support {
                Some(support) => system.forest.join(set, states, support)?,
                None => system.forest.intersection(set, states)?,
            };
            if !part.is_empty() {
                parts.push((*value, part));
            }
        }
        Ok(parts)
    }
}
