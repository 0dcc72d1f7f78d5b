//! Filter: removes steps that are independent of all later steps and do not change what the error
//! reads.
//!
//! Source: [EMJ05], "Recovering Solution Quality". A reduced search prefers some orders of steps,
//! and so its trails contain steps that the error does not need. The module
//! `beeline_analysis::reduction::filter` selects them in one pass over the steps, without trying
//! any.
//!
//! Promises: the remaining steps are executed and lead to the same error. The trail need not be
//! shortest.

use beeline_analysis::reduction::filter::{FilterTarget, relevant};
use beeline_engine::interpreter::Machine;
use beeline_engine::trail::{TrailRecorder, trail_of};
use beeline_kernel::Trail;
use beeline_model::same_error;
use beeline_search::FindingKind;

use super::given_trail::{GivenTrail, follow};
use super::steps::bounds;
use crate::story::execute;

/// A longer trail is not filtered: all its states are kept for that.
pub(super) const LINE_LIMIT: usize = 200_000;

/// The trail without steps that have nothing to do with its error, followed to its end. `None`
/// when there are none.
pub(super) fn filter(
    machine: &Machine<'_>,
    trail: &Trail,
    given: &GivenTrail,
) -> Option<(Trail, GivenTrail)> {
    let (wrong, invariant) = match given.found {
        _ if trail.claim.is_some() => return None,
        FindingKind::Deadlock => return None,
        FindingKind::Fault(_) => (FilterTarget::Fault, None),
        FindingKind::Invariant(number) => (FilterTarget::Broken, Some(number as usize)),
    };
    let initial = machine.initial().ok()?;
    let (recorder, end) = execute(machine, trail, TrailRecorder::default).ok()?;
    let replay = recorder.replay(end);
    let moves = &replay.moves[..given.steps];
    let between = bounds(replay.stored.iter().map(|stored| stored.moves), given.steps);
    let runs: Vec<_> = between.iter().map(|bounds| &moves[bounds.clone()]).collect();
    // Only this invariant is visible; steps may change the values of others.
    let watched = invariant.map(|number| machine.invariants()[number].clone());
    let watching = machine.clone().with_invariants(watched.into_iter().collect());
    let relevant = relevant(&watching, &initial, &runs, wrong).ok()?;
    if relevant.iter().all(|&one| one) {
        return None;
    }
    let left = runs.iter().zip(&relevant).filter(|(_, is_relevant)| **is_relevant);
    let left: Vec<_> = left.flat_map(|(&run, _)| run).collect();
    let shorter = trail_of(left, trail.merged);
    // The shorter trail counts only if its replay shows the error.
    let again = follow(machine, &shorter, same_error(given.found)).ok()??;
    (again.found == given.found && again.steps < given.steps).then_some((shorter, again))
}
