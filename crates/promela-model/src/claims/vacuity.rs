//! Formulas that hold for a trivial reason.
//!
//! A tautology holds in every model. A formula holds vacuously if one of several conditions is
//! never true, and the formula with *false* for that condition is a tautology: `[] (request -> <>
//! answer)` says nothing about a model without requests.

use beeline_engine::claim::{AtomizedFormula, Claim, ClaimCondition, Origin, Product};
use beeline_engine::interpreter::Machine;
use beeline_logic::{Atom, Formula, is_satisfiable_within};
use beeline_model::Property;
use beeline_promela::hir::Model;
use beeline_promela::hir::print::Printer;

/// Size limit of automata: this computes a remark only, not a verdict.
const MOST_EDGES: usize = 20_000;

/// Remarks on a formula without violations, after all states of the product were explored.
pub(crate) fn remarks(machine: &Machine<'_>, product: &Product<'_>) -> Vec<String> {
    let Some(&Claim { origin: Origin::Formula(number), ref conditions, .. }) = machine.claim()
    else {
        return Vec::new();
    };
    let Ok(said) = machine.atomized(number) else { return Vec::new() };
    if !product.sees_everything() || is_tautology(&said.formula) {
        return Vec::new();
    }
    let printer = Printer::new(machine.model(), None);
    let never_true = |at: &usize| !product.was_true(ClaimCondition::Holds(*at as u32));
    let unseen = (0..conditions.len()).filter(never_true).map(|at| printer.expr(&conditions[at]));
    let idle = unseen.filter(|text| says_nothing_without(&said, text, &printer));
    idle.map(|text| format!("vacuously: `{text}` is never true")).collect()
}

/// Remarks on a formula that hold in every model.
pub(crate) fn trivial(model: &Model, property: &Property) -> Option<String> {
    let name = property.formula.as_ref()?;
    let formula = &model.formulas[model.formula(name)?];
    let said = AtomizedFormula::in_detail(model, &formula.formula).ok()?;
    if is_tautology(&said.formula) {
        return Some("it holds in every model: it is a tautology".to_owned());
    }
    is_tautology(&said.formula.not()).then(|| "it holds in no model: it contradicts itself".into())
}

/// Whether the formula with *false* for this condition, one of several, is a tautology.
fn says_nothing_without(said: &AtomizedFormula, condition: &str, printer: &Printer<'_>) -> bool {
    let atom = said.atoms.iter().position(|atom| printer.expr(atom) == condition);
    let several = said.atoms.len() > 1;
    atom.is_some_and(|at| several && is_tautology(&without(&said.formula, Atom(at as u32))))
}

fn is_tautology(formula: &Formula) -> bool {
    is_satisfiable_within(&formula.clone().not(), MOST_EDGES) == Ok(false)
}

/// The formula with *false* for an atom.
fn without(formula: &Formula, atom: Atom) -> Formula {
    let of = |part: &Formula| without(part, atom);
    match formula {
        Formula::Atom(one) if *one == atom => Formula::False,
        Formula::True | Formula::False | Formula::Atom(_) => formula.clone(),
        Formula::Not(one) => of(one).not(),
        Formula::Next(one) => of(one).next(),
        Formula::And(one, two) => of(one).and(of(two)),
        Formula::Or(one, two) => of(one).or(of(two)),
        Formula::Until(one, two) => of(one).until(of(two)),
        Formula::Release(one, two) => of(one).release(of(two)),
    }
}
