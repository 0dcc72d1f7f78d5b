//! `=` and `==` in each other's place. An assignment is always executable, so as a guard it never
//! blocks, and it changes the variable; a comparison as a statement blocks, and if it is about
//! local variables only, it blocks forever. Also a line that begins with a minus sign: it is such a
//! statement, not a continuation of the line before.

use std::collections::{HashMap, HashSet};

use super::facts::Facts;
use super::walk::{head, statements};
use crate::hir::{BinaryOp, Expr, ExprKind, ProcessKind, Root, Stmt, StmtKind, UnaryOp};
use beeline_source::diagnostic::Diagnostic;

pub(super) fn check(facts: &Facts<'_>, found: &mut Vec<Diagnostic>) {
    let mut may_end = HashSet::new();
    statements(facts.model, |stmt, place| match &stmt.kind {
        // An end label allows the process to block here.
        StmtKind::Labelled { label, stmt } if place.process.labels[label.index()].is_end() => {
            may_end.insert((stmt.span.file, stmt.span.start));
        }
        StmtKind::Guard(guard) if begins_with_minus(guard) => found.push(
            Diagnostic::warning(
                "continued-expression",
                stmt.span,
                "this statement begins with a minus sign",
            )
            .label("a condition of its own, not part of the line before")
            .note("Promela ends a statement at a line end, except inside parentheses")
            .help("put the `-` at the end of the line before, or add parentheses"),
        ),
        StmtKind::If(options) | StmtKind::Do(options) => assignment(facts, options, found),
        StmtKind::Guard(guard)
            if !place.entry
                && !may_end.contains(&(stmt.span.file, stmt.span.start))
                && matches!(place.process.kind, ProcessKind::Proctype | ProcessKind::Init) =>
        {
            found.extend(comparison(facts, stmt, guard));
        }
        _ => {}
    });
}

/// `x = y` with `- 1` in the next line.
fn begins_with_minus(guard: &Expr) -> bool {
    match &guard.kind {
        ExprKind::Unary(UnaryOp::Negate, _) => true,
        ExprKind::Binary(op, left, _) => {
            op.precedence() >= BinaryOp::Add.precedence() && begins_with_minus(left)
        }
        _ => false,
    }
}

/// `:: x = 1 -> …` beside `:: x == 2 -> …`
fn assignment(facts: &Facts<'_>, options: &[Vec<Stmt>], found: &mut Vec<Diagnostic>) {
    let heads: Vec<&Stmt> = options.iter().filter_map(|option| head(option)).collect();
    if heads.iter().any(|stmt| matches!(stmt.kind, StmtKind::Else)) {
        // `elses.rs` reports the dead `else` with the same advice.
        return;
    }
    let mut compared = HashMap::new();
    for stmt in &heads {
        if let StmtKind::Guard(guard) = &stmt.kind
            && let Some(root) = compared_variable(guard)
        {
            compared.entry(root).or_insert(stmt.span);
        }
    }
    for stmt in &heads {
        let StmtKind::Assign { target, value } = &stmt.kind else {
            continue;
        };
        // Without the arrow it may be a choice of values.
        if super::types::constant(value).is_none() || !facts.arrow_follows(stmt.span) {
            continue;
        }
        let sibling = compared.get(&target.root).copied().filter(|_| target.path.is_empty());
        let (Some(sibling), Some(equals)) = (sibling, facts.operator(target.span, "=", value.span))
        else {
            continue;
        };
        found.push(
            Diagnostic::warning(
                "assignment-as-guard",
                stmt.span,
                "this option begins with an assignment, not with a condition",
            )
            .label("can always be executed, and changes the variable")
            .related(sibling, "compares the same variable")
            .note("`=` assigns and `==` compares")
            .fix("if a comparison was meant", equals, "=="),
        );
    }
}

/// The variable that the guard compares with a constant.
fn compared_variable(guard: &Expr) -> Option<Root> {
    let ExprKind::Binary(BinaryOp::Equal | BinaryOp::NotEqual, left, right) = &guard.kind else {
        return None;
    };
    let reads = |expr: &Expr| match &expr.kind {
        ExprKind::Read(access) if access.path.is_empty() => Some(access.root),
        _ => None,
    };
    let constant = |expr: &Expr| super::types::constant(expr).is_some();
    match (reads(left), reads(right)) {
        (Some(root), None) if constant(right) => Some(root),
        (None, Some(root)) if constant(left) => Some(root),
        _ => None,
    }
}

/// `x == 1;` where `x` belongs to the process: no other process can make it true.
fn comparison(facts: &Facts<'_>, stmt: &Stmt, guard: &Expr) -> Option<Diagnostic> {
    let ExprKind::Binary(BinaryOp::Equal, left, right) = &guard.kind else {
        return None;
    };
    let ExprKind::Read(access) = &left.kind else {
        return None;
    };
    if !matches!(access.root, Root::Local(_)) || changes(guard) || facts.is_macro_text(stmt.span) {
        return None;
    }
    let diagnostic = Diagnostic::warning(
        "comparison-as-statement",
        stmt.span,
        "this comparison is true at once or blocks for ever",
    )
    .label("only this process could change the outcome, and it waits here")
    .note("`==` compares and `=` assigns; an expression as a statement waits until it is true");
    Some(match facts.operator(left.span, "==", right.span) {
        Some(span) => diagnostic.fix("if an assignment was meant", span, "="),
        None => diagnostic.help("write `=` if an assignment was meant"),
    })
}

/// Whether other processes can change the value.
fn changes(expr: &Expr) -> bool {
    expr.any(|part| match &part.kind {
        ExprKind::Read(access) => !matches!(access.root, Root::Local(_)),
        ExprKind::Const(_)
        | ExprKind::Mtype { .. }
        | ExprKind::Unary(..)
        | ExprKind::Binary(..) => false,
        _ => true,
    })
}
