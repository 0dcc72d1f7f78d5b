//! Values that are functions of the process number.

use std::ops::Range;

use beeline_promela::hir::{
    Access, BinaryOp, Expr, ExprKind, Model, Predefined, Root, Type, UnaryOp, Variable,
};

use crate::arithmetic::apply;
use crate::automata::Location;
use crate::frame::Frame;
use crate::scalar::Scalar;

/// An expression with more parts than this is faster to read than to compute. The limit also keeps
/// compositions of such expressions small.
const MOST_PARTS: usize = 16;

/// A local constant.
#[derive(Clone, Debug)]
pub struct LocalConstant {
    /// Its value where it is set: constants, `_pid` and names of channels only.
    pub value: ExprKind,
    pub(super) values: PidTable,
    /// By location: whether it is set there. At other locations it is 0.
    pub(super) is_set: Vec<bool>,
}

impl LocalConstant {
    /// Its value in a process that is at a location.
    pub fn at(&self, pid: usize, location: Location) -> i32 {
        if self.is_set.get(location.0 as usize) == Some(&true) { self.set(pid) } else { 0 }
    }

    /// Its value in a process, where it is set.
    pub(crate) fn set(&self, pid: usize) -> i32 {
        self.values.of(pid)
    }
}

/// The context of the values of expressions.
#[derive(Clone, Copy)]
pub(super) struct EliminationContext<'a> {
    pub(super) model: &'a Model,
    /// By global: the number of its first channel, if it is a name.
    pub(super) names: &'a [Option<i32>],
    pub(super) frame: Frame,
}

/// A value for each process of a type.
#[derive(Clone, Debug)]
pub(super) struct PidFunction {
    /// The expression. Its value fits into the variable that holds it.
    pub(super) kind: ExprKind,
    pub(super) values: PidTable,
}

/// A value for each process number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum PidTable {
    /// The same for all processes.
    Always(i32),
    /// By process number, starting with this one.
    ByNumber(usize, Vec<i32>),
}

impl PidTable {
    /// The value for a process.
    pub(super) fn of(&self, pid: usize) -> i32 {
        match self {
            PidTable::Always(value) => *value,
            PidTable::ByNumber(first, values) => {
                pid.checked_sub(*first).and_then(|at| values.get(at)).copied().unwrap_or(0)
            }
        }
    }
}

impl PidFunction {
    /// The constant 0.
    pub(super) fn zero() -> PidFunction {
        PidFunction { kind: ExprKind::Const(0), values: PidTable::Always(0) }
    }

    /// Whether it is 0 for all processes.
    pub(super) fn is_zero(&self) -> bool {
        self.values == PidTable::Always(0)
    }

    /// Whether it is a named channel.
    pub(super) fn is_channel(&self) -> bool {
        matches!(&self.kind, ExprKind::Read(access) if matches!(access.root, Root::Global(_)))
    }
}

impl EliminationContext<'_> {
    /// The value of a variable after an expression is assigned, for processes with these numbers.
    /// `None` if it depends on anything else, or may have no value.
    pub(super) fn value(
        &self,
        expr: &Expr,
        variable: &Variable,
        pids: &Range<usize>,
    ) -> Option<PidFunction> {
        let is_pid = |part: &Expr| matches!(&part.kind, ExprKind::Read(access) if is_pid(access));
        let tries = if expr.any(is_pid) { pids.clone() } else { 0..1 };
        let stored = Scalar::of(variable.ty, &self.frame);
        let mut fits = true;
        let mut values = Vec::new();
        for pid in tries {
            let value = self.eval(expr, pid)?;
            values.push(stored.truncate(value));
            fits &= stored.truncate(value) == value;
        }
        let first = *values.first()?;
        let is_same = values.iter().all(|&value| value == first);
        let is_symbol = matches!(variable.ty, Type::Mtype(_));
        let kind = match &expr.kind {
            _ if is_same && first == 0 => ExprKind::Const(0),
            ExprKind::Read(Access { root: Root::Global(_), .. }) if fits && !is_symbol => {
                expr.kind.clone()
            }
            // The printed name is the same.
            ExprKind::Mtype { set, .. } if is_symbol => {
                let own = match variable.ty {
                    Type::Mtype(Some(own)) => own == *set,
                    _ => self.model.mtypes[set.index()].name.is_none(),
                };
                (own && fits).then(|| expr.kind.clone())?
            }
            _ if is_symbol => return None,
            _ if is_same => ExprKind::Const(first),
            kind => fits.then(|| kind.clone())?,
        };
        let mut parts = 0;
        Expr { kind: kind.clone(), ..*expr }.visit(&mut |_| parts += 1);
        if parts > MOST_PARTS {
            return None;
        }
        let values = match is_same {
            true => PidTable::Always(first),
            false => PidTable::ByNumber(pids.start, values),
        };
        Some(PidFunction { kind, values })
    }

    /// The value of an expression for a process, if it is constant.
    fn eval(&self, expr: &Expr, pid: usize) -> Option<i32> {
        match &expr.kind {
            ExprKind::Const(value) | ExprKind::Mtype { value, .. } => Some(*value),
            ExprKind::Read(access) if is_pid(access) => Some(pid as i32),
            ExprKind::Read(access) => self.name(access, pid),
            ExprKind::Unary(op, operand) => {
                let value = self.eval(operand, pid)?;
                match op {
                    UnaryOp::Not => Some(i32::from(value == 0)),
                    UnaryOp::Negate => Some(value.wrapping_neg()),
                    UnaryOp::BitNot => Some(!value),
                    UnaryOp::Always | UnaryOp::Eventually | UnaryOp::Next => None,
                }
            }
            ExprKind::Binary(
                BinaryOp::Implies
                | BinaryOp::Equivalent
                | BinaryOp::Until
                | BinaryOp::WeakUntil
                | BinaryOp::Release,
                ..,
            ) => None,
            ExprKind::Binary(op, left, right) => {
                // Both sides must have a value, so that the evaluation cannot fail.
                let (left, right) = (self.eval(left, pid)?, self.eval(right, pid)?);
                match op {
                    BinaryOp::And => Some(i32::from(left != 0 && right != 0)),
                    BinaryOp::Or => Some(i32::from(left != 0 || right != 0)),
                    op => apply(*op, left, right).ok(),
                }
            }
            ExprKind::Conditional(condition, yes, no) => {
                let values = (self.eval(yes, pid)?, self.eval(no, pid)?);
                Some(if self.eval(condition, pid)? != 0 { values.0 } else { values.1 })
            }
            _ => None,
        }
    }

    /// The number of a named channel.
    fn name(&self, access: &Access, pid: usize) -> Option<i32> {
        let Root::Global(id) = access.root else { return None };
        let first = self.names[id.index()].filter(|_| access.path.is_empty())?;
        match (access.index.as_deref(), self.model.globals[id.index()].length) {
            (None, _) => Some(first),
            (Some(_), None) => None,
            (Some(index), Some(length)) => {
                let at = u32::try_from(self.eval(index, pid)?).ok().filter(|&at| at < length)?;
                Some(first + at as i32)
            }
        }
    }
}

fn is_pid(access: &Access) -> bool {
    access.root == Root::Predefined(Predefined::Pid)
}
