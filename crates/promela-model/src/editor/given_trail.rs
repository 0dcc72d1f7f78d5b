//! A trail of the user, as a path of stored states.

use beeline_engine::interpreter::Machine;
use beeline_engine::trail::TrailReplay;
use beeline_kernel::{Fault, FaultKind, SiteId, Trail, TrailError};
use beeline_search::{FindingKind, SearchTarget};

use crate::story::execute;

/// A replayed trail with its error.
pub(crate) struct GivenTrail {
    /// The states that a search stores, up to the one with the error or before the failing step.
    pub(crate) states: Vec<Vec<u8>>,
    pub(crate) found: FindingKind,
    /// The replay of the whole trail.
    pub(crate) replay: TrailReplay,
    /// The number of its steps up to the error.
    pub(crate) steps: usize,
}

/// Follows a trail to an error of the target `wanted`. `None` when there is none.
///
/// # Errors
///
/// When the trail is not one of this machine.
pub(crate) fn follow(
    machine: &Machine<'_>,
    trail: &Trail,
    wanted: SearchTarget,
) -> Result<Option<GivenTrail>, TrailError> {
    let replay = execute(machine, trail)?;
    let broken_at = |state: &[u8]| {
        let now = machine.decode(state);
        let is_wanted = |&number: &usize| wanted.includes(FindingKind::Invariant(number as u32));
        let mut numbers = (0..machine.invariants().len()).filter(is_wanted);
        numbers.find(|&number| !machine.holds(number, &now))
    };
    // A trail with a claim can only violate the claim.
    let is_claimed = trail.claim.is_some();
    let end = replay.moves.len();
    let wrong = if is_claimed {
        let edge = trail.lines.last().map_or(0, |line| line.edge.0);
        let fault = Fault { kind: FaultKind::Claim, site: SiteId(edge) };
        replay.claim_violated.then_some((FindingKind::Fault(fault), end))
    } else {
        let fault_at = |step: usize| {
            let taken = &replay.moves[step.checked_sub(1)?];
            let fault = Fault { kind: taken.fault?, site: SiteId(taken.edge.0) };
            Some((FindingKind::Fault(fault), step))
        };
        let broken = || {
            replay.stored.iter().find_map(|stored| {
                let number = broken_at(&stored.state)?;
                Some((FindingKind::Invariant(number as u32), stored.moves))
            })
        };
        let stuck = replay.deadlock.then_some((FindingKind::Deadlock, end));
        // An error at the end has priority; SPIN continues after some faults.
        let earlier = || fault_at(replay.fault?.0);
        let is_wanted = |&(kind, _): &(FindingKind, usize)| wanted.includes(kind);
        let at_end = fault_at(end).filter(is_wanted).or(stuck.filter(is_wanted));
        let at_end = at_end.or_else(|| broken().filter(is_wanted));
        at_end.or_else(|| earlier().filter(is_wanted))
    };
    let Some((found, steps)) = wrong else { return Ok(None) };
    // A fault occurs after the last state, the violation of a claim in it.
    let is_before = |moves: usize| match found {
        FindingKind::Fault(fault) if fault.kind != FaultKind::Claim => moves < steps,
        _ => moves <= steps,
    };
    let stored = replay.stored.iter().filter(|stored| is_before(stored.moves));
    let states = stored.map(|stored| stored.state.clone()).collect();
    Ok(Some(GivenTrail { states, found, replay, steps }))
}
