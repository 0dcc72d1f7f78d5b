//! The names of heuristics that the languages have.

use beeline_kernel::spec::Spec;

use super::error::PlanError;

/// Names of heuristics. A search is read before its model, so that all languages count.
#[derive(Clone, Debug, Default)]
pub struct HeuristicNames {
    /// The names that messages list.
    pub listed: Vec<&'static str>,
    /// Aliases, and names that only some languages have.
    pub others: Vec<&'static str>,
}

impl HeuristicNames {
    /// Checks that there is a heuristic of this name.
    ///
    /// # Errors
    ///
    /// When there is none.
    pub(crate) fn check(&self, spec: &Spec) -> Result<(), PlanError> {
        let Spec { name, .. } = spec;
        if self.listed.iter().chain(&self.others).any(|one| one == name) {
            return Ok(());
        }
        let known = self.listed.iter().map(|one| (*one).to_owned()).collect();
        Err(PlanError::Unknown { kind: "heuristic", name: name.clone(), known })
    }
}
