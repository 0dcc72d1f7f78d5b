//! Coverage: which statements no run ever reaches. Such a statement is dead, or the model
//! does not do what its author thinks.

use beeline_kernel::Space;
use beeline_source::source::Span;

/// What was reached, and what was not.
#[derive(Clone, Debug, Default)]
pub struct Coverage {
    /// Whether every state was looked at; otherwise more may be reachable.
    pub is_complete: bool,
    /// By process type, those with all statements reached included.
    pub processes: Vec<ProcessCoverage>,
}

/// What was reached of a process type.
#[derive(Clone, Debug)]
pub struct ProcessCoverage {
    /// Its name.
    pub process: String,
    /// How many statements it has.
    pub statements: usize,
    /// Those that were never executed, in order.
    pub unreached: Vec<UnreachedStatement>,
}

/// A statement that was never executed.
#[derive(Clone, Debug)]
pub struct UnreachedStatement {
    /// Where it stands.
    pub span: Span,
    /// The statement.
    pub statement: String,
}

/// A space that records which statements are executed.
pub trait CoverageSpace: Sync {
    /// The states; expanding one records the statements of its transitions.
    fn space(&self) -> &dyn Space;

    /// The statements by process type, with those that were not executed so far.
    fn processes(&self) -> Vec<ProcessCoverage>;
}
