//! The automaton of a formula as text: a never claim that SPIN reads, HOA, or a graph for
//! Graphviz. It accepts the runs that violate the formula.

use beeline_logic::Atom;
use beeline_promela::hir::Model;
use beeline_promela::hir::print::Printer;

use super::formula::{AtomizedFormula, ClaimError};

/// The format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClaimText {
    /// A never claim.
    Never,
    /// The Hanoi Omega-Automata format.
    Hoa,
    /// A graph for Graphviz.
    Dot,
}

/// The automaton of the formula of this number, with this name.
///
/// # Errors
///
/// When there is no automaton.
pub fn dump(
    model: &Model,
    formula: usize,
    name: &str,
    as_what: ClaimText,
) -> Result<String, ClaimError> {
    let atomized = AtomizedFormula::of(model, &model.formulas[formula].formula)?;
    let automaton = atomized.violations()?;
    let printer = Printer::new(model, None);
    let negated = format!("!({})", printer.expr(&model.formulas[formula].formula));
    let plain = |atom: Atom| printer.expr(&atomized.atoms[atom.0 as usize]);
    let bracketed = |atom: Atom| format!("({})", plain(atom));
    Ok(match as_what {
        ClaimText::Never => {
            beeline_logic::never::never(&automaton, &format!("{name}: {negated}"), &bracketed)
        }
        ClaimText::Hoa => beeline_logic::hoa::hoa(&automaton, &negated, &plain),
        ClaimText::Dot => beeline_logic::dot::dot(&automaton, &plain),
    })
}
