//! A system with its errors, for searches on sets of states.

use beeline_factored::{ErrorValues, FactorExpr, FactorId, FactoredView};
use beeline_kernel::{Deadline, Faults};

/// A factored system with its errors.
#[derive(Clone)]
pub struct SymbolicProblem {
    /// The system. Whether it is exact, its precision tells.
    pub view: FactoredView,
    /// The condition of each invariant, by number; `None` if the view does not determine it.
    pub invariants: Vec<Option<FactorExpr>>,
    /// Faults that may occur, but that no operator of the view has.
    pub unseen: Faults,
}

/// A request for a merge-and-shrink abstraction of a factored system.
pub struct AbstractionRequest<'r> {
    /// The system.
    pub view: &'r FactoredView,
    /// The order in which its factors are composed.
    pub order: &'r [FactorId],
    /// The values that errors have.
    pub errors: &'r mut ErrorValues<'r>,
    /// The memory limit.
    pub bytes: usize,
    /// The time limit.
    pub deadline: Deadline,
}
