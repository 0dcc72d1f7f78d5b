//! Claims of a Promela model: never claims, formulas and labels.

mod lasso;
mod vacuity;
mod witness;

use beeline_engine::claim::{Claim, Origin};
use beeline_engine::interpreter::Machine;
use beeline_kernel::Trail;
use beeline_model::{ClaimFacts, Property, PropertyKind, Unsupported};
use beeline_promela::hir::{ProcessId, ProcessKind};

use crate::invariant::invariants;

pub(crate) use lasso::{LassoRecorder, LassoRun, lasso_witness, violated_claim};
pub(crate) use vacuity::{remarks as vacuity, trivial};
pub(crate) use witness::{ClaimObserver, end_witness};

/// The claim of a property.
///
/// # Errors
///
/// The reason why the claim is not supported.
pub(crate) fn claim_of(machine: &Machine<'_>, property: &Property) -> Result<Claim, Unsupported> {
    match (property.kind, &property.formula) {
        (PropertyKind::Progress, _) => Ok(Claim::progress()),
        (PropertyKind::Acceptance, _) => Ok(Claim::acceptance()),
        (_, Some(name)) => {
            let number = machine.model().formula(name);
            let number = number.ok_or_else(|| Unsupported::new("there is no such formula"))?;
            machine.formula_claim(number).map_err(|error| Unsupported::new(error.to_string()))
        }
        (_, None) => never_claim_of(machine, property).map_err(Unsupported::new),
    }
}

fn never_claim_of(machine: &Machine<'_>, property: &Property) -> Result<Claim, &'static str> {
    let model = machine.model();
    let is_never = |number: &usize| model.processes[*number].kind == ProcessKind::Never;
    let claims: Vec<usize> = (0..model.processes.len()).filter(is_never).collect();
    let named = claims.iter().find(|&&at| *model.processes[at].name.name == property.name);
    let number = named.or(if let [only] = &claims[..] { Some(only) } else { None });
    let number = number.ok_or("there is no such claim")?;
    let claim = ProcessId(*number as u32);
    machine.claim_obstacle(claim).map_or_else(|| Ok(machine.never_claim(claim)), Err)
}

/// Facts about a claim.
pub(crate) fn facts(machine: &Machine<'_>, claim: &Claim) -> ClaimFacts {
    let counts_steps = match claim.origin {
        Origin::Formula(number) => {
            machine.atomized(number).is_ok_and(|formula| formula.counts_steps())
        }
        _ => false,
    };
    ClaimFacts {
        about_cycles: claim.is_about_cycles(),
        counts_steps,
        is_never_claim: matches!(claim.origin, Origin::Never(_)),
    }
}

/// A machine that observes the never claim of a trail if it has one, or else all invariants of the
/// model.
pub(crate) fn with_claim_of<'m>(trail: &Trail, machine: Machine<'m>) -> Machine<'m> {
    let written = trail.claim.and_then(|number| machine.never(number));
    match written.filter(|&claim| machine.claim_obstacle(claim).is_none()) {
        Some(claim) => {
            let claim = machine.never_claim(claim);
            machine.watched_by(claim)
        }
        None => {
            let invariants = invariants(machine.model());
            machine.with_invariants(invariants)
        }
    }
}
