//! Whether control can get past a statement.

use crate::hir::{Stmt, StmtKind};

/// Whether what follows the sequence can be reached through it. Conditions are
/// taken to be possible.
pub(super) fn sequence_completes(steps: &[Stmt]) -> bool {
    let mut reached = true;
    for step in steps {
        reached = (reached || has_label(step)) && completes(step);
    }
    reached
}

/// Whether what follows the statement can be reached through it.
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

/// Whether a `break` of the enclosing loop stands in these statements.
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

/// Whether one can jump into the statement.
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
