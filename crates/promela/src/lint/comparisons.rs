//! Comparisons whose result the types decide: a `byte` is never negative and never 256, so `x >= 0`
//! is always true and `x == -1` never. As an assertion the first checks nothing; as a loop
//! condition it never ends the loop.

use super::facts::Facts;
use super::types::{constant, name, of_read, range, smallest};
use super::walk::expressions;
use crate::hir::{BinaryOp, Expr, ExprKind, Process, Type};
use beeline_source::diagnostic::Diagnostic;

pub(super) fn check(facts: &Facts<'_>, found: &mut Vec<Diagnostic>) {
    expressions(facts.model, |expr, process| {
        let ExprKind::Binary(op, left, right) = &expr.kind else {
            return;
        };
        let finding = if let Some(value) = constant(right) {
            judge(facts, process, expr, left, *op, value)
        } else if let Some(value) = constant(left) {
            mirrored(*op).and_then(|op| judge(facts, process, expr, right, op, value))
        } else {
            None
        };
        found.extend(finding);
    });
}

/// `5 < x` is `x > 5`.
fn mirrored(op: BinaryOp) -> Option<BinaryOp> {
    Some(match op {
        BinaryOp::Less => BinaryOp::Greater,
        BinaryOp::LessEqual => BinaryOp::GreaterEqual,
        BinaryOp::Greater => BinaryOp::Less,
        BinaryOp::GreaterEqual => BinaryOp::LessEqual,
        BinaryOp::Equal | BinaryOp::NotEqual => op,
        _ => return None,
    })
}

/// The result of `value op number`, if it is the same for every value of the range.
fn outcome(op: BinaryOp, (least, most): (i64, i64), number: i64) -> Option<bool> {
    let (always, never) = match op {
        BinaryOp::Less => (most < number, least >= number),
        BinaryOp::LessEqual => (most <= number, least > number),
        BinaryOp::Greater => (least > number, most <= number),
        BinaryOp::GreaterEqual => (least >= number, most < number),
        BinaryOp::Equal => (false, !(least..=most).contains(&number)),
        BinaryOp::NotEqual => (!(least..=most).contains(&number), false),
        _ => return None,
    };
    match (always, never) {
        (true, _) => Some(true),
        (_, true) => Some(false),
        _ => None,
    }
}

fn judge(
    facts: &Facts<'_>,
    process: Option<&Process>,
    expr: &Expr,
    operand: &Expr,
    op: BinaryOp,
    number: i64,
) -> Option<Diagnostic> {
    let ty = of_read(facts.model, process, operand)?;
    // Comparing an int with its limits is intended.
    if ty == Type::Int {
        return None;
    }
    let (least, most) = range(ty)?;
    let outcome = outcome(op, (least, most), number)?;
    let diagnostic =
        Diagnostic::warning("comparison-by-type", expr.span, format!("this is always {outcome}"))
            .label(format!("{} is between {least} and {most}", name(ty)));
    Some(if outcome {
        diagnostic
            .note(
                "a value wraps around instead of leaving the range, so no overflow is noticed here",
            )
            .help("declare the variable with a larger type, such as `short`, or leave this out")
    } else {
        diagnostic
            .help(format!("use a type that can hold {number}, such as `{}`", smallest(number)))
    })
}
