//! Execution of single statements.

use beeline_kernel::FaultKind;
use beeline_promela::hir::{Access, DeclaredValue, Expr, ExprKind, LocalId, RecvArg, Type};

use super::eval::EvalContext;
use super::machine::{DecodedState, Machine};
use super::step_log::{
    BlockReason, BlockedSequence, Effect, FailedStatement, MessageTransfer, StepLog,
};
use super::trace::Event;
use crate::automata::{EdgeAction, EdgeStep};

/// An offered message of a rendezvous.
#[derive(Clone, Copy)]
pub(super) struct Offered<'a> {
    pub(super) channel: usize,
    pub(super) message: &'a [i32],
}

/// The execution of a statement.
pub(super) struct Execution<'l> {
    pub(super) next: Option<DecodedState>,
    pub(super) fault: Option<FaultKind>,
    /// The log of effects; not used in searches.
    pub(super) log: Option<&'l mut StepLog>,
}

impl Execution<'_> {
    fn note(&mut self, effect: impl FnOnce() -> Effect) {
        if let Some(log) = &mut self.log {
            log.effects.push(effect());
        }
    }

    /// Logs why a `d_step` cannot continue in a state, and returns the fault.
    pub(super) fn block(
        &mut self,
        pid: usize,
        state: &DecodedState,
        reason: impl FnOnce() -> BlockReason,
    ) -> FaultKind {
        if let Some(log) = &mut self.log {
            log.blocked = Some(BlockedSequence { pid, state: state.clone(), reason: reason() });
        }
        FaultKind::Blocked
    }
}

/// The outcome of a statement.
pub(super) enum StatementOutcome {
    /// It is done.
    Done,
    /// A message that needs a receiver.
    Offer(usize, Vec<i32>),
}

