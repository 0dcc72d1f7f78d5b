//! Results of a search.

use beeline_kernel::Cost;

use crate::finding::FindingKind;

/// An error that was found, and its cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hit {
    /// The error.
    pub kind: FindingKind,
    /// The cost of the path to it, with the transition that fails if it is a fault. `None`
    /// when the search does not count costs.
    pub cost: Option<Cost>,
}
