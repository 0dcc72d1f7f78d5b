//! The operand that makes a statement fail: an index outside its array, a divisor that is 0, a
//! variable without a channel.
//!
//! Operands are looked at in the order of evaluation, so that one that is not evaluated is not
//! taken for the cause: `i < 3 && a[i] == 0` with `i = 3` does not fail.

use beeline_engine::automata::EdgeAction;
use beeline_kernel::FaultKind;
use beeline_promela::hir::{Access, BinaryOp, DeclaredValue, Expr, ExprKind, RecvArg, Type};

use crate::names::StateScope;

/// The operand that makes a statement fail.
pub(crate) enum FailingPart<'e> {
    /// An index outside its array.
    Index { access: &'e Access, index: &'e Expr, value: i32, size: u32 },
    /// A divisor that is 0.
    Divisor(&'e Expr),
    /// A variable that holds no channel.
    NoChannel(&'e Access),
    /// A message with another number of fields than its channel.
    Fields { channel: &'e Access, given: usize, declared: usize },
}

/// Finds the failing operand of a statement, if there is one.
pub(crate) fn failing_part<'e>(
    scope: &StateScope<'_>,
    action: &'e EdgeAction,
    fault: FaultKind,
) -> Option<FailingPart<'e>> {
    let find = Finder { scope, fault };
    match action {
        EdgeAction::Guard(expr) | EdgeAction::Assert(expr) | EdgeAction::PrintM(expr) => {
            find.in_expr(expr)
        }
        EdgeAction::Assign { target, value } => {
            find.in_expr(value).or_else(|| find.in_access(target))
        }
        EdgeAction::Declare { value: Some(DeclaredValue::Value(value)), .. } => find.in_expr(value),
        EdgeAction::Declare { value: Some(DeclaredValue::List(values)), .. } => {
            values.iter().find_map(|value| find.in_expr(value))
        }
        EdgeAction::Send { channel, args, .. } => {
            let in_args = || args.iter().find_map(|arg| find.in_expr(arg));
            find.in_channel(channel, args.len()).or_else(in_args)
        }
        EdgeAction::Receive { channel, args, .. } => {
            let in_args = || args.iter().find_map(|arg| find.in_argument(arg));
            find.in_channel(channel, args.len()).or_else(in_args)
        }
        EdgeAction::SetPriority(process, priority) => {
            find.in_expr(process).or_else(|| find.in_expr(priority))
        }
        _ => None,
    }
}

struct Finder<'s, 'a> {
    scope: &'s StateScope<'a>,
    fault: FaultKind,
}

impl Finder<'_, '_> {
    fn in_expr<'e>(&self, expr: &'e Expr) -> Option<FailingPart<'e>> {
        if self.scope.value(expr).is_some() {
            return None;
        }
        match &expr.kind {
            ExprKind::Read(access) => self.in_access(access),
            ExprKind::Unary(_, inner) | ExprKind::Process(_, inner) => self.in_expr(inner),
            ExprKind::Binary(op, one, other) => {
                let found = self.in_expr(one).or_else(|| self.in_expr(other));
                let divides = matches!(op, BinaryOp::Divide | BinaryOp::Modulo);
                let is_zero = || divides && self.fault == FaultKind::Division;
                found.or_else(|| is_zero().then_some(FailingPart::Divisor(other)))
            }
            ExprKind::Conditional(condition, yes, no) => self.in_expr(condition).or_else(|| {
                let chosen = self.scope.value(condition)?;
                self.in_expr(if chosen != 0 { yes } else { no })
            }),
            ExprKind::Run { args, .. } => args.iter().find_map(|arg| self.in_expr(arg)),
            ExprKind::Channel(_, channel) => self.in_held(channel),
            ExprKind::Poll { channel, args, .. } => {
                let in_args = || args.iter().find_map(|arg| self.in_argument(arg));
                self.in_channel(channel, args.len()).or_else(in_args)
            }
            ExprKind::RemoteLabel { pid, .. } | ExprKind::RemoteVar { pid, .. } => {
                self.in_expr(pid.as_deref()?)
            }
            ExprKind::Const(_)
            | ExprKind::Mtype { .. }
            | ExprKind::Timeout
            | ExprKind::NonProgress => None,
        }
    }

    fn in_argument<'e>(&self, arg: &'e RecvArg) -> Option<FailingPart<'e>> {
        match arg {
            RecvArg::Store(access) => self.in_access(access),
            RecvArg::Match(value) | RecvArg::Eval(value) => self.in_expr(value),
        }
    }

    /// A channel of a message with this number of fields.
    fn in_channel<'e>(&self, channel: &'e Access, given: usize) -> Option<FailingPart<'e>> {
        let found = self.in_held(channel);
        if found.is_some() || self.fault != FaultKind::Fields {
            return found;
        }
        let StateScope { machine, now, pid } = *self.scope;
        let number = machine.channel_held(channel, now, pid)?;
        let declared = machine.field_count(now, number);
        Some(FailingPart::Fields { channel, given, declared })
    }

    fn in_held<'e>(&self, channel: &'e Access) -> Option<FailingPart<'e>> {
        let StateScope { machine, now, pid } = *self.scope;
        let held = || machine.channel_held(channel, now, pid).is_some();
        let missing = || self.fault == FaultKind::NoChannel && !held();
        self.in_access(channel).or_else(|| missing().then_some(FailingPart::NoChannel(channel)))
    }

    fn in_access<'e>(&self, access: &'e Access) -> Option<FailingPart<'e>> {
        let model = self.scope.machine.model();
        let variable = model.variable(access.root, self.scope.process())?;
        let mut ty = variable.ty;
        let first = self.in_index(access, access.index.as_deref(), variable.length);
        let mut found = first;
        for field in &access.path {
            let Type::Struct(id) = ty else { break };
            let declared = &model.structs[id.index()].fields[field.field as usize];
            found = found.or_else(|| self.in_index(access, field.index.as_ref(), declared.length));
            ty = declared.ty;
        }
        found
    }

    fn in_index<'e>(
        &self,
        access: &'e Access,
        index: Option<&'e Expr>,
        length: Option<u32>,
    ) -> Option<FailingPart<'e>> {
        let (index, size) = (index?, length?);
        let Some(value) = self.scope.value(index) else { return self.in_expr(index) };
        let is_outside = value < 0 || value as u32 >= size;
        is_outside.then_some(FailingPart::Index { access, index, value, size })
    }
}
