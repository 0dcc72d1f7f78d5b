//! The conditions of a claim: distinct expressions, numbered while a claim is built.

use beeline_promela::hir::print::Printer;
use beeline_promela::hir::{Expr, ExprKind, Model, UnaryOp};

use crate::claim_automaton::{ClaimCondition, ClaimLiteral};

/// Distinct expressions.
pub(super) struct DistinctExprs<'m> {
    model: &'m Model,
    pub(super) exprs: Vec<Expr>,
    /// Their texts, to find equal expressions.
    known: Vec<String>,
}

/// The static truth of a condition.
pub(super) enum LiteralTruth {
    Always,
    Never,
    When(ClaimLiteral),
}

impl<'m> DistinctExprs<'m> {
    pub(super) fn new(model: &'m Model) -> Self {
        DistinctExprs { model, exprs: Vec::new(), known: Vec::new() }
    }

    /// The number of an expression, which is added if it is new.
    pub(super) fn number(&mut self, expr: &Expr) -> u32 {
        let text = Printer::new(self.model, None).expr(expr);
        let known = self.known.iter().position(|known| *known == text);
        let at = known.unwrap_or_else(|| {
            self.known.push(text);
            self.exprs.push(expr.clone());
            self.exprs.len() - 1
        });
        at as u32
    }

    /// The literal for an expression to be true, or false.
    pub(super) fn literal(&mut self, expr: &Expr, is: bool) -> LiteralTruth {
        match &expr.kind {
            ExprKind::Const(value) if (*value != 0) == is => LiteralTruth::Always,
            ExprKind::Const(_) => LiteralTruth::Never,
            ExprKind::NonProgress => {
                LiteralTruth::When(ClaimLiteral { condition: ClaimCondition::NoProgress, is })
            }
            ExprKind::Unary(UnaryOp::Not, negated) => self.literal(negated, !is),
            _ => {
                let condition = ClaimCondition::Holds(self.number(expr));
                LiteralTruth::When(ClaimLiteral { condition, is })
            }
        }
    }
}
