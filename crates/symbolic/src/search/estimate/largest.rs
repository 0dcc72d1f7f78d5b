//! The largest of several estimates.
//!
//! Claims: admissible and consistent if all of them are.

use std::collections::BTreeMap;

use crate::costed_step::{CostedSets, add_to};
use crate::ldd::Set;
use crate::limits::SymbolicError;
use crate::search::estimate::SymbolicEstimate;
use crate::system::SymbolicSystem;

/// The largest of several estimates; a dead end if one of them says so.
#[derive(Default)]
pub struct LargestEstimate<'e> {
    parts: Vec<Box<dyn SymbolicEstimate + 'e>>,
}

impl<'e> LargestEstimate<'e> {
    /// Of these estimates.
    pub fn new(parts: Vec<Box<dyn SymbolicEstimate + 'e>>) -> LargestEstimate<'e> {
        LargestEstimate { parts }
    }

    /// Adds an estimate.
    pub fn add(&mut self, part: impl SymbolicEstimate + 'e) {
        self.parts.push(Box::new(part));
    }
}

impl SymbolicEstimate for LargestEstimate<'_> {
    fn is_consistent(&self) -> bool {
        self.parts.iter().all(|part| part.is_consistent())
    }

    fn split(
        &mut self,
        system: &mut SymbolicSystem<'_>,
        set: &Set,
    ) -> Result<CostedSets, SymbolicError> {
        let mut found = vec![(0, set.clone())];
        for estimate in &mut self.parts {
            let mut finer = BTreeMap::new();
            for (value, part) in &found {
                for (other, states) in estimate.split(system, part)? {
                    add_to(&mut system.forest, &mut finer, other.max(*value), states)?;
                }
            }
            found = finer.into_iter().collect();
        }
        Ok(found)
    }
}
