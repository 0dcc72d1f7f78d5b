//! What an edge does, as lines of actions: one for each way it can go.

use beeline_factored::{Action, Expr, FactorId, Place};
use beeline_promela::hir::{DeclaredValue, ExprKind, RecvArg, Root, Type};

use super::build::{Builder, assign, set};
use super::crew::CROWDS;
use super::exprs::{Stored, Who, width};
use crate::automata::{self, EdgeId};

/// A line of actions on its way to become a step.
#[derive(Clone, Debug, Default)]
pub(super) struct Line<'a> {
    /// Until someone is met.
    pub(super) actions: Vec<Action>,
    pub(super) meeting: Option<Meeting<'a>>,
    /// What comes then.
    pub(super) after: Vec<Action>,
    /// It ends with a fault.
    pub(super) fails: bool,
}

/// A rendezvous on a channel of the crew.
#[derive(Clone, Debug)]
pub(super) enum Meeting<'a> {
    Offer { queue: usize, message: Vec<Expr> },
    Take { queue: usize, args: &'a [RecvArg] },
}

/// One way in which a statement can be executed.
#[derive(Default)]
pub(super) struct Way<'a> {
    pub(super) actions: Vec<Action>,
    pub(super) meeting: Option<Meeting<'a>>,
}

impl Way<'_> {
    pub(super) fn of(actions: Vec<Action>) -> Self {
        Way { actions, meeting: None }
    }
}

impl<'a> Line<'a> {
    pub(super) fn add(&mut self, actions: impl IntoIterator<Item = Action>) {
        let end = if self.meeting.is_some() { &mut self.after } else { &mut self.actions };
        end.extend(actions);
    }

    fn follow(&self, way: &Way<'a>) -> Line<'a> {
        let mut line = self.clone();
        line.add(way.actions.iter().cloned());
        if way.meeting.is_some() {
            line.meeting.clone_from(&way.meeting);
        }
        line
    }
}

impl<'a> Builder<'a> {
    /// Executes a statement behind each of some lines. Lines that fail are added to `failed`.
    pub(super) fn follow(
        &mut self,
        lines: Vec<Line<'a>>,
        step: &'a automata::Step,
        edge: EdgeId,
        who: usize,
        failed: &mut Vec<Line<'a>>,
    ) -> Vec<Line<'a>> {
        self.failing.clear();
        let ways = self.statement(step, edge, who);
        if self.error.is_some() {
            let uses_channels = crate::interpreter::uses_channels(&step.action);
            let member = self.crew.members[who].process;
            if uses_channels && (self.machine.has_trace() || self.machine.has_exclusives())
                || self.machine.model().process(member).deterministic
            {
                self.failing.push(Expr::TRUE);
            }
            let causes = std::mem::take(&mut self.failing);
            if let Some(cause) = causes.into_iter().reduce(Expr::or)
                && cause != Expr::Const(0)
            {
                for line in &lines {
                    let mut line = line.clone();
                    line.add([Action::Require(cause.clone())]);
                    line.fails = true;
                    failed.push(line);
                }
            }
        }
        let mut found = Vec::new();
        for way in &ways {
            found.extend(lines.iter().map(|line| line.follow(way)));
        }
        found
    }

