//! Compound statements: choices, loops, and indivisible sequences.
//!
//! A choice either asks conditions, and may then have an `else`, or waits for
//! messages, and then has none: SPIN calls the mixture dubious.

use std::sync::Arc;

use beeline_promela::ast::*;

use super::Generator;
use super::build::*;
use super::channel::Which;
use super::feature::Feature;
use super::scope::{Type, Var};
use super::shape::{contains_loop, may_leave};
use super::stmt::{Mode, Place};

/// What the options of a choice begin with.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Style {
    /// Conditions.
    Conditions,
    /// Sends, receives, probes, timeouts, conditions.
    Messages,
    /// What is always possible.
    Free,
}

impl Generator<'_> {
    fn style(&mut self, place: Place) -> Style {
        let messages = place.mode != Mode::DStep && !self.signatures.is_empty();
        match self.rng.below(10) {
            0..=4 if messages => Style::Messages,
            5 | 6 => Style::Free,
            _ => Style::Conditions,
        }
    }

    pub(super) fn if_statement(&mut self, place: Place) -> Stmt {
        let style = self.style(place);
        let inner = place.deeper();
        let must = place.mode == Mode::DStep;
        let otherwise = style == Style::Conditions && (must || self.chosen(Feature::Else));
        let least = if otherwise { 1 } else { 2 };
        let mut options: Vec<_> =
            (0..self.rng.between(least, 3)).map(|_| self.option(style, inner)).collect();
        if otherwise {
            options.push(self.otherwise(inner));
        }
        node(StmtKind::If(options))
    }

    /// `else -> …`, or `true -> …` where `else` is not wanted.
    fn otherwise(&mut self, place: Place) -> Sequence {
        let always = match self.weight(Feature::Else) {
            0 => guard(literal(Literal::True)),
            _ => node(StmtKind::Else),
        };
        let mut option = vec![always];
        option.extend(self.sequence(place, 0, 1));
        option
    }

    fn option(&mut self, style: Style, place: Place) -> Sequence {
        let first = match style {
            Style::Conditions => guard(self.condition(self.config.operators)),
            Style::Messages => self.message_guard(place),
            Style::Free => match self.assignment() {
                Some(assignment) => assignment,
                None => skip(),
            },
        };
        let mut option = vec![first];
        for _ in 0..self.rng.below(3) {
            self.append(place, &mut option);
        }
        // A whole option may be indivisible.
        let wrap = place.mode == Mode::Free
            && !option
                .iter()
                .any(|stmt| may_leave(stmt) || matches!(stmt.kind, StmtKind::Atomic(_)))
            && self.rng.percent(self.weight(Feature::Atomic) * 2);
        if wrap { vec![node(StmtKind::Atomic(option))] } else { option }
    }

    fn message_guard(&mut self, place: Place) -> Stmt {
        let choice = [
            (30, 0),
            (30, 1),
            (self.weight(Feature::Probe), 2),
            (self.weight(Feature::Timeout) * u32::from(place.mode == Mode::Free), 3),
            (15, 4),
        ];
        let stmt = match self.rng.pick_weighted(&choice) {
            Some(0) => self.send(Which::Any),
            Some(1) => self.receive(Which::Any),
            Some(2) => self.probe(),
            Some(3) => Some(guard(node(ExprKind::Timeout))),
            _ => None,
        };
        match stmt {
            Some(stmt) => stmt,
            None => guard(self.condition(1)),
        }
    }

    /// A loop that may be left, or one that counts.
    pub(super) fn do_statement(&mut self, place: Place) -> Option<Sequence> {
        if place.mode != Mode::Free || self.rng.percent(40) {
            return Some(self.counting_loop(place));
        }
        let style = self.style(place);
        let inner = Place { breakable: true, repeated: true, ..place.deeper() };
        let mut options: Vec<_> =
            (0..self.rng.between(1, 2)).map(|_| self.option(style, inner)).collect();
        let leave = node(StmtKind::Break);
        options.push(match style {
            Style::Conditions if self.chosen(Feature::Else) => vec![node(StmtKind::Else), leave],
            Style::Conditions | Style::Messages if self.rng.percent(60) => {
                vec![guard(self.condition(1)), leave]
            }
            _ => vec![leave],
        });
        Some(vec![node(StmtKind::Do(options))])
    }

    /// A loop that never ends, for the end of a process.
    pub(super) fn endless_loop(&mut self, place: Place, duties: Sequence) -> Stmt {
        let style = match self.style(place) {
            Style::Conditions if self.rng.percent(50) => Style::Free,
            style => style,
        };
        let inner = Place { breakable: true, repeated: true, ..place.deeper() };
        let mut options: Vec<_> =
            (0..self.rng.between(1, self.crowd(2))).map(|_| self.option(style, inner)).collect();
        for duty in duties {
            let mut option = vec![duty];
            for _ in 0..self.rng.below(3) {
                self.append(inner, &mut option);
            }
            options.push(option);
        }
        node(StmtKind::Do(options))
    }

    /// `i = 0; do :: i < 2 -> …; i++ :: else -> break od`
    fn counting_loop(&mut self, place: Place) -> Sequence {
        let rounds = self.rng.between(1, 2);
        let counter = self.counter();
        let mut round = vec![guard(binary(BinaryOp::Less, var(counter.clone()), number(rounds)))];
        self.counted(&counter, |generator| {
            let inner = Place { repeated: true, breakable: false, ..place.deeper() };
            for _ in 0..generator.rng.between(1, 2) {
                generator.append(inner, &mut round);
            }
        });
        let jumps = |stmt: &Stmt| matches!(stmt.kind, StmtKind::Goto(_) | StmtKind::Break);
        if !round.last().is_some_and(jumps) {
            round.push(node(StmtKind::Step { target: var_ref(counter.clone()), up: true }));
        }
        let done = match self.weight(Feature::Else) {
            0 => guard(binary(BinaryOp::GreaterEqual, var(counter.clone()), number(rounds))),
            _ => node(StmtKind::Else),
        };
        vec![
            assign(var_ref(counter), number(0)),
            node(StmtKind::Do(vec![round, vec![done, node(StmtKind::Break)]])),
        ]
    }

    /// The counter for the next level of loops; the process declares it.
    fn counter(&mut self) -> Arc<str> {
        let name = format!("i{}", self.counters_in_use).into();
        self.counters_declared = self.counters_declared.max(self.counters_in_use + 1);
        name
    }

    /// Runs `body` while the counter may be read but not written.
    fn counted(&mut self, counter: &Arc<str>, body: impl FnOnce(&mut Self)) {
        let in_scope = self.vars.len();
        self.vars.push(Var {
            name: counter.clone(),
            ty: Type::Byte,
            bound: 4,
            length: None,
            global: false,
            frozen: true,
        });
        self.counters_in_use += 1;
        body(self);
        self.counters_in_use -= 1;
        self.vars.truncate(in_scope);
    }

    /// `for (i : a .. b) { … }`
    pub(super) fn for_range(&mut self, place: Place) -> Stmt {
        let from = self.rng.below(2);
        let to = self.rng.between(from, 2);
        self.for_over(place, ForRange::Range(number(from), number(to)))
    }

    /// `for (i in a) { … }`
    pub(super) fn for_in(&mut self, place: Place) -> Option<Stmt> {
        if place.mode == Mode::Free
            && self.rng.percent(50)
            && let Some(stmt) = self.for_messages(place)
        {
            return Some(stmt);
        }
        let path = self.find(|p| p.ty.is_scalar() && p.whole_array().is_some())?;
        let (array, _) = path.whole_array()?;
        Some(self.for_over(place, ForRange::In(var_ref(array))))
    }

    fn for_over(&mut self, place: Place, over: ForRange) -> Stmt {
        let counter = self.counter();
        let mut body = Vec::new();
        self.counted(&counter, |generator| {
            let breakable = place.mode != Mode::DStep;
            let inner = Place { repeated: true, breakable, ..place.deeper() };
            body = generator.sequence(inner, 1, 2);
        });
        node(StmtKind::For { var: var_ref(counter), over, body })
    }

    /// `for (m in q) { … }`, where `q` carries records like `m`: it takes every
    /// message once around.
    fn for_messages(&mut self, place: Place) -> Option<Stmt> {
        let signatures = self.signatures.clone();
        let roles = self.roles.clone();
        let record_of = |ty| match ty {
            Type::Chan(number) if signatures[number].capacity > 0 && roles[number].receives => {
                signatures[number].fields.first().map(|field| field.ty)
            }
            _ => None,
        };
        let is_record = |ty| matches!(ty, Some(Type::Record(_)));
        // A parameter has no declared message type to iterate over.
        let channel =
            self.find(|p| p.global && is_record(record_of(p.ty)) && p.plain().is_some())?;
        let wanted = record_of(channel.ty)?;
        let message = self.find(|p| p.ty == wanted && !p.frozen && p.plain().is_some())?;
        let (var, over) = (self.reach(&message), self.reach(&channel));
        let inner = Place { repeated: true, breakable: true, ..place.deeper() };
        let body = self.sequence(inner, 1, 2);
        Some(node(StmtKind::For { var, over: ForRange::In(over), body }))
    }

    pub(super) fn atomic(&mut self, place: Place) -> Stmt {
        let inner = Place { mode: Mode::Atomic, ..place.deeper() };
        let mut body = Vec::new();
        if self.rng.percent(15) {
            body.push(guard(self.condition(1)));
        }
        for _ in 0..self.rng.between(1, 3) {
            self.append(inner, &mut body);
        }
        node(StmtKind::Atomic(body))
    }

    /// A guard that may wait, then statements that may not.
    pub(super) fn d_step(&mut self, place: Place) -> Stmt {
        let inner = Place { mode: Mode::DStep, breakable: false, ..place.deeper() };
        let first = match self.rng.below(6) {
            0 => Some(guard(self.condition(1))),
            1 => self.send(Which::Buffered),
            2 => self.receive(Which::Buffered),
            _ => None,
        };
        let mut body: Sequence = first.into_iter().collect();
        for _ in 0..self.rng.between(1, 3) {
            self.append(inner, &mut body);
        }
        // What a `break` leads to must lie within.
        if body.last().is_some_and(contains_loop) {
            body.push(skip());
        }
        node(StmtKind::DStep(body))
    }

    pub(super) fn unless(&mut self, place: Place) -> Stmt {
        let body = node(StmtKind::Block(self.sequence(place.deeper(), 1, 3)));
        let mut escape = vec![match self.rng.below(4) {
            0 => match self.receive(Which::Any) {
                Some(receive) => receive,
                None => guard(self.condition(1)),
            },
            _ => guard(self.condition(1)),
        }];
        for _ in 0..self.rng.below(2) {
            self.append(place.deeper(), &mut escape);
        }
        let escape = match escape.len() {
            1 if self.rng.percent(50) => escape.remove(0),
            _ => node(StmtKind::Block(escape)),
        };
        node(StmtKind::Unless { body: Box::new(body), escape: Box::new(escape) })
    }
}
