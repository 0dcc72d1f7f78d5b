//! Overflow: a stored value that does not fit in the type of its variable, parameter or message
//! field, and is truncated.
//!
//! SPIN's simulator prints a message for an assignment of this kind; its verifier does not. A
//! rendezvous is not examined: its message is never stored.

use beeline_promela::hir::{Access, DeclaredValue, Expr, ExprKind, LocalId, RecvArg, Root, Type};

use super::eval::EvalContext;
use super::machine::{DecodedState, Machine};
use super::statements::Offered;
use crate::automata::{EdgeAction, EdgeStep};
use crate::layout::Scalar;

/// A truncated value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Truncation {
    /// The value.
    pub value: i32,
    /// The value that is stored instead.
    pub stored: i32,
}

impl Truncation {
    /// The truncation of a value that does not fit.
    fn of(scalar: Scalar, value: i32) -> Option<Truncation> {
        let stored = scalar.truncate(value);
        (stored != value).then_some(Truncation { value, stored })
    }
}

impl Machine<'_> {
    /// The first truncation by a step that is executable. Values that cannot be computed are
    /// faults of the step itself.
    pub fn truncation(
        &self,
        step: &EdgeStep,
        now: &DecodedState,
        pid: usize,
    ) -> Option<Truncation> {
        self.truncated(step, now, EvalContext::of(pid), None)
    }

    pub(super) fn truncated(
        &self,
        step: &EdgeStep,
        now: &DecodedState,
        context: EvalContext,
        offered: Option<Offered<'_>>,
    ) -> Option<Truncation> {
        match &step.action {
            EdgeAction::Assign { target, value } => {
                let by_run = self.truncated_argument(value, now, context);
                if by_run.is_some() || matches!(value.kind, ExprKind::Run { .. }) {
                    return by_run;
                }
                let value = self.eval(value, now, context).ok()?;
                self.truncated_store(target, value, now, context)
            }
            EdgeAction::Guard(run) => self.truncated_argument(run, now, context),
            EdgeAction::Declare { var, value: Some(value) } => {
                self.truncated_declaration(*var, value, step, now, context)
            }
            EdgeAction::Send { channel, args, .. } => {
                let channel = self.channel_of(channel, now, context).ok()??;
                let fields = &self.channel_layout(now, channel).fields;
                fields.iter().zip(args).find_map(|(&field, arg)| {
                    Truncation::of(field, self.eval(arg, now, context).ok()?)
                })
            }
            EdgeAction::Receive { channel, random, args, .. } => {
                let channel = self.channel_of(channel, now, context).ok()??;
                let message = match offered {
                    Some(Offered { message, .. }) => message.to_vec(),
                    None => {
                        let slot = self.find(channel, *random, args, now, context).ok()??;
                        self.load(now, channel, slot)
                    }
                };
                args.iter().zip(message).find_map(|(arg, value)| match arg {
                    RecvArg::Store(access) => self.truncated_store(access, value, now, context),
                    RecvArg::Match(_) | RecvArg::Eval(_) => None,
                })
            }
            _ => None,
        }
    }

    fn truncated_store(
        &self,
        target: &Access,
        value: i32,
        now: &DecodedState,
        context: EvalContext,
    ) -> Option<Truncation> {
        if matches!(target.root, Root::Predefined(_)) {
            return None;
        }
        Truncation::of(self.place(target, now, context).ok()?.stored, value)
    }

    fn truncated_declaration(
        &self,
        var: LocalId,
        value: &DeclaredValue,
        step: &EdgeStep,
        now: &DecodedState,
        context: EvalContext,
    ) -> Option<Truncation> {
        let process = self.model.process(now.process(context.pid));
        if let Type::Struct(_) = process.locals[var.index()].ty {
            return None;
        }
        let place = self.place(&Self::local(var, step.span), now, context).ok()?;
        let values = match value {
            DeclaredValue::Value(value) => std::slice::from_ref(value),
            DeclaredValue::List(values) => values,
        };
        values
            .iter()
            .find_map(|value| Truncation::of(place.stored, self.eval(value, now, context).ok()?))
    }

    /// A truncated argument of a `run`.
    fn truncated_argument(
        &self,
        run: &Expr,
        now: &DecodedState,
        context: EvalContext,
    ) -> Option<Truncation> {
        let ExprKind::Run { process, args, .. } = &run.kind else { return None };
        let declared = self.model.process(*process);
        let parameters = &declared.locals[..declared.params as usize];
        let types: Vec<Type> = parameters.iter().map(|parameter| parameter.ty).collect();
        let scalars = self.layout.scalars(self.model, &types);
        scalars
            .into_iter()
            .zip(args)
            .find_map(|(scalar, arg)| Truncation::of(scalar, self.eval(arg, now, context).ok()?))
    }
}
