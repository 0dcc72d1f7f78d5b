//! Coverage: which statements no run ever reaches. Such a statement is dead, or the model
//! does not do what its author thinks.

use beeline_kernel::Space;
use beeline_source::source::Span;

/// Reached and unreached statements.
#[derive(Clone, Debug, Default)]
pub struct Coverage {
    /// Whether all states were explored; otherwise more statements may be reachable.
    pub is_complete: bool,
    /// Coverage by process type, including fully covered types.
    pub processes: Vec<ProcessCoverage>,
}

/// Coverage of a process type.
#[derive(Clone, Debug)]
pub struct ProcessCoverage {
    /// Its name.
    pub process: String,
    /// Number of its statements.
    pub statements: usize,
    /// The statements that were never executed, in order.
    pub unreached: Vec<UnreachedStatement>,
}

/// A statement that was never executed.
#[derive(Clone, Debug)]
pub struct UnreachedStatement {
    /// Position in the source.
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
