//! Invariants: formulas `[] p`, where `p` is about single states.
//!
//! Such a formula needs no automaton: it is enough to look at each state once. The
//! states inside of an atomic sequence do not count, as they do not for a claim.

use beeline_promela::hir::{BinaryOp, Expr, ExprKind, Model, UnaryOp};

/// How a formula is called that stands for an invariant of the command line.
const PREFIX: &str = "__invariant_";

/// What an invariant on the command line begins with.
const MARK: &str = "invariant:";

/// The invariant that a property on the command line asks for.
fn wanted(property: &str) -> Option<&str> {
    property.trim_start().strip_prefix(MARK).map(str::trim)
}

/// Promela for the invariants among the properties on the command line, to be read
/// together with the model.
pub fn formulas(properties: &[String]) -> String {
    let asked = properties.iter().enumerate();
    let asked = asked.filter_map(|(at, property)| wanted(property).map(|text| (at, text)));
    asked
        .map(|(at, text)| {
            format!("\n#line 1 \"--property\"\nltl {} {{ [] ({text}) }}\n", formula_name(at))
        })
        .collect()
}

/// The formula that stands for the property at this place of the command line.
pub(crate) fn formula_name(at: usize) -> String {
    format!("{PREFIX}{}", at + 1)
}

/// Whether a formula stands for a property of the command line.
pub(crate) fn is_asked_for(formula: &str) -> bool {
    formula.starts_with(PREFIX)
}

/// Whether a property of the command line is an invariant.
pub(crate) fn is_invariant(property: &str) -> bool {
    wanted(property).is_some()
}

/// What must be true in every state, if that is all that a formula says.
pub(crate) fn invariant<'m>(model: &'m Model, formula: &str) -> Option<&'m Expr> {
    let formula = model.formulas.iter().find(|one| &*one.name.name == formula)?;
    match &formula.formula.kind {
        ExprKind::Unary(UnaryOp::Always, always) if !is_temporal(always) => Some(always),
        _ => None,
    }
}

/// What all formulas of this kind say, in the order of the model.
pub(crate) fn invariants(model: &Model) -> Vec<Expr> {
    let names = model.formulas.iter().map(|formula| &*formula.name.name);
    names.filter_map(|name| invariant(model, name)).cloned().collect()
}

fn is_temporal(expr: &Expr) -> bool {
    expr.any(|part| match &part.kind {
        ExprKind::Unary(op, _) => {
            matches!(op, UnaryOp::Always | UnaryOp::Eventually | UnaryOp::Next)
        }
        ExprKind::Binary(op, ..) => matches!(
            op,
            BinaryOp::Implies
                | BinaryOp::Equivalent
                | BinaryOp::Until
                | BinaryOp::WeakUntil
                | BinaryOp::Release
        ),
        // Nobody searches for cycles here.
        ExprKind::NonProgress => true,
        _ => false,
    })
}
