//! Models that SPIN's verifier executes wrongly, so that a comparison is meaningless.

use beeline_promela::ast::BinaryOp;
use beeline_promela::hir::{Expr, ExprKind, Init, Model, RecvArg, Root, Stmt, StmtKind};

use crate::generate::{Config, Feature};

/// Whether a model contains a construct that SPIN's verifier executes wrongly.
///
/// A `d_step` that begins with a selection, an assertion or a `printf` is executed even during a
/// rendezvous. When a receive both compares with `eval(x)` and stores into `x`, undoing it puts the
/// new value of `x` back into the message. In a model with rendezvous channels, `1 + q?[x]` is
/// translated to C as `1 + a && b`, without parentheses. During a rendezvous, `eval(len(q))` in the
/// receive evaluates to 1, although `q` never holds a message; for any other channel, undoing it
/// puts the length of `q` without the message back into it. In `s.x == s.a[i]` it does not notice
/// that `i` is read, since it has seen `s` before; if `i` is a local variable, it may count as dead
/// and be set to zero. In a `D_proctype`, a choice is not detected if its second alternative is a
/// jump or `skip`.
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
            stmt.visit(&mut |stmt| {
                confusing |= rendezvous && is_unguarded_d_step(stmt);
                confusing |= compares_a_length(stmt) || compares_what_it_stores(stmt);
                confusing |= process.deterministic && offers_a_jump(stmt);
                stmt.visit_own_exprs(&mut |expr| {
                    confusing |= rendezvous && computes_with_poll(expr);
                    confusing |= hides_a_use(expr);
                });
            });
        }
    }
    confusing
}

/// A configuration without the features that SPIN executes wrongly.
#[must_use]
pub fn unconfusing(config: &Config) -> Config {
    use Feature::{Deterministic, Eval, Record, RecordMessage, Rendezvous};
    let confusing = [Rendezvous, Eval, Record, RecordMessage, Deterministic];
    confusing.into_iter().fold(config.clone(), Config::without)
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

/// Whether a statement has an option other than the first that is a jump or `skip`. True for
/// `select`.
fn offers_a_jump(stmt: &Stmt) -> bool {
    match &stmt.kind {
        StmtKind::Select { .. } => true,
        StmtKind::If(options) | StmtKind::Do(options) => {
            options.iter().skip(1).any(|option| option.first().is_some_and(begins_with_a_jump))
        }
        _ => false,
    }
}

fn begins_with_a_jump(stmt: &Stmt) -> bool {
    match &stmt.kind {
        StmtKind::Break | StmtKind::Goto(_) => true,
        StmtKind::Guard(condition) => !condition.any(|part| matches!(part.kind, ExprKind::Read(_))),
        StmtKind::Labelled { stmt, .. } | StmtKind::Unless { body: stmt, .. } => {
            begins_with_a_jump(stmt)
        }
        StmtKind::Block(body) | StmtKind::Atomic(body) => {
            body.first().is_some_and(begins_with_a_jump)
        }
        StmtKind::If(options) | StmtKind::Do(options) => {
            options.iter().any(|option| option.first().is_some_and(begins_with_a_jump))
        }
        _ => false,
    }
}

/// Whether a poll is an operand of a non-logical operator.
fn computes_with_poll(expr: &Expr) -> bool {
    let is_poll = |expr: &Expr| matches!(expr.kind, ExprKind::Poll { .. });
    expr.any(|part| match &part.kind {
        ExprKind::Binary(BinaryOp::And | BinaryOp::Or, ..) => false,
        ExprKind::Binary(_, left, right) => is_poll(left) || is_poll(right),
        _ => false,
    })
}

/// Whether a structure is read a second time, with an index that contains a local variable.
fn hides_a_use(expr: &Expr) -> bool {
    let is_local = |part: &Expr| matches!(&part.kind, ExprKind::Read(access) if matches!(access.root, Root::Local(_)));
    let mut seen: Vec<Root> = Vec::new();
    expr.any(|part| {
        let ExprKind::Read(access) = &part.kind else { return false };
        if access.path.is_empty() {
            return false;
        }
        let again = seen.contains(&access.root);
        seen.push(access.root);
        let mut indexed = false;
        access.visit(&mut |index| indexed |= is_local(index));
        again && indexed
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
