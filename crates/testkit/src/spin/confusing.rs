//! Models that SPIN's verifier gets wrong, so that there is nothing to compare.

use beeline_promela::ast::BinaryOp;
use beeline_promela::hir::{Expr, ExprKind, Init, Model, RecvArg, Root, Stmt, StmtKind};

/// Whether there is something in a model that SPIN's verifier executes wrongly.
///
/// A `d_step` that begins with a selection, an assertion or a `printf` is
/// executed even while a rendezvous is under way. And when a receive both
/// compares with `eval(x)` and stores into `x`, undoing it puts the new value of
/// `x` back into the message. In a model with rendezvous channels, `1 + q?[x]` is
/// translated to C as `1 + a && b`, without parentheses. And while a rendezvous is
/// under way, `eval(len(q))` in the receive finds that `q` has length 1, although
/// it never holds a message.
#[must_use]
pub fn confuses_spin(model: &Model) -> bool {
    let locals = model.processes.iter().flat_map(|process| &process.locals);
    let rendezvous =
        model.globals.iter().chain(locals).any(
            |variable| matches!(&variable.init, Init::Channel(channel) if channel.capacity == 0),
        );
    let mut confusing = false;
    for process in &model.processes {
        for stmt in &process.body {
            visit(stmt, &mut |stmt| {
                confusing |= rendezvous && (is_unguarded_d_step(stmt) || compares_a_length(stmt));
                confusing |= compares_what_it_stores(stmt);
                stmt.visit_exprs(&mut |expr| confusing |= rendezvous && computes_with_poll(expr));
            });
        }
    }
    confusing
}

fn visit(stmt: &Stmt, see: &mut impl FnMut(&Stmt)) {
    see(stmt);
    match &stmt.kind {
        StmtKind::Labelled { stmt, .. } => visit(stmt, see),
        StmtKind::Unless { body, escape } => {
            visit(body, see);
            visit(escape, see);
        }
        StmtKind::If(options) | StmtKind::Do(options) => {
            options.iter().flatten().for_each(|stmt| visit(stmt, see));
        }
        StmtKind::For { body, .. }
        | StmtKind::Atomic(body)
        | StmtKind::DStep(body)
        | StmtKind::Block(body) => body.iter().for_each(|stmt| visit(stmt, see)),
        _ => {}
    }
}

fn is_unguarded_d_step(stmt: &Stmt) -> bool {
    let StmtKind::DStep(body) = &stmt.kind else {
        return false;
    };
    let mut first = &body[0].kind;
    loop {
        first = match first {
            StmtKind::Labelled { stmt, .. } => &stmt.kind,
            StmtKind::Block(body) | StmtKind::Atomic(body) => &body[0].kind,
            _ => break,
        };
    }
    matches!(
        first,
        StmtKind::If(_)
            | StmtKind::Do(_)
            | StmtKind::Select { .. }
            | StmtKind::Assert(_)
            | StmtKind::Print { .. }
            | StmtKind::PrintM(_)
    )
}

/// Whether a poll is an operand of something else than logic.
fn computes_with_poll(expr: &Expr) -> bool {
    let is_poll = |expr: &Expr| matches!(expr.kind, ExprKind::Poll { .. });
    expr.any(|part| match &part.kind {
        ExprKind::Binary(BinaryOp::And | BinaryOp::Or, ..) => false,
        ExprKind::Binary(_, left, right) => is_poll(left) || is_poll(right),
        _ => false,
    })
}

fn compares_a_length(stmt: &Stmt) -> bool {
    let StmtKind::Receive { args, .. } = &stmt.kind else {
        return false;
    };
    let asks = |expr: &Expr| matches!(expr.kind, ExprKind::Channel(..));
    args.iter().any(|arg| matches!(arg, RecvArg::Eval(value) if value.any(asks)))
}

fn compares_what_it_stores(stmt: &Stmt) -> bool {
    let StmtKind::Receive { args, .. } = &stmt.kind else {
        return false;
    };
    let stored: Vec<Root> = args
        .iter()
        .filter_map(|arg| match arg {
            RecvArg::Store(access) => Some(access.root),
            _ => None,
        })
        .collect();
    let reads_stored = |expr: &Expr| {
        expr.any(|e| matches!(&e.kind, ExprKind::Read(access) if stored.contains(&access.root)))
    };
    args.iter().any(|arg| matches!(arg, RecvArg::Eval(value) if reads_stored(value)))
}
