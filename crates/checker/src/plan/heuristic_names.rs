//! The names of heuristics that the languages have.

use beeline_kernel::spec::Spec;

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
    /// When there is none: in words, with the names there are.
    pub(crate) fn check(&self, spec: &Spec) -> Result<(), String> {
        let Spec { name, .. } = spec;
        if self.listed.iter().chain(&self.others).any(|one| one == name) {
            return Ok(());
        }
        Err(format!("there is no heuristic `{name}`; there are: {}", self.listed.join(", ")))
    }
}
