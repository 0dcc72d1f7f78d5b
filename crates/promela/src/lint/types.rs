//! Types of variables and expressions, and the values they can hold.

use crate::hir::{
    Access, BinaryOp, Expr, ExprKind, Init, Model, Process, Root, Type, UnaryOp, Variable,
};

/// The range of a type; `None` for types that are not numbers.
pub(super) fn range(ty: Type) -> Option<(i64, i64)> {
    Some(match ty {
        Type::Bit => (0, 1),
        Type::Byte => (0, 255),
        Type::Short => (-(1 << 15), (1 << 15) - 1),
        Type::Int => (-(1 << 31), (1 << 31) - 1),
        Type::Unsigned(bits) => (0, (1 << bits) - 1),
        Type::Mtype(_) | Type::Chan | Type::Struct(_) => return None,
    })
}

/// The value that is stored instead of one out of range.
pub(super) fn truncate(ty: Type, value: i64) -> i64 {
    match ty {
        Type::Bit => value & 1,
        Type::Byte => value & 255,
        Type::Short => i64::from(value as i16),
        Type::Unsigned(bits) => value & ((1 << bits) - 1),
        _ => value,
    }
}

/// The name of the type in messages.
pub(super) fn name(ty: Type) -> String {
    match ty {
        Type::Bit => "a bit".to_owned(),
        Type::Byte => "a byte".to_owned(),
        Type::Short => "a short".to_owned(),
        Type::Int => "an int".to_owned(),
        Type::Unsigned(1) => "an unsigned of 1 bit".to_owned(),
        Type::Unsigned(bits) => format!("an unsigned of {bits} bits"),
        Type::Mtype(_) => "an mtype".to_owned(),
        Type::Chan => "a channel".to_owned(),
        Type::Struct(_) => "a structure".to_owned(),
    }
}

/// The smallest plain type that holds a number.
pub(super) fn smallest(number: i64) -> &'static str {
    let plain = [("bit", Type::Bit), ("byte", Type::Byte), ("short", Type::Short)];
    let fits = |ty| range(ty).is_some_and(|(least, most)| (least..=most).contains(&number));
    plain.into_iter().find(|&(_, ty)| fits(ty)).map_or("int", |(name, _)| name)
}

/// The declaration of the root of an access.
pub(super) fn variable<'a>(
    model: &'a Model,
    process: Option<&'a Process>,
    root: Root,
) -> Option<&'a Variable> {
    match root {
        Root::Global(id) => model.globals.get(id.index()),
        Root::Local(id) => process?.locals.get(id.index()),
        Root::Predefined(_) => None,
    }
}

/// The type of an access.
pub(super) fn of_access(model: &Model, process: Option<&Process>, access: &Access) -> Option<Type> {
    let mut ty = variable(model, process, access.root)?.ty;
    for step in &access.path {
        let Type::Struct(id) = ty else {
            return None;
        };
        ty = model.structs[id.index()].fields.get(step.field as usize)?.ty;
    }
    Some(ty)
}

/// The type of a variable's value; `None` for other expressions.
pub(super) fn of_read(model: &Model, process: Option<&Process>, expr: &Expr) -> Option<Type> {
    match &expr.kind {
        ExprKind::Read(access) => of_access(model, process, access),
        ExprKind::RemoteVar { process, var, .. } => {
            of_access(model, Some(model.process(*process)), var)
        }
        _ => None,
    }
}

/// The types of a message's scalars, if the channel's declaration is known.
pub(super) fn message(
    model: &Model,
    process: Option<&Process>,
    channel: &Access,
) -> Option<Vec<Type>> {
    if !channel.path.is_empty() {
        return None;
    }
    let Init::Channel(channel) = &variable(model, process, channel.root)?.init else {
        return None;
    };
    let mut scalars = Vec::new();
    channel.fields.iter().try_for_each(|&field| flatten(model, field, &mut scalars))?;
    Some(scalars)
}

/// Upper bound on the scalars of a message: nested arrays can describe astronomically large
/// structures.
const MOST_SCALARS: usize = 10_000;

/// The scalars of a type, in order. `None` when there are too many.
pub(super) fn flatten(model: &Model, ty: Type, into: &mut Vec<Type>) -> Option<()> {
    let Type::Struct(id) = ty else {
        into.push(ty);
        return (into.len() <= MOST_SCALARS).then_some(());
    };
    for field in &model.structs[id.index()].fields {
        for _ in 0..field.length.unwrap_or(1) {
            flatten(model, field.ty, into)?;
        }
    }
    Some(())
}

/// The value of a constant expression.
pub(super) fn constant(expr: &Expr) -> Option<i64> {
    Some(match &expr.kind {
        ExprKind::Const(value) | ExprKind::Mtype { value, .. } => i64::from(*value),
        ExprKind::Unary(UnaryOp::Negate, operand) => -constant(operand)?,
        ExprKind::Binary(op, left, right) => {
            let (left, right) = (constant(left)?, constant(right)?);
            match op {
                BinaryOp::Add => left + right,
                BinaryOp::Subtract => left - right,
                BinaryOp::Multiply => left.checked_mul(right)?,
                BinaryOp::Divide => left.checked_div(right)?,
                BinaryOp::Modulo => left.checked_rem(right)?,
                BinaryOp::ShiftLeft if (0..31).contains(&right) => left.checked_mul(1 << right)?,
                _ => return None,
            }
        }
        _ => return None,
    })
}
