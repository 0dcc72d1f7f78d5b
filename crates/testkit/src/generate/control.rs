//! Compound statements: choices, escapes, and indivisible sequences.
//!
//! A choice either tests conditions, and may then have an `else`, or waits for messages, and then
//! has none: SPIN calls the mixture dubious.

use beeline_promela::ast::*;

use super::build::*;
use super::channel::Which;
use super::feature::Feature;
use super::generator::Generator;
use super::shape::{contains_loop, may_leave};
use super::stmt::{Mode, Place};

/// The first statements of the options of a choice.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Style {
    /// Conditions.
    Conditions,
    /// Sends, receives, probes, timeouts, conditions.
    Messages,
    /// Statements that are always executable.
    Free,
}

impl Generator<'_> {
    pub(super) fn style(&mut self, place: Place) -> Style {
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

    /// `else -> …`, or `true -> …` if `else` is not used.
    fn otherwise(&mut self, place: Place) -> Sequence {
        let always = match self.weight(Feature::Else) {
            0 => guard(literal(Literal::True)),
            _ => node(StmtKind::Else),
        };
        let mut option = vec![always];
        option.extend(self.sequence(place, 0, 1));
        option
    }

    pub(super) fn option(&mut self, style: Style, place: Place) -> Sequence {
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

    /// A guard that may block, then statements that may not.
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
        // The target of a `break` must be inside.
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
