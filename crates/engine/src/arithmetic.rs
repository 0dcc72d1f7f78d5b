//! Arithmetic of Promela: operators on 32-bit values.

use beeline_kernel::FaultKind;
use beeline_promela::hir::BinaryOp;

/// The value of an operation on two operands. `&&` and `||` are evaluated lazily by the caller.
///
/// # Errors
///
/// When it has no value: a division by zero.
#[inline]
pub fn apply(op: BinaryOp, a: i32, b: i32) -> Result<i32, FaultKind> {
    Ok(match op {
        BinaryOp::Add => a.wrapping_add(b),
        BinaryOp::Subtract => a.wrapping_sub(b),
        BinaryOp::Multiply => a.wrapping_mul(b),
        BinaryOp::Divide | BinaryOp::Modulo if b == 0 => return Err(FaultKind::Division),
        BinaryOp::Divide => a.wrapping_div(b),
        BinaryOp::Modulo => a.wrapping_rem(b),
        BinaryOp::BitAnd => a & b,
        BinaryOp::BitXor => a ^ b,
        BinaryOp::BitOr => a | b,
        BinaryOp::ShiftLeft => a.wrapping_shl(b as u32),
        BinaryOp::ShiftRight => a.wrapping_shr(b as u32),
        BinaryOp::Less => i32::from(a < b),
        BinaryOp::LessEqual => i32::from(a <= b),
        BinaryOp::Greater => i32::from(a > b),
        BinaryOp::GreaterEqual => i32::from(a >= b),
        BinaryOp::Equal => i32::from(a == b),
        BinaryOp::NotEqual => i32::from(a != b),
        BinaryOp::And | BinaryOp::Or => i32::from(b != 0),
        BinaryOp::Implies
        | BinaryOp::Equivalent
        | BinaryOp::Until
        | BinaryOp::WeakUntil
        | BinaryOp::Release => unreachable!("temporal operators stand in formulas only"),
    })
}
