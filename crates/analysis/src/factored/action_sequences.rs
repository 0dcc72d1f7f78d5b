//! Edges as sequences of actions, one for each alternative.

use std::borrow::Borrow;
use std::rc::Rc;

use beeline_engine::automata::{self, EdgeId};
use beeline_factored::{AssignmentTarget, FactorExpr, FactorId, Instruction};
use beeline_kernel::FaultKind;
use beeline_promela::hir::{DeclaredValue, ExprKind, RecvArg, Root, Type};

use super::builder::{Builder, MaybeInstance, Stored, assign, set, width};
use super::creation::RunSite;
use super::instances::SUMMARIES;

/// A sequence of actions that becomes a step. Sequences with the same beginning share its actions.
#[derive(Clone, Debug, Default)]
pub(super) struct ActionSequence<'a> {
    /// The actions up to the rendezvous.
    pub(super) actions: Vec<Rc<Instruction>>,
    pub(super) rendezvous: Option<Rendezvous<'a>>,
    /// The actions after the rendezvous.
    pub(super) after: Vec<Rc<Instruction>>,
    /// The fault that it ends with.
    pub(super) fails: Option<FaultKind>,
    /// A fault that it has when it is complete; the model goes on. Such a sequence stands beside
    /// the one that goes on.
    pub(super) violates: Option<FaultKind>,
    /// The number of the first channel that it uses, in an exact system.
    pub(super) channel: Option<i32>,
}

/// A failure after a sequence: its kind, and the conditions of it.
pub(super) struct Failure {
    pub(super) kind: FaultKind,
    pub(super) conditions: Vec<Rc<Instruction>>,
}

/// A rendezvous on one of the channel instances.
#[derive(Clone, Debug)]
pub(super) enum Rendezvous<'a> {
    Offer { queue: usize, message: Vec<FactorExpr> },
    Take { queue: usize, args: &'a [RecvArg] },
}

/// An alternative of a statement.
#[derive(Default)]
pub(super) struct Alternative<'a> {
    pub(super) actions: Vec<Instruction>,
    pub(super) rendezvous: Option<Rendezvous<'a>>,
    /// The number of the channel that it uses, in an exact system.
    pub(super) channel: Option<i32>,
}

impl Alternative<'_> {
    pub(super) fn of(actions: Vec<Instruction>) -> Self {
        Alternative { actions, ..Alternative::default() }
    }
}

impl<'a> ActionSequence<'a> {
    pub(super) fn add(&mut self, actions: impl IntoIterator<Item = Instruction>) {
        self.add_shared(actions.into_iter().map(Rc::new));
    }

    pub(super) fn add_shared(&mut self, actions: impl IntoIterator<Item = Rc<Instruction>>) {
        let end = if self.rendezvous.is_some() { &mut self.after } else { &mut self.actions };
        end.extend(actions);
    }

    /// The sequences that fail after this one.
    pub(super) fn failing(&self, failures: &[Failure]) -> Vec<ActionSequence<'a>> {
        if self.violates.is_some() {
            // The sequence without a violation fails, too.
            return Vec::new();
        }
        let failing = |failure: &Failure| {
            let mut fails = self.clone();
            fails.add_shared(failure.conditions.iter().cloned());
            fails.fails = Some(failure.kind);
            fails
        };
        failures.iter().map(failing).collect()
    }

    /// The fault of the step that it becomes.
    pub(super) fn fault(&self) -> Option<FaultKind> {
        self.fails.or(self.violates)
    }

    /// Follows an alternative, whose actions are these.
    fn follow(
        &self,
        alternative: &Alternative<'a>,
        actions: &[Rc<Instruction>],
    ) -> ActionSequence<'a> {
        let mut sequence = self.clone();
        sequence.add_shared(actions.iter().cloned());
        sequence.channel = sequence.channel.or(alternative.channel);
        if alternative.rendezvous.is_some() {
            sequence.rendezvous.clone_from(&alternative.rendezvous);
        }
        sequence
    }
}

