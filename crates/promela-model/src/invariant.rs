//! Invariants: formulas `[] p`, where `p` is about single states.
//!
//! Such a formula needs no automaton: it is enough to look at each state once. The
//! states inside of an atomic sequence do not count, as they do not for a claim.

use beeline_engine::claim::is_temporal;
use beeline_promela::hir::{Expr, ExprKind, Model, UnaryOp};

/// What must be true in every state, if that is all that a formula says.
pub(crate) fn invariant<'m>(model: &'m Model, formula: &str) -> Option<&'m Expr> {
    match &model.formulas[model.formula(formula)?].formula.kind {
        ExprKind::Unary(UnaryOp::Always, always) if !is_temporal(always) => Some(always),
        _ => None,
    }
}

/// All formulas of this kind, in the order of the model, with what they say.
fn named(model: &Model) -> impl Iterator<Item = (&str, &Expr)> {
    let names = model.formulas.iter().map(|formula| &*formula.name.name);
    names.filter_map(|name| Some((name, invariant(model, name)?)))
}

/// What they say.
pub(crate) fn invariants(model: &Model) -> Vec<Expr> {
    named(model).map(|(_, invariant)| invariant.clone()).collect()
}

/// Which of them a formula is.
pub(crate) fn number(model: &Model, formula: &str) -> Option<usize> {
    named(model).position(|(name, _)| name == formula)
}
