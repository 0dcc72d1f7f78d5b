//! Refinement: the ranges under a condition.

use beeline_factored::Interval;
use beeline_promela::hir::{BinaryOp, Expr, ExprKind, UnaryOp};

use super::environment::Environment;
use super::ranges::Scope;

impl Scope<'_> {
    /// The same place with another environment.
    pub(super) fn within<'t>(&'t self, environment: &'t Environment) -> Scope<'t> {
        Scope { ranges: self.ranges, process: self.process, environment }
    }

    /// Calls `visit` on each part of an expression, with the ranges under which it is evaluated.
    pub fn each_part(self, expr: &Expr, visit: &mut dyn FnMut(Scope<'_>, &Expr)) {
        visit(self, expr);
        let mut under = |condition: &Expr, truth: bool, part: &Expr| {
            if let Some(refined) = self.refined(condition, truth) {
                self.within(&refined).each_part(part, visit);
            }
        };
        match &expr.kind {
            ExprKind::Binary(op @ (BinaryOp::And | BinaryOp::Or), left, right) => {
                under(left, *op == BinaryOp::And, right);
                self.each_part(left, visit);
            }
            ExprKind::Conditional(condition, yes, no) => {
                under(condition, true, yes);
                under(condition, false, no);
                self.each_part(condition, visit);
            }
            ExprKind::Binary(_, left, right) => {
                self.each_part(left, visit);
                self.each_part(right, visit);
            }
            ExprKind::Unary(_, operand) | ExprKind::Process(_, operand) => {
                self.each_part(operand, visit);
            }
            _ => {
                let mut is_first = true;
                expr.visit(&mut |part| {
                    if !std::mem::take(&mut is_first) {
                        visit(self, part);
                    }
                });
            }
        }
    }

    /// The environment in which a condition is true, or false; `None` if it never is.
    pub(super) fn refined(self, condition: &Expr, truth: bool) -> Option<Environment> {
        let mut refined = self.environment.clone();
        self.refine(condition, truth, &mut refined).then_some(refined)
    }

    /// Refines an environment; returns whether the condition can have this truth value.
    fn refine(self, condition: &Expr, truth: bool, refined: &mut Environment) -> bool {
        let now = self.ranges.scope(self.process, refined).range(condition);
        if !(if truth { now.may_be_true() } else { now.may_be_false() }) {
            return false;
        }
        match &condition.kind {
            ExprKind::Unary(UnaryOp::Not, operand) => self.refine(operand, !truth, refined),
            ExprKind::Binary(BinaryOp::And, left, right) if truth => {
                self.refine(left, true, refined) && self.refine(right, true, refined)
            }
            ExprKind::Binary(BinaryOp::Or, left, right) if !truth => {
                self.refine(left, false, refined) && self.refine(right, false, refined)
            }
            ExprKind::Binary(op, left, right) => {
                let Some(relation) = Relation::of(*op, truth) else { return true };
                self.relate(left, relation, right, refined)
                    && self.relate(right, relation.reversed(), left, refined)
            }
            ExprKind::Read(_) => {
                let zero = Interval::one(0);
                let relation = if truth { Relation::NotEqual } else { Relation::Equal };
                self.bound(condition, relation, zero, refined)
            }
            _ => true,
        }
    }

    fn relate(
        self,
        left: &Expr,
        relation: Relation,
        right: &Expr,
        refined: &mut Environment,
    ) -> bool {
        let other = self.ranges.scope(self.process, refined).range(right);
        self.bound(left, relation, other, refined)
    }

    /// Restricts a variable that is related to a value of `other`.
    fn bound(
        self,
        variable: &Expr,
        relation: Relation,
        other: Interval,
        refined: &mut Environment,
    ) -> bool {
        let ExprKind::Read(access) = &variable.kind else { return true };
        let slots = &self.ranges.slots[self.process.index()];
        let Some(number) = slots.plain(access) else { return true };
        match relation.restrict(refined.0[number], other) {
            Some(range) => refined.0[number] = range,
            None => return false,
        }
        true
    }
}

/// A relation between two values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Relation {
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    Equal,
    NotEqual,
}

impl Relation {
    /// The relation of a comparison that is true, or false.
    fn of(op: BinaryOp, truth: bool) -> Option<Relation> {
        let relation = match op {
            BinaryOp::Less => Relation::Less,
            BinaryOp::LessEqual => Relation::LessEqual,
            BinaryOp::Greater => Relation::Greater,
            BinaryOp::GreaterEqual => Relation::GreaterEqual,
            BinaryOp::Equal => Relation::Equal,
            BinaryOp::NotEqual => Relation::NotEqual,
            _ => return None,
        };
        Some(if truth { relation } else { relation.negated() })
    }

    fn negated(self) -> Relation {
        match self {
            Relation::Less => Relation::GreaterEqual,
            Relation::LessEqual => Relation::Greater,
            Relation::Greater => Relation::LessEqual,
            Relation::GreaterEqual => Relation::Less,
            Relation::Equal => Relation::NotEqual,
            Relation::NotEqual => Relation::Equal,
        }
    }

    /// The relation with its sides exchanged.
    fn reversed(self) -> Relation {
        match self {
            Relation::Less => Relation::Greater,
            Relation::LessEqual => Relation::GreaterEqual,
            Relation::Greater => Relation::Less,
            Relation::GreaterEqual => Relation::LessEqual,
            Relation::Equal | Relation::NotEqual => self,
        }
    }

    /// The values of `range` that are in this relation to a value of `other`.
    fn restrict(self, range: Interval, other: Interval) -> Option<Interval> {
        let upto = |greatest: i64| Interval { least: i64::MIN, greatest };
        let from = |least: i64| Interval { least, greatest: i64::MAX };
        match self {
            Relation::Less => range.meet(upto(other.greatest - 1)),
            Relation::LessEqual => range.meet(upto(other.greatest)),
            Relation::Greater => range.meet(from(other.least + 1)),
            Relation::GreaterEqual => range.meet(from(other.least)),
            Relation::Equal => range.meet(other),
            Relation::NotEqual => match other.single().map(i64::from) {
                Some(value) if value == range.least => range.meet(from(value + 1)),
                Some(value) if value == range.greatest => range.meet(upto(value - 1)),
                _ => Some(range),
            },
        }
    }
}
