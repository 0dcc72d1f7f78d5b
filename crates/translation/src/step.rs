//! Steps of the extended system: the operators of a system, and the bookkeeping between them.
//!
//! The extended system has three variables more: `control`, the process that keeps control;
//! `phase`, the position in a sequence of checks; and `error`, the goal.

use beeline_factored::{FactorExpr, FactorId, System};

/// The variables of the extended system: the factors, then the variables of bookkeeping.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Extra {
    pub(crate) control: FactorId,
    pub(crate) phase: FactorId,
    pub(crate) error: FactorId,
}

impl Extra {
    pub(crate) fn of(system: &System) -> Extra {
        let first = system.factors.len() as u32;
        let [control, phase, error] = [0, 1, 2].map(|at| FactorId(first + at));
        Extra { control, phase, error }
    }

    /// The number of variables.
    pub(crate) fn variables(self) -> usize {
        self.error.index() + 1
    }
}

/// No process keeps control.
pub(crate) const FREE: i32 = 0;
/// Operators are executed: no check goes on.
pub(crate) const RUNNING: i32 = 0;

/// The value of `control` while a process keeps control.
pub(crate) fn held_by(process: u32) -> i32 {
    process as i32 + 1
}

/// A condition of a step.
#[derive(Clone, Debug)]
pub(crate) enum Guard {
    /// A variable has one of these values.
    OneOf(FactorId, Vec<i32>),
    /// An expression is true.
    Holds(FactorExpr),
    /// None of these operators is applicable.
    Inapplicable(Vec<u32>),
}

/// The kind of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum StepKind {
    /// An operator, by its position in the system.
    Operator(u32),
    /// Bookkeeping.
    Bookkeeping,
}

/// A step of the extended system.
#[derive(Clone, Debug)]
pub(crate) struct Step {
    pub(crate) kind: StepKind,
    /// The name in plans.
    pub(crate) name: String,
    /// The name for people.
    pub(crate) remark: String,
    pub(crate) cost: u32,
    pub(crate) guards: Vec<Guard>,
    /// Whether the assignments of the operator are executed. A fault has none.
    pub(crate) has_effects: bool,
    /// Assignments to variables of bookkeeping.
    pub(crate) sets: Vec<(FactorId, i32)>,
}
