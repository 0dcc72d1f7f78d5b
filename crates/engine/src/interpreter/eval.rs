//! Values of expressions, and addresses of variables.

use beeline_kernel::FaultKind;
use beeline_promela::hir::{
    Access, BinaryOp, Expr, ExprKind, Predefined, ProcessQuery, Root, Type, UnaryOp,
};

use super::machine::{DecodedState, Machine};
use crate::arithmetic::apply;
use crate::frame::LAST;
use crate::layout::Scalar;

/// The process that evaluates an expression, and the mode.
#[derive(Clone, Copy, Debug)]
pub(super) struct EvalContext {
    pub(super) pid: usize,
    /// No process could move otherwise.
    pub(super) timeout: bool,
    /// The depth of nested `enabled(pid)` queries.
    pub(super) asked: usize,
}

impl EvalContext {
    /// A process without timeout and nested queries.
    pub(super) const fn of(pid: usize) -> EvalContext {
        EvalContext { pid, timeout: false, asked: 0 }
    }
}

/// The maximum depth of nested `enabled(pid)` queries: they are recursive.
pub const MOST_ASKED: usize = 500;

/// The address of a single value.
#[derive(Clone, Copy, Debug)]
pub(super) struct VariableAddress {
    pub(super) at: usize,
    pub(super) stored: Scalar,
}

