//! Searches for cycles.

use beeline_model::Fairness;

/// How to search for cycles.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CycleAlgorithm {
    /// Nested depth-first search, as SPIN does it.
    Nested,
    /// The same with what is known about the components of the claim.
    #[default]
    Improved,
    /// By strongly connected components of the states.
    Components,
}

impl CycleAlgorithm {
    /// What goes through all states fastest: where ways bear marks, only the components know
    /// what to do with them.
    pub(crate) fn usual(fairness: Fairness) -> CycleAlgorithm {
        match fairness {
            Fairness::None => CycleAlgorithm::Improved,
            Fairness::Weak => CycleAlgorithm::Components,
        }
    }
}