    /// Sets the variables to zero that nobody reads after a statement.
    pub(super) fn forget(&self, lines: &mut [Line<'a>], step: &automata::Step, who: usize) {
        let member = &self.crew.members[who];
        for local in &step.dead {
            let offset = self.spans.locals[member.process.index()][local.index()];
            let dead = set(FactorId(member.locals.0 + offset), Expr::Const(0));
            lines.iter_mut().for_each(|line| line.add([dead.clone()]));
        }
    }

    /// The ways in which a statement can be executed.
    fn statement(&mut self, step: &'a automata::Step, edge: EdgeId, who: usize) -> Vec<Way<'a>> {
        use automata::Action as Do;
        let one = |actions| vec![Way::of(actions)];
        match &step.action {
            Do::Move(_) | Do::Else | Do::Print { .. } | Do::PrintM(_) => one(vec![]),
            Do::Guard(condition) => match &condition.kind {
                ExprKind::Run { process, args, .. } => {
                    let births = self.births(*process, args, (edge, step.location), who);
                    births.into_iter().map(|birth| Way::of(birth.actions)).collect()
                }
                _ => match self.expr(condition, Some(who)) {
                    Expr::Const(0) => Vec::new(),
                    Expr::Const(_) => one(vec![]),
                    condition => one(vec![Action::Require(condition)]),
                },
            },
            Do::Assign { target, value } => match &value.kind {
                ExprKind::Run { process, args, .. } => {
                    let births = self.births(*process, args, (edge, step.location), who);
                    let mut ways = Vec::new();
                    for mut birth in births {
                        let store = self.store(target, birth.pid.clone(), Some(who));
                        birth.actions.extend(store);
                        ways.push(Way::of(birth.actions));
                    }
                    ways
                }
                _ => {
                    let value = self.expr(value, Some(who));
                    one(self.store(target, value, Some(who)).into_iter().collect())
                }
            },
            Do::Declare { var, value } => one(self.declare(var.index(), value.as_ref(), who)),
            Do::Assert(condition) => {
                let condition = self.expr(condition, Some(who));
                self.failing.push(condition.negated());
                one(vec![])
            }
            Do::Send { channel, sorted, args } => self.send(channel, *sorted, args, who),
            Do::Receive { channel, random, peek, args } => {
                self.receive(channel, *random, *peek, args, who)
            }
            Do::SetPriority(process, priority) => {
                self.expr(process, Some(who));
                self.expr(priority, Some(who));
                one(vec![])
            }
            Do::DStep => unreachable!("followed edge by edge"),
            Do::End => one(self.end(who)),
        }
    }

    /// Stores a value in a variable, if its value is kept.
    pub(super) fn store(
        &mut self,
        target: &beeline_promela::hir::Access,
        value: Expr,
        who: Who,
    ) -> Option<Action> {
        match target.root {
            Root::Predefined(_) => return None,
            Root::Global(id) if self.machine.is_unread(id) => {
                self.stored(target, who);
                return None;
            }
            _ => {}
        }
        let Stored { place, scalar } = self.stored(target, who);
        let value = self.cut(value, scalar);
        Some(Action::Set(vec![beeline_factored::Assignment { place, value }]))
    }

    /// What is left of a value where it is stored. Crowds of channels keep their numbers.
    pub(super) fn cut(&self, value: Expr, scalar: crate::layout::Scalar) -> Expr {
        let fits = |factor: FactorId| {
            let domain = self.system.factor(factor).domain;
            width(scalar).is_none_or(|width| width.interval().covers(domain))
                || self.may_hold_crowd(factor)
        };
        let is_whole = match &value {
            Expr::Factor(factor) => fits(*factor),
            Expr::Element(element) => Place::Element(element.clone()).factors().all(fits),
            Expr::Const(_) => true,
            value => value.is_truth(),
        };
        match value {
            Expr::Const(value) if value < CROWDS => Expr::Const(value).cut(width(scalar)),
            value if is_whole => value,
            value => value.cut(width(scalar)),
        }
    }

    /// Whether a factor may hold the number of a crowd of channels.
    fn may_hold_crowd(&self, factor: FactorId) -> bool {
        let domain = self.system.factor(factor).domain;
        self.crew.queues.iter().any(|queue| queue.is_crowd())
            && domain.greatest >= i64::from(CROWDS)
    }

    fn declare(&mut self, var: usize, value: Option<&DeclaredValue>, who: usize) -> Vec<Action> {
        let member = &self.crew.members[who];
        let (process, locals) = (member.process, member.locals);
        let local = &self.machine.model().process(process).locals[var];
        if let Type::Struct(_) = local.ty {
            return Vec::new();
        }
        let scalar = self.machine.layout().element(local.ty, local.length);
        let first = locals.0 + self.spans.locals[process.index()][var];
        let at = |at: usize| FactorId(first + at as u32);
        match value {
            None => vec![set(at(0), Expr::Const(0))],
            Some(DeclaredValue::Value(value)) => {
                let value = self.expr(value, Some(who));
                vec![set(at(0), self.cut(value, scalar))]
            }
            Some(DeclaredValue::List(values)) => {
                let mut actions = Vec::new();
                for (number, value) in values.iter().enumerate() {
                    let value = self.expr(value, Some(who));
                    actions.push(set(at(number), self.cut(value, scalar)));
                }
                actions
            }
        }
    }

    /// A process ends when all younger ones have: it is gone then, with its channels.
    fn end(&mut self, who: usize) -> Vec<Action> {
        let member = self.crew.members[who].clone();
        let Some(_) = member.pid else { return Vec::new() };
        let mut actions: Vec<Action> = vec![Action::Require(self.is_youngest(who))];
        let mut gone = vec![assign(member.location, Expr::Const(0))];
        let names = self.spans.locals[member.process.index()].len();
        let locals = &self.machine.model().process(member.process).locals[..names];
        let count: u32 = locals.iter().map(|local| self.spans.variable(local)).sum();
        let clear = |factor: u32| assign(FactorId(factor), Expr::Const(0));
        gone.extend((0..count).map(|at| clear(member.locals.0 + at)));
        for queue in self.crew.queues.iter().filter(|queue| queue.owner == Some(who)) {
            gone.push(assign(queue.length, Expr::Const(0)));
            let slots = (queue.capacity * queue.fields.len()) as u32;
            gone.extend((0..slots).map(|at| clear(queue.slots.0 + at)));
        }
        actions.push(Action::Set(gone));
        actions
    }

    /// Whether all processes that came after one are gone.
    pub(super) fn is_youngest(&self, who: usize) -> Expr {
        let own = self.crew.members[who].pid;
        let younger = self.crew.members.iter().filter(|member| member.pid > own);
        younger
            .map(|member| Expr::Factor(member.location).equals(0))
            .reduce(Expr::and)
            .unwrap_or(Expr::TRUE)
    }
}

/// The factors that actions may set.
pub(super) fn set_by(actions: &[Action]) -> Vec<FactorId> {
    let mut found = Vec::new();
    for action in actions {
        if let Action::Set(all) = action {
            found.extend(all.iter().flat_map(|one| Place::factors(&one.place)));
        }
    }
    found
}
