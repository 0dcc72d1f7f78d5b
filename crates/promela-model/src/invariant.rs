//! Invariants: formulas `[] p` without temporal operators in `p`.
//!
//! Such a formula needs no automaton: each stored state is checked once. States inside atomic
//! sequences do not count, as for a claim.

use beeline_engine::claim::is_temporal;
use beeline_promela::hir::{Expr, ExprKind, Model, UnaryOp};

/// The condition of a formula that is an invariant; `None` for other formulas.
pub(crate) fn invariant<'m>(model: &'m Model, formula: &str) -> Option<&'m Expr> {
    match &model.formulas[model.formula(formula)?].formula.kind {
        ExprKind::Unary(UnaryOp::Always, always) if !is_temporal(always) => Some(always),
        _ => None,
    }
}

/// The names and conditions of all invariants, in the order of the model.
fn named(model: &Model) -> impl Iterator<Item = (&str, &Expr)> {
    let names = model.formulas.iter().map(|formula| &*formula.name.name);
    names.filter_map(|name| Some((name, invariant(model, name)?)))
}

/// The conditions of all invariants.
pub(crate) fn invariants(model: &Model) -> Vec<Expr> {
    named(model).map(|(_, invariant)| invariant.clone()).collect()
}

/// The number of a formula among the invariants.
pub(crate) fn number(model: &Model, formula: &str) -> Option<usize> {
    named(model).position(|(name, _)| name == formula)
}
