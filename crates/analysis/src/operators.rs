//! The operators of Promela on values, as operators of factored systems.

use beeline_factored::Binary;
use beeline_promela::hir::BinaryOp;

/// An operator of a factored system that means the same as one of Promela.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ValueOperator {
    pub(crate) op: Binary,
    /// Whether it takes the operands in the opposite order.
    pub(crate) is_reversed: bool,
}

/// The operator on values; `None` for the temporal ones.
pub(crate) fn operator(op: BinaryOp) -> Option<ValueOperator> {
    let is_reversed = matches!(op, BinaryOp::Greater | BinaryOp::GreaterEqual);
    let op = match op {
        BinaryOp::Add => Binary::Add,
        BinaryOp::Subtract => Binary::Subtract,
        BinaryOp::Multiply => Binary::Multiply,
        BinaryOp::Divide => Binary::Divide,
        BinaryOp::Modulo => Binary::Modulo,
        BinaryOp::BitAnd => Binary::BitAnd,
        BinaryOp::BitXor => Binary::BitXor,
        BinaryOp::BitOr => Binary::BitOr,
        BinaryOp::ShiftLeft => Binary::ShiftLeft,
        BinaryOp::ShiftRight => Binary::ShiftRight,
        BinaryOp::Less | BinaryOp::Greater => Binary::Less,
        BinaryOp::LessEqual | BinaryOp::GreaterEqual => Binary::LessEqual,
        BinaryOp::Equal => Binary::Equal,
        BinaryOp::NotEqual => Binary::NotEqual,
        BinaryOp::And => Binary::And,
        BinaryOp::Or => Binary::Or,
        BinaryOp::Implies
        | BinaryOp::Equivalent
        | BinaryOp::Until
        | BinaryOp::WeakUntil
        | BinaryOp::Release => return None,
    };
    Some(ValueOperator { op, is_reversed })
}
