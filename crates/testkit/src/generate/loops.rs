//! Loops: some may be left, some count, and some never end.
//!
//! Inside `atomic` and `d_step`, where states are not stored, only counting loops are used. Their
//! counters are declared by the process and written by no other statement.

use std::sync::Arc;

use beeline_promela::ast::*;

use super::build::*;
use super::control::Style;
use super::feature::Feature;
use super::generator::Generator;
use super::scope::{Type, Var};
use super::stmt::{Mode, Place};

impl Generator<'_> {
    /// A loop that may be left, or a counting loop.
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
        let alone = options.len() + duties.len() < 2;
        if style != Style::Free && (alone || self.rng.percent(35)) {
            options.extend(self.assignment().map(|assignment| vec![assignment]));
        }
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
            let target = var_ref(counter.clone());
            round.push(match self.weight(Feature::Step) {
                0 => assign(target, binary(BinaryOp::Add, var(counter.clone()), number(1))),
                _ => node(StmtKind::Step { target, up: true }),
            });
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

    /// `for (m in q) { … }`, where `q` carries records like `m`: it rotates every message once.
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
}
