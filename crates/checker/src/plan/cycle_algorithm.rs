//! The algorithms that search for accepting cycles.

use beeline_model::Fairness;

/// An algorithm that searches for accepting cycles.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CycleAlgorithm {
    /// Nested depth-first search, as in SPIN.
    Nested,
    /// Nested depth-first search that uses the strongly connected components of the claim.
    #[default]
    Improved,
    /// The same in threads, each of which searches in its own order.
    Parallel,
    /// By strongly connected components of the state space.
    Components,
}

impl CycleAlgorithm {
    /// The fastest complete algorithm. With fairness, transitions have acceptance marks, which only
    /// the search by components handles directly.
    pub(crate) fn usual(fairness: Fairness) -> CycleAlgorithm {
        match fairness {
            Fairness::None => CycleAlgorithm::Improved,
            Fairness::Weak => CycleAlgorithm::Components,
        }
    }
}
