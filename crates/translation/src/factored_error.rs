//! The errors of a system that are goals of its planning task.

use beeline_factored::FactorExpr;
use beeline_kernel::Faults;

/// An error of a system.
#[derive(Clone, Debug)]
pub enum FactoredError {
    /// No operator is applicable, and the end is not valid.
    Deadlock,
    /// An operator with such a fault.
    Faults(Faults),
    /// A state in which this holds.
    Violation(FactorExpr),
}
