//! Filter: steps go that are independent of all that follows them, and change nothing that the
//! error is about.
//!
//! Source: [EMJ05], "Recovering Solution Quality". A reduced search prefers some orders of steps
//! to others, and so takes steps on its way that an error does not need. Which ones go is
//! told by `beeline_analysis::reduction::filter`, by looking once at each step; nothing is tried.
//!
//! Promises: what is left is executed, so it is a trail to the same error. It need not be the
//! shortest.

use beeline_analysis::reduction::filter::{FilterTarget, relevant};
use beeline_engine::interpreter::Machine;
use beeline_engine::trail::TrailFile;
use beeline_search::{FindingKind, SearchTarget};

use super::given_trail::{GivenTrail, follow};
use super::like;
use super::steps::bounds;
use crate::check::Verdict;
use crate::witness::Violation;

/// The trail without steps that have nothing to do with its error, followed to its end. `None`
/// when there are none.
pub(super) fn filter(
    machine: &Machine<'_>,
    trail: &TrailFile,
    given: &GivenTrail,
) -> Option<(TrailFile, GivenTrail)> {
    let (wrong, invariant) = match given.found {
        _ if trail.claim.is_some() => return None,
        FindingKind::Deadlock => return None,
        FindingKind::Fault(_) => (FilterTarget::Fault, None),
        FindingKind::Invariant(number) => (FilterTarget::Broken, Some(number as usize)),
    };
    let initial = machine.initial().ok()?;
    let moves = &given.replay.moves[..given.steps];
    let between = bounds(&given.replay, given.steps);
    let runs: Vec<_> = between.iter().map(|bounds| &moves[bounds.clone()]).collect();
    // Others may be changed in passing.
    let watched = invariant.map(|number| machine.invariants()[number].clone());
    let watching = machine.clone().with_invariants(watched.into_iter().collect());
    let relevant = relevant(&watching, &initial, &runs, wrong).ok()?;
    if relevant.iter().all(|&one| one) {
        return None;
    }
    let left = runs.iter().zip(&relevant).filter(|(_, is_relevant)| **is_relevant);
    let left: Vec<_> = left.flat_map(|(&run, _)| run).collect();
    let shorter = TrailFile::of(left, trail.merged);
    // What is not executed is not believed.
    let again = follow(machine, &shorter, like(given.found)).ok()??;
    (again.found == given.found && again.steps < given.steps).then_some((shorter, again))
}

/// Filters the trails of an answer that a reduced search gave, and says how much shorter they
/// became.
pub(crate) fn filter_verdict(
    machine: &Machine<'_>,
    target: SearchTarget,
    verdict: &mut Verdict,
) -> Option<String> {
    let Verdict::Violated(violations) = verdict else { return None };
    let (mut before, mut after, mut trails) = (0, 0, 0);
    for violation in violations {
        let Some(shorter) = filtered(machine, target, violation) else { continue };
        (before, after, trails) = (before + violation.steps, after + shorter.steps, trails + 1);
        *violation = shorter;
    }
    match trails {
        0 => None,
        1 => Some(format!("filtered from {before} to {after} steps")),
        _ => Some(format!("{trails} trails filtered, from {before} to {after} steps in all")),
    }
}

fn filtered(
    machine: &Machine<'_>,
    target: SearchTarget,
    violation: &Violation,
) -> Option<Violation> {
    let given = follow(machine, &violation.trail, target).ok()??;
    let (trail, again) = filter(machine, &violation.trail, &given)?;
    let steps = again.steps as u64;
    let lower_bound = violation.lower_bound.min(steps);
    Some(Violation { trail, steps, lower_bound, ..violation.clone() })
}
