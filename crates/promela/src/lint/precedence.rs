//! Operators whose precedence surprises: `0 < x < 5` compares a truth value with 5, `flags & 1 ==
//! 0` is `flags & (1 == 0)`, and `!x == 1` is `(!x) == 1`, all as in C.

use super::facts::Facts;
use super::types::of_read;
use super::walk::expressions;
use crate::hir::{BinaryOp, Expr, ExprKind, Process, Type, UnaryOp};
use beeline_source::diagnostic::Diagnostic;

pub(super) fn check(facts: &Facts<'_>, found: &mut Vec<Diagnostic>) {
    expressions(facts.model, |expr, process| {
        let ExprKind::Binary(op, left, right) = &expr.kind else {
            return;
        };
        if is_order(*op) && is_comparison(left) {
            found.push(chained(expr));
        } else if is_bitwise(*op) && is_comparison(left) != is_comparison(right) {
            found.extend(bitwise(facts, process, *op, left, right));
        } else if is_order(*op) || is_equality(*op) {
            found.extend(negation(facts, process, expr, left, right));
        }
    });
}

fn is_order(op: BinaryOp) -> bool {
    matches!(op, BinaryOp::Less | BinaryOp::LessEqual | BinaryOp::Greater | BinaryOp::GreaterEqual)
}

fn is_equality(op: BinaryOp) -> bool {
    matches!(op, BinaryOp::Equal | BinaryOp::NotEqual)
}

fn is_bitwise(op: BinaryOp) -> bool {
    matches!(op, BinaryOp::BitAnd | BinaryOp::BitOr | BinaryOp::BitXor)
}

fn is_comparison(expr: &Expr) -> bool {
    matches!(&expr.kind, ExprKind::Binary(op, ..) if is_order(*op) || is_equality(*op))
}

fn chained(expr: &Expr) -> Diagnostic {
    Diagnostic::warning(
        "chained-comparison",
        expr.span,
        "comparisons cannot be chained as in mathematics",
    )
    .label("compares the outcome of the first comparison, 0 or 1, with a number")
    .help("join two comparisons: `a < x && x < b`")
}

/// `flags & 1 == 0`
fn bitwise(
    facts: &Facts<'_>,
    process: Option<&Process>,
    op: BinaryOp,
    left: &Expr,
    right: &Expr,
) -> Option<Diagnostic> {
    let (compared, other) = if is_comparison(left) { (left, right) } else { (right, left) };
    // Bitwise operators on truth values are intended.
    if of_read(facts.model, process, other).is_none_or(|ty| ty == Type::Bit) {
        return None;
    }
    let op = op.text();
    Some(
        Diagnostic::warning(
            "bitwise-precedence",
            compared.span,
            format!("`{op}` takes the outcome of this comparison, 0 or 1"),
        )
        .label(format!("binds tighter than `{op}`"))
        .related(other.span, format!("the other operand of `{op}`"))
        .help(format!("write `(a {op} b) == c`, or `&&` and `||` to join conditions")),
    )
}

/// `!x == 1`
fn negation(
    facts: &Facts<'_>,
    process: Option<&Process>,
    expr: &Expr,
    left: &Expr,
    right: &Expr,
) -> Option<Diagnostic> {
    let ExprKind::Unary(UnaryOp::Not, operand) = &left.kind else {
        return None;
    };
    let number = of_read(facts.model, process, operand).is_some_and(|ty| ty != Type::Bit);
    // The parentheses of `(!x) == 1` show that it is intended.
    let (text, _) = facts.between(operand.span, right.span)?;
    if !number || text.contains(')') {
        return None;
    }
    Some(
        Diagnostic::warning(
            "negation-precedence",
            expr.span,
            "`!` applies to the left operand only",
        )
        .label("read as `(!a) == b`, where `!a` is 0 or 1")
        .help("write `!(a == b)` or `a != b`"),
    )
}
