//! A trail that someone gave us, as a path of stored states.

use beeline_engine::interpreter::Machine;
use beeline_engine::trail::TrailReplay;
use beeline_kernel::{Fault, FaultKind, SiteId, Trail, TrailError};
use beeline_search::{FindingKind, SearchTarget};

use crate::story::execute;

/// What a trail leads to, and how.
pub(crate) struct GivenTrail {
    /// The states that a search stores, up to the one that is wrong or from which a step
    /// fails.
    pub(crate) states: Vec<Vec<u8>>,
    pub(crate) found: FindingKind,
    /// The trail, executed.
    pub(crate) replay: TrailReplay,
    /// How many of its steps lead there.
    pub(crate) steps: usize,
}

/// Follows a trail to what is wrong with it and wanted. `None` when nothing is.
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
    // With a claim, it is the claim that matters.
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
        // What a trail ends with is what it is about; SPIN goes on behind some faults.
        let earlier = || fault_at(replay.fault?.0);
        let is_wanted = |&(kind, _): &(FindingKind, usize)| wanted.includes(kind);
        let at_end = fault_at(end).filter(is_wanted).or(stuck.filter(is_wanted));
        let at_end = at_end.or_else(|| broken().filter(is_wanted));
        at_end.or_else(|| earlier().filter(is_wanted))
    };
    let Some((found, steps)) = wrong else { return Ok(None) };
    // A fault lies behind the last state, a claim's in it.
    let is_before = |moves: usize| match found {
        FindingKind::Fault(fault) if fault.kind != FaultKind::Claim => moves < steps,
        _ => moves <= steps,
    };
    let stored = replay.stored.iter().filter(|stored| is_before(stored.moves));
    let states = stored.map(|stored| stored.state.clone()).collect();
    Ok(Some(GivenTrail { states, found, replay, steps }))
}
