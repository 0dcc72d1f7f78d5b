//! Arithmetic without a result: a division by zero ends the search with an error, and a shift by 32
//! bits or more is undefined.

use super::facts::Facts;
use super::types::constant;
use super::walk::expressions;
use crate::hir::{BinaryOp, ExprKind};
use beeline_source::diagnostic::Diagnostic;

pub(super) fn check(facts: &Facts<'_>, found: &mut Vec<Diagnostic>) {
    expressions(facts.model, |expr, _| {
        let ExprKind::Binary(op, _, right) = &expr.kind else {
            return;
        };
        let Some(value) = constant(right) else {
            return;
        };
        match op {
            BinaryOp::Divide | BinaryOp::Modulo if value == 0 => found.push(
                Diagnostic::warning("zero-divisor", right.span, "this divides by zero")
                    .label("always 0")
                    .note("the checker stops with an error when it gets here")
                    .help("use another divisor, or test it first"),
            ),
            BinaryOp::ShiftLeft | BinaryOp::ShiftRight if !(0..32).contains(&value) => found.push(
                Diagnostic::warning(
                    "shift-out-of-range",
                    right.span,
                    format!("a shift by {value} bits has no defined result"),
                )
                .label("valid: 0 to 31")
                .note("values are computed with 32 bits")
                .help("shift by less, or write the result as a number"),
            ),
            _ => {}
        }
    });
}
