//! Ranges of expressions by the types of their variables.

use super::types::{constant, of_read, range};
use crate::hir::{BinaryOp, Expr, ExprKind, Model, Process, UnaryOp};

/// The least and the greatest value that an expression can have; `None` if the types say too
/// little, or if the computation may itself exceed an `int`.
pub(super) fn interval(
    model: &Model,
    process: Option<&Process>,
    expr: &Expr,
) -> Option<(i64, i64)> {
    let of = |operand: &Expr| interval(model, process, operand);
    let (least, most) = match &expr.kind {
        _ if constant(expr).is_some() => constant(expr).map(|value| (value, value))?,
        ExprKind::Read(_) | ExprKind::RemoteVar { .. } => range(of_read(model, process, expr)?)?,
        ExprKind::Unary(UnaryOp::Negate, operand) => of(operand).map(|(a, b)| (-b, -a))?,
        ExprKind::Binary(op, left, right) => {
            let ((a, b), (c, d)) = (of(left)?, of(right)?);
            match op {
                BinaryOp::Add => (a + c, b + d),
                BinaryOp::Subtract => (a - d, b - c),
                BinaryOp::Multiply => {
                    let products = [a * c, a * d, b * c, b * d];
                    (*products.iter().min()?, *products.iter().max()?)
                }
                _ => return None,
            }
        }
        _ => return None,
    };
    let fits = i64::from(i32::MIN) <= least && most <= i64::from(i32::MAX);
    fits.then_some((least, most))
}
