//! Tests of the shape of statements.

use beeline_promela::ast::*;

/// The statements directly inside a statement.
fn parts(stmt: &Stmt) -> Vec<&Stmt> {
    match &stmt.kind {
        StmtKind::Labelled { stmt, .. } => stmt.iter().map(|stmt| &**stmt).collect(),
        StmtKind::Unless { body, escape } => vec![body, escape],
        StmtKind::If(options) | StmtKind::Do(options) => options.iter().flatten().collect(),
        StmtKind::For { body, .. }
        | StmtKind::Atomic(body)
        | StmtKind::DStep(body)
        | StmtKind::Block(body) => body.iter().collect(),
        StmtKind::Call { expansion, .. } => vec![expansion],
        _ => Vec::new(),
    }
}

/// Whether control may leave a statement, or enter it, by a jump.
pub(super) fn may_leave(stmt: &Stmt) -> bool {
    let jumps =
        matches!(stmt.kind, StmtKind::Goto(_) | StmtKind::Break | StmtKind::Labelled { .. });
    jumps || parts(stmt).into_iter().any(may_leave)
}

/// Whether it contains a loop, so that a `break` may lead to the next statement.
pub(super) fn contains_loop(stmt: &Stmt) -> bool {
    let loops =
        matches!(stmt.kind, StmtKind::Do(_) | StmtKind::For { .. } | StmtKind::Select { .. });
    loops || parts(stmt).into_iter().any(contains_loop)
}

/// Whether it begins with a `d_step`, which SPIN does not allow as the target of a jump.
pub(super) fn starts_with_d_step(stmt: &Stmt) -> bool {
    match &stmt.kind {
        StmtKind::DStep(_) => true,
        StmtKind::Labelled { .. }
        | StmtKind::Unless { .. }
        | StmtKind::Atomic(_)
        | StmtKind::Block(_)
        | StmtKind::Call { .. } => parts(stmt).first().is_some_and(|stmt| starts_with_d_step(stmt)),
        _ => false,
    }
}

/// Whether it has no effect: only `skip` and output.
pub(super) fn is_idle(stmt: &Stmt) -> bool {
    match &stmt.kind {
        StmtKind::Print { .. } | StmtKind::PrintM(_) => true,
        StmtKind::Expr(condition) => matches!(condition.kind, ExprKind::Literal(_)),
        _ => {
            let parts = parts(stmt);
            !parts.is_empty() && parts.into_iter().all(is_idle)
        }
    }
}
