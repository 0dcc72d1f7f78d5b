//! The names of the heuristics of all languages.

use beeline_kernel::spec::Spec;

use super::error::PlanError;

/// Names of heuristics, of all languages: a search is parsed before its model.
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
    /// When there is no heuristic of this name.
    pub(crate) fn check(&self, spec: &Spec) -> Result<(), PlanError> {
        let Spec { name, .. } = spec;
        if self.listed.iter().chain(&self.others).any(|one| one == name) {
            return Ok(());
        }
        let known = self.listed.iter().map(|one| (*one).to_owned()).collect();
        Err(PlanError::Unknown { kind: "heuristic", name: name.clone(), known })
    }
}