impl Machine<'_> {
    /// Executes one statement, if it is executable, and checks whether it uses a channel that
    /// another process has exclusively. `None` if it is not executable.
    pub(super) fn first(
        &self,
        step: &EdgeStep,
        now: &DecodedState,
        context: EvalContext,
        offered: Option<Offered<'_>>,
        work: &mut Execution<'_>,
    ) -> Result<Option<StatementOutcome>, FaultKind> {
        let outcome = self.examined(step, now, context, offered, work);
        if let Some(fault) = outcome.as_ref().err().copied().or(work.fault)
            && let Some(log) = &mut work.log
            // The fault of several statements is their overflow, if there is one.
            && (log.failed.is_none() || fault == FaultKind::Overflow)
        {
            let (step, state) = (step.clone(), now.clone());
            log.failed = Some(FailedStatement { step, pid: context.pid, state, fault });
        }
        outcome
    }

    /// Executes one statement, and examines the use of channels and overflow.
    fn examined(
        &self,
        step: &EdgeStep,
        now: &DecodedState,
        context: EvalContext,
        offered: Option<Offered<'_>>,
        work: &mut Execution<'_>,
    ) -> Result<Option<StatementOutcome>, FaultKind> {
        let effect = self.statement(step, now, context, offered, work)?;
        if self.has_exclusives()
            && effect.is_some()
            && self.exclusivity_violation(&step.action, now, context.pid).is_some()
        {
            work.fault = work.fault.or(Some(FaultKind::Exclusive));
        }
        if self.checks_overflow
            && effect.is_some()
            && self.truncated(step, now, context, offered).is_some()
        {
            work.fault = Some(FaultKind::Overflow);
        }
        Ok(effect)
    }

    fn statement(
        &self,
        step: &EdgeStep,
        now: &DecodedState,
        context: EvalContext,
        offered: Option<Offered<'_>>,
        work: &mut Execution<'_>,
    ) -> Result<Option<StatementOutcome>, FaultKind> {
        // While a message is being offered, only a receive is executable, and it cannot copy the
        // message.
        if offered.is_some() && !matches!(step.action, EdgeAction::Receive { peek: false, .. }) {
            return Ok(None);
        }
        let done = Ok(Some(StatementOutcome::Done));
        match &step.action {
            EdgeAction::Move(_) | EdgeAction::Else => done,
            EdgeAction::Print { .. } | EdgeAction::PrintM(_) => {
                if let Some(log) = &mut work.log {
                    self.print(&step.action, now, context.pid, &mut log.printed);
                }
                done
            }
            EdgeAction::Guard(Expr { kind: ExprKind::Run { .. }, .. }) => {
                self.update(step, now, context, work)
            }
            EdgeAction::Guard(condition) => {
                Ok((self.eval(condition, now, context)? != 0).then_some(StatementOutcome::Done))
            }
            EdgeAction::Assert(condition) => {
                if self.eval(condition, now, context)? == 0 {
                    work.fault = Some(FaultKind::Assertion);
                }
                done
            }
            EdgeAction::Send { channel, sorted, args } => {
                let channel = self.existing_channel(channel, now, context)?;
                self.send(channel, *sorted, args, now, context, work)
            }
            EdgeAction::Receive { channel, random, peek, args } => {
                let channel = self.existing_channel(channel, now, context)?;
                self.receive(channel, *random, *peek, args, now, context, offered, work)
            }
            EdgeAction::DStep => unreachable!("executed as a whole"),
            EdgeAction::Assign { .. }
            | EdgeAction::Declare { .. }
            | EdgeAction::SetPriority(..)
            | EdgeAction::End => self.update(step, now, context, work),
        }
    }

    /// Executes a statement that changes variables or processes and no channel.
    fn update(
        &self,
        step: &EdgeStep,
        now: &DecodedState,
        context: EvalContext,
        work: &mut Execution<'_>,
    ) -> Result<Option<StatementOutcome>, FaultKind> {
        let done = Ok(Some(StatementOutcome::Done));
        match &step.action {
            EdgeAction::Guard(Expr { kind: ExprKind::Run { process, args, priority }, .. }) => {
                let mut next = now.clone();
                let priority = priority.unwrap_or(1);
                let started = self.start(*process, args, priority, &mut next, context)?;
                work.next = Some(next);
                started.into_iter().for_each(|pid| work.note(|| Effect::Start(pid)));
                Ok(started.map(|_| StatementOutcome::Done))
            }
            EdgeAction::Assign { target, value } => {
                let mut next = now.clone();
                let value = self.assigned(value, &mut next, context, work)?;
                self.write(target, value, &mut next, context)?;
                work.next = Some(next);
                done
            }
            EdgeAction::Declare { var, value } => {
                let mut next = now.clone();
                self.declare(*var, value.as_ref(), step, &mut next, context)?;
                work.next = Some(next);
                done
            }
            EdgeAction::SetPriority(process, priority) => {
                work.next = Some(self.with_priority(process, priority, now, context)?);
                done
            }
            // A process ends after all younger ones.
            EdgeAction::End if context.pid + 1 != now.process_count() => Ok(None),
            EdgeAction::End => {
                let mut next = now.clone();
                next.remove_youngest();
                work.next = Some(next);
                done
            }
            _ => unreachable!("it changes nothing, or a channel"),
        }
    }

    /// The channel that a statement uses, which must exist.
    fn existing_channel(
        &self,
        channel: &Access,
        now: &DecodedState,
        context: EvalContext,
    ) -> Result<usize, FaultKind> {
        self.channel_of(channel, now, context)?.ok_or(FaultKind::NoChannel)
    }

    /// The state after `set_priority`; without effect if there is no such process.
    fn with_priority(
        &self,
        process: &Expr,
        priority: &Expr,
        now: &DecodedState,
        context: EvalContext,
    ) -> Result<DecodedState, FaultKind> {
        let pid = usize::try_from(self.eval(process, now, context)?).ok();
        let priority = self.eval(priority, now, context)?;
        let mut next = now.clone();
        if let Some(pid) = pid.filter(|&pid| pid < now.process_count()) {
            next.set_priority(pid, priority);
        }
        Ok(next)
    }

    fn send(
        &self,
        channel: usize,
        sorted: bool,
        args: &[Expr],
        now: &DecodedState,
        context: EvalContext,
        work: &mut Execution<'_>,
    ) -> Result<Option<StatementOutcome>, FaultKind> {
        let layout = self.channel_layout(now, channel);
        let (capacity, fields) = (layout.capacity, layout.fields.len());
        if capacity > 0 && now.channel_length(channel) >= capacity {
            if self.loses_messages && work.log.is_some() {
                let message = self.message(channel, args, now, context)?;
                work.note(|| Effect::Lose(MessageTransfer { channel, slot: capacity, message }));
            }
            return Ok(self.loses_messages.then_some(StatementOutcome::Done));
        }
        if args.len() != fields {
            return Err(FaultKind::Fields);
        }
        let message = self.message(channel, args, now, context)?;
        if capacity == 0 {
            return Ok(Some(StatementOutcome::Offer(channel, message)));
        }
        let mut next = now.clone();
        let slot = self.insert(&mut next, channel, &message, sorted);
        let event = Event { sent: true, channel, message: &message };
        work.fault = self.observe(event, &mut next, work.log.as_deref_mut()).err();
        work.note(|| Effect::Send(MessageTransfer { channel, slot, message }));
        work.next = Some(next);
        Ok(Some(StatementOutcome::Done))
    }

    #[expect(clippy::too_many_arguments, reason = "a receive really has that many parts")]
    fn receive(
        &self,
        channel: usize,
        random: bool,
        peek: bool,
        args: &[RecvArg],
        now: &DecodedState,
        context: EvalContext,
        offered: Option<Offered<'_>>,
        work: &mut Execution<'_>,
    ) -> Result<Option<StatementOutcome>, FaultKind> {
        let (message, slot) = match offered {
            Some(Offered { channel: meeting, message }) => {
                if channel != meeting || !self.matches(message, args, now, context)? {
                    return Ok(None);
                }
                (message.to_vec(), None)
            }
            None => match self.find(channel, random, args, now, context)? {
                Some(slot) => (self.load(now, channel, slot), Some(slot)),
                None => return Ok(None),
            },
        };
        if args.len() < self.channel_layout(now, channel).fields.len() {
            return Err(FaultKind::Fields);
        }
        let mut next = now.clone();
        let event = |sent| Event { sent, channel, message: &message };
        match slot {
            None => {
                let sent = self.observe(event(true), &mut next, work.log.as_deref_mut());
                let received = self.observe(event(false), &mut next, work.log.as_deref_mut());
                work.fault = sent.and(received).err();
            }
            Some(_) if peek => {}
            Some(slot) => {
                work.fault = self.observe(event(false), &mut next, work.log.as_deref_mut()).err();
                self.remove(&mut next, channel, slot);
            }
        }
        self.deliver(&message, args, &mut next, context)?;
        if let Some(slot) = slot {
            let effect = if peek { Effect::Peek } else { Effect::Receive };
            work.note(|| effect(MessageTransfer { channel, slot, message }));
        }
        work.next = Some(next);
        Ok(Some(StatementOutcome::Done))
    }

    /// The value of an expression that may start a process.
    fn assigned(
        &self,
        value: &Expr,
        next: &mut DecodedState,
        context: EvalContext,
        work: &mut Execution<'_>,
    ) -> Result<i32, FaultKind> {
        match &value.kind {
            ExprKind::Run { process, args, priority } => {
                let started = self.start(*process, args, priority.unwrap_or(1), next, context)?;
                if let Some(pid) = started {
                    work.note(|| Effect::Start(pid));
                }
                Ok(started.map_or(0, |pid| pid as i32))
            }
            _ => self.eval(value, next, context),
        }
    }

    fn declare(
        &self,
        var: LocalId,
        value: Option<&DeclaredValue>,
        step: &EdgeStep,
        next: &mut DecodedState,
        context: EvalContext,
    ) -> Result<(), FaultKind> {
        let process = next.process(context.pid);
        let variable = &self.model.process(process).locals[var.index()];
        if let Type::Struct(_) = variable.ty {
            return Ok(());
        }
        let access = Self::local(var, step.span);
        let place = self.place(&access, next, context)?;
        let size = place.stored.size();
        match value {
            None => place.stored.write(&mut next.bytes, place.at, 0),
            Some(DeclaredValue::Value(value)) => {
                let value = self.eval(value, next, context)?;
                place.stored.write(&mut next.bytes, place.at, value);
            }
            Some(DeclaredValue::List(values)) => {
                for (at, value) in values.iter().enumerate() {
                    let value = self.eval(value, next, context)?;
                    place.stored.write(&mut next.bytes, place.at + at * size, value);
                }
            }
        }
        Ok(())
    }
}
