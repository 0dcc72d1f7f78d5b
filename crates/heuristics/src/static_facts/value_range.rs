//! Value ranges of expressions, from types and constants.

use beeline_engine::interpreter::Machine;
use beeline_engine::layout::Scalar;
use beeline_promela::hir::{
    Access, BinaryOp, ChannelQuery, Expr, ExprKind, Predefined, Process, Root, Type, UnaryOp,
};

/// An interval of values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ValueRange {
    pub(crate) least: i64,
    pub(crate) greatest: i64,
}

impl ValueRange {
    const TRUTH: ValueRange = ValueRange { least: 0, greatest: 1 };
    const BYTE: ValueRange = ValueRange { least: 0, greatest: 255 };
    const ANY: ValueRange = ValueRange { least: i32::MIN as i64, greatest: i32::MAX as i64 };

    /// The range of all values if a result may have wrapped around.
    fn or_any(self) -> ValueRange {
        let fits = ValueRange::ANY.least <= self.least && self.greatest <= ValueRange::ANY.greatest;
        if fits { self } else { ValueRange::ANY }
    }

    pub(crate) fn contains(self, value: i64) -> bool {
        self.least <= value && value <= self.greatest
    }
}

/// The value range of an expression of a process.
pub(crate) fn range(machine: &Machine<'_>, process: Option<&Process>, expr: &Expr) -> ValueRange {
    let of = |expr: &Expr| range(machine, process, expr);
    match &expr.kind {
        ExprKind::Const(value) | ExprKind::Mtype { value, .. } => {
            ValueRange { least: i64::from(*value), greatest: i64::from(*value) }
        }
        ExprKind::Read(access) => read(machine, process, access),
        ExprKind::RemoteVar { process, var, .. } => {
            read(machine, Some(machine.model().process(*process)), var)
        }
        ExprKind::Unary(UnaryOp::Not, _) => ValueRange::TRUTH,
        ExprKind::Unary(UnaryOp::Negate, operand) => {
            let ValueRange { least, greatest } = of(operand);
            ValueRange { least: -greatest, greatest: -least }.or_any()
        }
        ExprKind::Binary(op, left, right) => binary(*op, of(left), of(right)),
        ExprKind::Conditional(_, yes, no) => {
            let (yes, no) = (of(yes), of(no));
            ValueRange { least: yes.least.min(no.least), greatest: yes.greatest.max(no.greatest) }
        }
        ExprKind::Channel(ChannelQuery::Len, _) => ValueRange::BYTE,
        ExprKind::Channel(..)
        | ExprKind::Poll { .. }
        | ExprKind::Timeout
        | ExprKind::RemoteLabel { .. } => ValueRange::TRUTH,
        _ => ValueRange::ANY,
    }
}

fn read(machine: &Machine<'_>, process: Option<&Process>, access: &Access) -> ValueRange {
    let model = machine.model();
    let Some(variable) = model.variable(access.root, process) else {
        return match access.root {
            Root::Predefined(Predefined::Pid | Predefined::NrPr | Predefined::Last) => {
                let most = machine.layout().frame.most_processes;
                ValueRange { least: 0, greatest: most as i64 }
            }
            _ => ValueRange::ANY,
        };
    };
    let (mut ty, mut length) = (variable.ty, variable.length);
    for field in &access.path {
        let Type::Struct(id) = ty else { return ValueRange::ANY };
        let declared = &model.structs[id.index()].fields[field.field as usize];
        (ty, length) = (declared.ty, declared.length);
    }
    if let Type::Struct(_) = ty {
        return ValueRange::ANY;
    }
    match machine.layout().element(ty, length) {
        Scalar::Bit => ValueRange::TRUTH,
        Scalar::Byte => ValueRange::BYTE,
        Scalar::Short => ValueRange { least: i64::from(i16::MIN), greatest: i64::from(i16::MAX) },
        Scalar::Unsigned(bits) if bits < 31 => ValueRange { least: 0, greatest: (1 << bits) - 1 },
        Scalar::Int | Scalar::Unsigned(_) => ValueRange::ANY,
    }
}

fn binary(op: BinaryOp, left: ValueRange, right: ValueRange) -> ValueRange {
    match op {
        BinaryOp::Add => {
            ValueRange { least: left.least + right.least, greatest: left.greatest + right.greatest }
                .or_any()
        }
        BinaryOp::Subtract => {
            ValueRange { least: left.least - right.greatest, greatest: left.greatest - right.least }
                .or_any()
        }
        BinaryOp::Multiply => {
            let corners = [left.least, left.greatest]
                .into_iter()
                .flat_map(|one| [one * right.least, one * right.greatest]);
            let (least, greatest) =
                corners.fold((i64::MAX, i64::MIN), |(l, g), corner| (l.min(corner), g.max(corner)));
            ValueRange { least, greatest }.or_any()
        }
        BinaryOp::Modulo => {
            let most = right.least.abs().max(right.greatest.abs()).max(1) - 1;
            let least = if left.least >= 0 { 0 } else { -most };
            let greatest = if left.greatest <= 0 { 0 } else { most.min(left.greatest) };
            ValueRange { least, greatest }
        }
        BinaryOp::BitAnd if left.least >= 0 && right.least >= 0 => {
            ValueRange { least: 0, greatest: left.greatest.min(right.greatest) }
        }
        BinaryOp::Less
        | BinaryOp::LessEqual
        | BinaryOp::Greater
        | BinaryOp::GreaterEqual
        | BinaryOp::Equal
        | BinaryOp::NotEqual
        | BinaryOp::And
        | BinaryOp::Or => ValueRange::TRUTH,
        _ => ValueRange::ANY,
    }
}