impl Machine<'_> {
    /// Whether an invariant holds. An invariant without a value does not.
    pub fn holds(&self, invariant: usize, now: &DecodedState) -> bool {
        let context = EvalContext::of(0);
        matches!(self.eval(&self.invariants[invariant], now, context), Ok(value) if value != 0)
    }

    /// The value of an expression without side effects.
    pub(super) fn eval(
        &self,
        expr: &Expr,
        now: &DecodedState,
        context: EvalContext,
    ) -> Result<i32, FaultKind> {
        Ok(match &expr.kind {
            ExprKind::Const(value) | ExprKind::Mtype { value, .. } => *value,
            ExprKind::Read(access) => self.read(access, now, context)?,
            ExprKind::Unary(op, operand) => {
                let value = self.eval(operand, now, context)?;
                match op {
                    UnaryOp::Not => i32::from(value == 0),
                    UnaryOp::Negate => value.wrapping_neg(),
                    UnaryOp::BitNot => !value,
                    UnaryOp::Always | UnaryOp::Eventually | UnaryOp::Next => {
                        unreachable!("temporal operators stand in formulas only")
                    }
                }
            }
            ExprKind::Binary(op, left, right) => self.binary(*op, left, right, now, context)?,
            ExprKind::Conditional(condition, yes, no) => {
                if self.eval(condition, now, context)? != 0 {
                    self.eval(yes, now, context)?
                } else {
                    self.eval(no, now, context)?
                }
            }
            ExprKind::Channel(query, access) => self.channel_query(*query, access, now, context)?,
            ExprKind::Poll { channel, random, args } => {
                i32::from(self.poll(channel, *random, args, now, context)?)
            }
            ExprKind::Process(query, pid) => self.process_query(*query, pid, now, context)?,
            ExprKind::Timeout => i32::from(context.timeout),
            ExprKind::NonProgress => i32::from(self.lacks_progress(now)),
            ExprKind::RemoteLabel { process, pid, label } => {
                let pid = self.remote_pid(*process, pid.as_deref(), now, context)?;
                let target = crate::automata::label_location(self.automaton(*process), *label);
                i32::from(pid.is_some_and(|pid| Some(now.location(pid)) == target))
            }
            ExprKind::RemoteVar { process, pid, var } => {
                match self.remote_pid(*process, pid.as_deref(), now, context)? {
                    Some(pid) => self.read(var, now, EvalContext { pid, ..context })?,
                    None => 0,
                }
            }
            ExprKind::Run { .. } => unreachable!("`run` is executed, not evaluated"),
        })
    }

    /// The result of a query about the process with the number `pid`.
    fn process_query(
        &self,
        query: ProcessQuery,
        pid: &Expr,
        now: &DecodedState,
        context: EvalContext,
    ) -> Result<i32, FaultKind> {
        let pid = usize::try_from(self.eval(pid, now, context)?).ok();
        let existing = pid.filter(|&pid| pid < now.process_count());
        Ok(match query {
            ProcessQuery::PcValue => existing.map_or(0, |pid| now.location(pid).0 as i32),
            ProcessQuery::Priority => existing.map_or(0, |pid| now.priority(pid)),
            ProcessQuery::Enabled => {
                let asked = context.asked + 1;
                // A longer chain of queries contains some process twice.
                if asked > now.process_count().min(MOST_ASKED) {
                    return Err(FaultKind::Circular);
                }
                let can_move = |pid| self.can_move(now, EvalContext { pid, asked, ..context });
                i32::from(existing.map_or(Ok(false), can_move)?)
            }
        })
    }

    /// The process of a remote reference; `None` when there is none.
    fn remote_pid(
        &self,
        process: beeline_promela::hir::ProcessId,
        pid: Option<&Expr>,
        now: &DecodedState,
        context: EvalContext,
    ) -> Result<Option<usize>, FaultKind> {
        let found = match pid {
            Some(pid) => usize::try_from(self.eval(pid, now, context)?).ok(),
            None => (0..now.process_count()).find(|&pid| now.process(pid) == process),
        };
        Ok(found.filter(|&pid| pid < now.process_count() && now.process(pid) == process))
    }

    fn binary(
        &self,
        op: BinaryOp,
        left: &Expr,
        right: &Expr,
        now: &DecodedState,
        context: EvalContext,
    ) -> Result<i32, FaultKind> {
        let a = self.eval(left, now, context)?;
        match op {
            BinaryOp::And if a == 0 => return Ok(0),
            BinaryOp::Or if a != 0 => return Ok(1),
            _ => {}
        }
        apply(op, a, self.eval(right, now, context)?)
    }

    pub(super) fn read(
        &self,
        access: &Access,
        now: &DecodedState,
        context: EvalContext,
    ) -> Result<i32, FaultKind> {
        if let Root::Predefined(predefined) = access.root {
            return Ok(match predefined {
                Predefined::Pid => context.pid as i32,
                Predefined::NrPr => now.process_count() as i32,
                Predefined::Last => now.records.frame.number(&now.bytes, LAST) as i32,
                Predefined::Priority => now.priority(context.pid),
                Predefined::Scratch => 0,
            });
        }
        if let Root::Global(id) = access.root
            && let Some(first) = self.layout.names[id.index()]
        {
            let length = self.model.globals[id.index()].length;
            return Ok(first + self.index(access.index.as_deref(), length, now, context)? as i32);
        }
        if let Root::Local(id) = access.root
            && let Some(known) = self.local_constants().of(now.process(context.pid), id.index())
        {
            return Ok(known.at(context.pid, now.location(context.pid)));
        }
        let place = self.place(access, now, context)?;
        Ok(place.stored.read(&now.bytes, place.at))
    }

    /// The address of the value of a variable.
    pub(super) fn place(
        &self,
        access: &Access,
        now: &DecodedState,
        context: EvalContext,
    ) -> Result<VariableAddress, FaultKind> {
        let base = self.base(now, context.pid, access).expect("predefined variables have no place");
        let mut at = base.at;
        let mut ty = base.ty;
        let mut length = base.length;
        at += self.element(access.index.as_deref(), base.length, ty, now, context)?;
        for field in &access.path {
            let Type::Struct(id) = ty else {
                unreachable!("the resolver checked that only structures have fields")
            };
            at += self.layout.structs[id.index()].fields[field.field as usize];
            let declared = &self.model.structs[id.index()].fields[field.field as usize];
            ty = declared.ty;
            length = declared.length;
            at += self.element(field.index.as_ref(), declared.length, ty, now, context)?;
        }
        Ok(VariableAddress { at, stored: self.layout.element(ty, length) })
    }

    fn element(
        &self,
        index: Option<&Expr>,
        length: Option<u32>,
        ty: Type,
        now: &DecodedState,
        context: EvalContext,
    ) -> Result<usize, FaultKind> {
        Ok(self.index(index, length, now, context)? * self.layout.size(ty))
    }

    /// The index of an array element; 0 for a variable that is no array.
    fn index(
        &self,
        index: Option<&Expr>,
        length: Option<u32>,
        now: &DecodedState,
        context: EvalContext,
    ) -> Result<usize, FaultKind> {
        let (Some(index), Some(length)) = (index, length) else {
            return Ok(0);
        };
        let index = self.eval(index, now, context)?;
        if index < 0 || index as u32 >= length {
            return Err(FaultKind::Index);
        }
        Ok(index as usize)
    }

    /// Stores a value.
    pub(super) fn write(
        &self,
        access: &Access,
        value: i32,
        now: &mut DecodedState,
        context: EvalContext,
    ) -> Result<(), FaultKind> {
        match access.root {
            Root::Predefined(Predefined::Priority) => {
                now.set_priority(context.pid, value);
                return Ok(());
            }
            Root::Predefined(_) => return Ok(()),
            Root::Global(id) if self.unread[id.index()] => {
                // The index still has to be within bounds.
                return self.place(access, now, context).map(|_| ());
            }
            _ => {}
        }
        let place = self.place(access, now, context)?;
        place.stored.write(&mut now.bytes, place.at, value);
        Ok(())
    }
}
