//! A system with its errors, for searches on sets of states.

use beeline_factored::{FactorExpr, FactoredView};
use beeline_kernel::Faults;

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
