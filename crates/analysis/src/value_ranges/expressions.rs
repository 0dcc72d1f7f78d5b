//! The ranges of expressions.

use beeline_factored::{Interval, Unary};
use beeline_promela::hir::{
    Access, BinaryOp, ChannelQuery, Expr, ExprKind, Predefined, ProcessId, Root, Type, UnaryOp,
    Variable,
};

use super::ranges::{Scope, ValueRanges};
use super::shared::{SharedCell, type_range};
use crate::operators::operator;

impl Scope<'_> {
    /// The values of an expression.
    pub fn range(self, expr: &Expr) -> Interval {
        match &expr.kind {
            ExprKind::Const(value) | ExprKind::Mtype { value, .. } => Interval::one(*value),
            ExprKind::Read(access) => self.read(access),
            ExprKind::RemoteVar { process, var, .. } => self.ranges.remote(*process, var),
            ExprKind::Unary(op, operand) => match op {
                UnaryOp::Not => self.range(operand).unary(Unary::Not),
                UnaryOp::Negate => self.range(operand).unary(Unary::Negate),
                UnaryOp::BitNot => self.range(operand).unary(Unary::BitNot),
                _ => Interval::TRUTH,
            },
            ExprKind::Binary(op, left, right) => self.binary(*op, left, right),
            ExprKind::Conditional(condition, yes, no) => {
                let branch = |truth: bool, branch: &Expr| {
                    let refined = self.refined(condition, truth)?;
                    Some(self.within(&refined).range(branch))
                };
                match (branch(true, yes), branch(false, no)) {
                    (Some(yes), Some(no)) => yes.hull(no),
                    (one, two) => one.or(two).unwrap_or(Interval::ALL),
                }
            }
            ExprKind::Channel(ChannelQuery::Len, _) => {
                let channels = &self.ranges.machine.layout().channels;
                let most = channels.iter().map(|one| one.capacity).max().unwrap_or(0);
                Interval { least: 0, greatest: most as i64 }
            }
            ExprKind::Run { .. } => {
                Interval { least: 0, greatest: self.ranges.instances.total() as i64 }
            }
            ExprKind::Channel(..)
            | ExprKind::Poll { .. }
            | ExprKind::Timeout
            | ExprKind::NonProgress
            | ExprKind::RemoteLabel { .. } => Interval::TRUTH,
            ExprKind::Process(..) => Interval::ALL,
        }
    }

    fn binary(self, op: BinaryOp, left: &Expr, right: &Expr) -> Interval {
        let (a, b) = (self.range(left), self.range(right));
        let Some(op) = operator(op) else { return Interval::TRUTH };
        let value = if op.is_reversed { b.binary(op.op, a) } else { a.binary(op.op, b) };
        value.unwrap_or(Interval::ALL)
    }

    /// The values of a variable.
    pub(super) fn read(self, access: &Access) -> Interval {
        let slots = &self.ranges.slots[self.process.index()];
        if access.path.is_empty()
            && let Some(number) = slots.number(access.root)
        {
            return self.environment.0[number];
        }
        match access.root {
            Root::Predefined(Predefined::Pid) => self.ranges.instances.pids(self.process),
            Root::Predefined(Predefined::NrPr | Predefined::Last) => {
                Interval { least: 0, greatest: self.ranges.instances.total() as i64 }
            }
            Root::Predefined(_) => Interval::ALL,
            Root::Global(id) if access.path.is_empty() => {
                self.ranges.shared_range(SharedCell::Global(id))
            }
            _ => self.ranges.field_range(self.process, access),
        }
    }
}

impl<'a> ValueRanges<'a> {
    /// The declaration of the last part of an access, and the structure and number of that part.
    pub(super) fn declared(
        &self,
        process: ProcessId,
        access: &Access,
    ) -> Option<(&'a Variable, Option<SharedCell>)> {
        let model = self.machine.model();
        let mut variable = model.variable(access.root, Some(model.process(process)))?;
        let mut cell = None;
        for field in &access.path {
            let Type::Struct(id) = variable.ty else { return None };
            variable = &model.structs[id.index()].fields[field.field as usize];
            cell = Some(SharedCell::Field(id, field.field));
        }
        Some((variable, cell))
    }

    /// The range of a cell; 0 while it has no other value.
    fn shared_range(&self, cell: SharedCell) -> Interval {
        self.shared.get(cell).unwrap_or(Interval::one(0))
    }

    fn field_range(&self, process: ProcessId, access: &Access) -> Interval {
        match self.declared(process, access) {
            Some((_, Some(cell))) => self.shared_range(cell),
            Some((variable, None)) => type_range(self.machine, variable),
            None => Interval::ALL,
        }
    }

    /// The values of a variable of another process, which need not exist.
    fn remote(&self, process: ProcessId, var: &Access) -> Interval {
        let scope = self.anywhere(process);
        scope.map_or(Interval::one(0), |scope| scope.read(var).hull(Interval::one(0)))
    }
}
