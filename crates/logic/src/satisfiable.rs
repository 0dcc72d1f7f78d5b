//! Satisfiability: whether some word satisfies a formula.
//!
//! The question needs neither a small automaton nor one for the whole formula. A disjunction is
//! satisfiable if a disjunct is. A conjunction of parts without common atoms is satisfiable if each
//! part is: letters of the parts can be combined freely.

use crate::expand::Overflow;
use crate::formula::{Atom, Formula};
use crate::operands::{conjuncts, disjuncts};
use crate::pool::{Pool, Rewriting, deep};
use crate::transition_buchi::TransitionBuchi;
use crate::translate::AutomatonTooLarge;

/// Whether some word satisfies the formula.
///
/// # Errors
/// When the answer needs an automaton with more than `limit` edges.
pub fn is_satisfiable_within(formula: &Formula, limit: usize) -> Result<bool, AutomatonTooLarge> {
    let mut unknown = false;
    for disjunct in disjuncts(formula) {
        match all_satisfiable(&disjunct, limit) {
            Ok(true) => return Ok(true),
            Ok(false) => {}
            Err(AutomatonTooLarge) => unknown = true,
        }
    }
    if unknown { Err(AutomatonTooLarge) } else { Ok(false) }
}

/// The same for a formula that is no disjunction.
fn all_satisfiable(formula: &Formula, limit: usize) -> Result<bool, AutomatonTooLarge> {
    let mut unknown = false;
    for group in independent(conjuncts(formula)) {
        let satisfiable = match &group[..] {
            [one] if disjuncts(one).len() > 1 => deep(|| is_satisfiable_within(one, limit)),
            _ => has_word(&group.into_iter().fold(Formula::True, Formula::and), limit),
        };
        match satisfiable {
            Ok(false) => return Ok(false),
            Ok(true) => {}
            Err(AutomatonTooLarge) => unknown = true,
        }
    }
    if unknown { Err(AutomatonTooLarge) } else { Ok(true) }
}

/// Groups such that formulas of different groups have no common atom.
fn independent(formulas: Vec<Formula>) -> Vec<Vec<Formula>> {
    let mut groups: Vec<(Vec<Atom>, Vec<Formula>)> = Vec::new();
    for formula in formulas {
        let (mut atoms, mut members) = (formula.atoms(), vec![formula]);
        let (joined, apart): (Vec<_>, Vec<_>) =
            groups.into_iter().partition(|(other, _)| other.iter().any(|a| atoms.contains(a)));
        for (other, formulas) in joined {
            atoms.extend(other);
            members.splice(0..0, formulas);
        }
        groups = apart;
        groups.push((atoms, members));
    }
    groups.into_iter().map(|(_, members)| members).collect()
}

/// Whether the automaton of a formula has an accepting cycle; all its states are reachable.
fn has_word(formula: &Formula, limit: usize) -> Result<bool, AutomatonTooLarge> {
    let mut pool = Pool::new();
    let root = pool.read(formula, Rewriting::Full);
    let atoms: Vec<u32> = formula.atoms().into_iter().map(|atom| atom.0).collect();
    let automaton =
        TransitionBuchi::build(&pool, root, &atoms, limit).map_err(|Overflow| AutomatonTooLarge)?;
    Ok(automaton.parts().accepting.contains(&true))
}
