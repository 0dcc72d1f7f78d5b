//! Substitution of local constants by their values.

use std::sync::Arc;

use beeline_promela::hir::{Access, DeclaredValue, Expr, ExprKind, LocalId, RecvArg, Root};

use super::value::LocalConstant;
use crate::automata::{Automaton, EdgeAction, EdgeStep, JumpKind, assigned};

/// The expression that replaces a local variable, if any.
pub(super) type Replacement<'f, 'e> = &'f dyn Fn(LocalId) -> Option<&'e ExprKind>;

/// Replaces reads of local constants by their values, and removes their assignments.
pub(super) fn in_automaton(automaton: &mut Automaton, known: &[Option<Arc<LocalConstant>>]) {
    let instead = |id: LocalId| known[id.index()].as_ref().map(|known| &known.value);
    let inside = automaton.d_steps.iter_mut().flat_map(|inside| &mut inside.edges);
    let steps = automaton.edges.iter_mut().chain(inside).flat_map(|edge| &mut edge.steps);
    steps.for_each(|step| in_step(step, &instead));
}

fn in_step(step: &mut EdgeStep, instead: Replacement<'_, '_>) {
    step.dead.retain(|&id| instead(id).is_none());
    let is_set = assigned(&step.action).is_some_and(|(local, _)| instead(local).is_some());
    let mut action = match is_set {
        true => EdgeAction::Move(JumpKind::KnownAssignment),
        false => step.action.clone(),
    };
    if in_action(&mut action, instead) || is_set {
        let before = std::mem::replace(&mut step.action, action);
        step.instead_of.get_or_insert_with(|| Box::new(before));
    }
}

/// Replaces reads in an action; returns whether there were any.
fn in_action(action: &mut EdgeAction, instead: Replacement<'_, '_>) -> bool {
    match action {
        EdgeAction::Move(_) | EdgeAction::Else | EdgeAction::DStep | EdgeAction::End => false,
        EdgeAction::Guard(expr) | EdgeAction::Assert(expr) | EdgeAction::PrintM(expr) => {
            in_expr(expr, instead)
        }
        EdgeAction::Assign { target, value } => {
            in_indices(target, instead) | in_expr(value, instead)
        }
        EdgeAction::Declare { value, .. } => match value {
            Some(DeclaredValue::Value(value)) => in_expr(value, instead),
            Some(DeclaredValue::List(values)) => in_all(values, instead),
            None => false,
        },
        EdgeAction::Send { channel, args, .. } => {
            in_channel(channel, instead) | in_all(args, instead)
        }
        EdgeAction::Receive { channel, args, .. } => {
            in_channel(channel, instead) | in_fields(args, instead)
        }
        EdgeAction::Print { args, .. } => in_all(args, instead),
        EdgeAction::SetPriority(process, priority) => {
            in_expr(process, instead) | in_expr(priority, instead)
        }
    }
}

fn in_all(exprs: &mut [Expr], instead: Replacement<'_, '_>) -> bool {
    exprs.iter_mut().fold(false, |any, expr| in_expr(expr, instead) | any)
}

fn in_fields(args: &mut [RecvArg], instead: Replacement<'_, '_>) -> bool {
    args.iter_mut().fold(false, |any, arg| {
        any | match arg {
            RecvArg::Store(target) => in_indices(target, instead),
            RecvArg::Match(value) | RecvArg::Eval(value) => in_expr(value, instead),
        }
    })
}

/// Replaces reads of variables in an expression; returns whether there were any.
pub(super) fn in_expr(expr: &mut Expr, instead: Replacement<'_, '_>) -> bool {
    match &mut expr.kind {
        ExprKind::Const(_) | ExprKind::Mtype { .. } | ExprKind::Timeout | ExprKind::NonProgress => {
            false
        }
        ExprKind::Read(access) => {
            if let Root::Local(id) = access.root
                && let Some(value) = instead(id)
            {
                expr.kind = value.clone();
                return true;
            }
            in_indices(access, instead)
        }
        ExprKind::Unary(_, operand) | ExprKind::Process(_, operand) => in_expr(operand, instead),
        ExprKind::Binary(_, left, right) => in_expr(left, instead) | in_expr(right, instead),
        ExprKind::Conditional(condition, yes, no) => {
            in_expr(condition, instead) | in_expr(yes, instead) | in_expr(no, instead)
        }
        ExprKind::Run { args, .. } => in_all(args, instead),
        ExprKind::Channel(_, channel) => in_channel(channel, instead),
        ExprKind::Poll { channel, args, .. } => {
            in_channel(channel, instead) | in_fields(args, instead)
        }
        // The variable of a remote reference belongs to another process.
        ExprKind::RemoteLabel { pid, .. } | ExprKind::RemoteVar { pid, .. } => {
            pid.as_mut().is_some_and(|pid| in_expr(pid, instead))
        }
    }
}

fn in_indices(access: &mut Access, instead: Replacement<'_, '_>) -> bool {
    let own = access.index.as_mut().is_some_and(|index| in_expr(index, instead));
    let fields = access.path.iter_mut().filter_map(|field| field.index.as_mut());
    fields.fold(own, |any, index| in_expr(index, instead) | any)
}

/// Replaces a variable whose channel is used by the name of that channel, if its value is one.
fn in_channel(access: &mut Access, instead: Replacement<'_, '_>) -> bool {
    if let Root::Local(id) = access.root
        && let Some(ExprKind::Read(name)) = instead(id)
    {
        *access = Access { span: access.span, ..name.clone() };
        return true;
    }
    in_indices(access, instead)
}
