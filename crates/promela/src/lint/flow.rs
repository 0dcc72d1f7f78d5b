//! Whether control can reach the end of a statement.

use crate::hir::{Stmt, StmtKind};

/// Whether control can pass through the sequence, where every condition is taken to be satisfiable.
pub(super) fn sequence_completes(steps: &[Stmt]) -> bool {
    let mut reached = true;
    for step in steps {
        reached = (reached || has_label(step)) && completes(step);
    }
    reached
}

/// Whether control can pass through the statement.
pub(super) fn completes(stmt: &Stmt) -> bool {
    match &stmt.kind {
        StmtKind::Goto(_) | StmtKind::Break => false,
        StmtKind::Labelled { stmt, .. } => completes(stmt),
        StmtKind::Unless { body, escape } => completes(body) || completes(escape),
        StmtKind::If(options) => options.iter().any(|option| sequence_completes(option)),
        StmtKind::Do(options) => options.iter().any(|option| breaks(option)),
        StmtKind::Atomic(body) | StmtKind::DStep(body) | StmtKind::Block(body) => {
            sequence_completes(body)
        }
        _ => true,
    }
}

/// Whether these statements contain a `break` of the enclosing loop.
fn breaks(steps: &[Stmt]) -> bool {
    steps.iter().any(|step| match &step.kind {
        StmtKind::Break => true,
        StmtKind::Labelled { stmt, .. } => breaks(std::slice::from_ref(stmt)),
        StmtKind::Unless { body, escape } => {
            breaks(std::slice::from_ref(body)) || breaks(std::slice::from_ref(escape))
        }
        StmtKind::If(options) => options.iter().any(|option| breaks(option)),
        StmtKind::Atomic(body) | StmtKind::DStep(body) | StmtKind::Block(body) => breaks(body),
        _ => false,
    })
}

/// Whether the statement contains a label, so that a `goto` can enter it.
pub(super) fn has_label(stmt: &Stmt) -> bool {
    match &stmt.kind {
        StmtKind::Labelled { .. } => true,
        StmtKind::Unless { body, escape } => has_label(body) || has_label(escape),
        StmtKind::If(options) | StmtKind::Do(options) => options.iter().flatten().any(has_label),
        StmtKind::For { body, .. }
        | StmtKind::Atomic(body)
        | StmtKind::DStep(body)
        | StmtKind::Block(body) => body.iter().any(has_label),
        _ => false,
    }
}