impl<'a> Builder<'a> {
    /// Appends a statement to each sequence. Sequences that fail are added to `failed`.
    pub(super) fn follow(
        &mut self,
        sequences: Vec<ActionSequence<'a>>,
        step: &'a automata::EdgeStep,
        edge: EdgeId,
        instance: usize,
        failed: &mut Vec<ActionSequence<'a>>,
    ) -> Vec<ActionSequence<'a>> {
        self.failing.clear();
        let alternatives = self.statement(step, edge, instance);
        let mut sequences = sequences;
        if self.is_exact() {
            self.fail_exactly(&mut sequences, failed);
            self.violate(&mut sequences);
        } else if self.error.is_some() {
            let uses_channels = beeline_engine::automata::uses_channels(&step.action);
            let member = self.instances.processes[instance].process;
            if uses_channels && (self.machine.has_trace() || self.machine.has_exclusives())
                || self.machine.model().process(member).deterministic
            {
                self.fail(FaultKind::Trace, FactorExpr::TRUE);
            }
            let causes = std::mem::take(&mut self.failing);
            let failures = self.failures(&causes);
            failed.extend(sequences.iter().flat_map(|sequence| sequence.failing(&failures)));
        }
        let mut found = Vec::new();
        for mut alternative in alternatives {
            let actions: Vec<_> = alternative.actions.drain(..).map(Rc::new).collect();
            found.extend(sequences.iter().map(|sequence| sequence.follow(&alternative, &actions)));
        }
        found
    }

    /// Resets the variables that are dead after a statement.
    pub(super) fn forget(
        &self,
        sequences: &mut [ActionSequence<'a>],
        step: &automata::EdgeStep,
        instance: usize,
    ) {
        let member = &self.instances.processes[instance];
        for local in &step.dead {
            let offset = self.spans.locals[member.process.index()][local.index()];
            let dead = Rc::new(set(FactorId(member.locals.0 + offset), FactorExpr::Const(0)));
            sequences.iter_mut().for_each(|sequence| sequence.add_shared([Rc::clone(&dead)]));
        }
    }

    /// The alternatives of a statement.
    fn statement(
        &mut self,
        step: &'a automata::EdgeStep,
        edge: EdgeId,
        instance: usize,
    ) -> Vec<Alternative<'a>> {
        use automata::EdgeAction as Do;
        let one = |actions| vec![Alternative::of(actions)];
        let site = RunSite { edge, statement: step.location };
        match &step.action {
            Do::Move(_) | Do::Else | Do::Print { .. } | Do::PrintM(_) => one(vec![]),
            Do::Guard(condition) => match &condition.kind {
                ExprKind::Run { process, args, .. } => {
                    let creations = self.creations(*process, args, site, instance);
                    creations
                        .into_iter()
                        .map(|creation| Alternative::of(creation.actions))
                        .collect()
                }
                _ => match self.expr(condition, Some(instance)) {
                    FactorExpr::Const(0) => Vec::new(),
                    FactorExpr::Const(_) => one(vec![]),
                    condition => one(vec![Instruction::Require(condition)]),
                },
            },
            Do::Assign { target, value } => match &value.kind {
                ExprKind::Run { process, args, .. } => {
                    let creations = self.creations(*process, args, site, instance);
                    let mut alternatives = Vec::new();
                    for mut creation in creations {
                        let store = self.store(target, creation.pid.clone(), Some(instance));
                        creation.actions.extend(store);
                        alternatives.push(Alternative::of(creation.actions));
                    }
                    alternatives
                }
                _ => {
                    let value = self.expr(value, Some(instance));
                    one(self.store(target, value, Some(instance)).into_iter().collect())
                }
            },
            Do::Declare { var, value } => one(self.declare(var.index(), value.as_ref(), instance)),
            Do::Assert(condition) => {
                let condition = self.expr(condition, Some(instance));
                if self.is_exact() {
                    self.violated = Some(condition.negated());
                } else {
                    self.fail(FaultKind::Assertion, condition.negated());
                }
                one(vec![])
            }
            Do::Send { channel, sorted, args } => self.send(channel, *sorted, args, instance),
            Do::Receive { channel, random, peek, args } => {
                self.receive(channel, *random, *peek, args, instance)
            }
            Do::SetPriority(process, priority) => {
                self.expr(process, Some(instance));
                self.expr(priority, Some(instance));
                one(vec![])
            }
            Do::DStep => unreachable!("followed edge by edge"),
            Do::End => one(self.end(instance)),
        }
    }

    /// Stores a value in a variable, if its value is kept.
    pub(super) fn store(
        &mut self,
        target: &beeline_promela::hir::Access,
        value: FactorExpr,
        instance: MaybeInstance,
    ) -> Option<Instruction> {
        match target.root {
            Root::Predefined(_) => return None,
            Root::Global(id) if self.machine.is_unread(id) => {
                self.stored(target, instance);
                return None;
            }
            _ => {}
        }
        let Stored { place, scalar } = self.stored(target, instance);
        let value = self.cut(value, scalar);
        Some(Instruction::Set(vec![beeline_factored::Assignment { place, value }]))
    }

    /// A value truncated to its type. Summary channels keep their numbers.
    pub(super) fn cut(
        &self,
        value: FactorExpr,
        scalar: beeline_engine::layout::Scalar,
    ) -> FactorExpr {
        let fits = |factor: FactorId| {
            let domain = self.system.factor(factor).domain;
            width(scalar).is_none_or(|width| width.interval().covers(domain))
                || self.may_hold_summary(factor)
        };
        let is_whole = match &value {
            FactorExpr::Factor(factor) => fits(*factor),
            FactorExpr::Element(element) => {
                AssignmentTarget::Element(element.clone()).factors().all(fits)
            }
            FactorExpr::Const(_) => true,
            value => value.is_truth(),
        };
        match value {
            FactorExpr::Const(value) if value < SUMMARIES => {
                FactorExpr::Const(value).cut(width(scalar))
            }
            value if is_whole => value,
            value => value.cut(width(scalar)),
        }
    }

    /// Whether a factor may hold the number of a summary channel.
    fn may_hold_summary(&self, factor: FactorId) -> bool {
        let domain = self.system.factor(factor).domain;
        self.instances.queues.iter().any(|queue| queue.is_summary())
            && domain.greatest >= i64::from(SUMMARIES)
    }

    fn declare(
        &mut self,
        var: usize,
        value: Option<&DeclaredValue>,
        instance: usize,
    ) -> Vec<Instruction> {
        let member = &self.instances.processes[instance];
        let (process, locals) = (member.process, member.locals);
        let local = &self.machine.model().process(process).locals[var];
        if let Type::Struct(_) = local.ty {
            return Vec::new();
        }
        let scalar = self.machine.layout().element(local.ty, local.length);
        let first = locals.0 + self.spans.locals[process.index()][var];
        let at = |at: usize| FactorId(first + at as u32);
        match value {
            None => vec![set(at(0), FactorExpr::Const(0))],
            Some(DeclaredValue::Value(value)) => {
                let value = self.expr(value, Some(instance));
                vec![set(at(0), self.cut(value, scalar))]
            }
            Some(DeclaredValue::List(values)) => {
                let mut actions = Vec::new();
                for (number, value) in values.iter().enumerate() {
                    let value = self.expr(value, Some(instance));
                    actions.push(set(at(number), self.cut(value, scalar)));
                }
                actions
            }
        }
    }

    /// The end of a process: possible when all younger ones have ended; its channels end with it.
    fn end(&mut self, instance: usize) -> Vec<Instruction> {
        let member = self.instances.processes[instance].clone();
        let Some(_) = member.pid else { return Vec::new() };
        let mut actions: Vec<Instruction> = vec![Instruction::Require(self.is_youngest(instance))];
        let mut gone = vec![assign(member.location, FactorExpr::Const(0))];
        let names = self.spans.locals[member.process.index()].len();
        let locals = &self.machine.model().process(member.process).locals[..names];
        let count: u32 = locals.iter().map(|local| self.spans.variable(local)).sum();
        let clear = |factor: u32| assign(FactorId(factor), FactorExpr::Const(0));
        gone.extend((0..count).map(|at| clear(member.locals.0 + at)));
        for queue in self.instances.queues.iter().filter(|queue| queue.owner == Some(instance)) {
            gone.push(assign(queue.length, FactorExpr::Const(0)));
            let slots = (queue.capacity * queue.fields.len()) as u32;
            gone.extend((0..slots).map(|at| clear(queue.slots.0 + at)));
        }
        actions.push(Instruction::Set(gone));
        actions
    }

    /// Whether all younger processes have ended.
    pub(super) fn is_youngest(&self, instance: usize) -> FactorExpr {
        let own = self.instances.processes[instance].pid;
        let younger = self.instances.processes.iter().filter(|member| member.pid > own);
        younger
            .map(|member| FactorExpr::Factor(member.location).equals(0))
            .reduce(FactorExpr::and)
            .unwrap_or(FactorExpr::TRUE)
    }
}

/// Actions that are shared no longer.
pub(super) fn unshared(actions: Vec<Rc<Instruction>>) -> Vec<Instruction> {
    actions.into_iter().map(Rc::unwrap_or_clone).collect()
}

/// The factors that actions may set.
pub(super) fn set_by(actions: &[impl Borrow<Instruction>]) -> Vec<FactorId> {
    let mut found = Vec::new();
    for action in actions {
        if let Instruction::Set(all) = action.borrow() {
            found.extend(all.iter().flat_map(|one| AssignmentTarget::factors(&one.place)));
        }
    }
    found
}
