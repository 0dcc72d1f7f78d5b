//! A trail that someone gave us, as a path of stored states.

use beeline_engine::interpreter::Machine;
use beeline_engine::trail::{Replay, TrailError, TrailFile};
use beeline_kernel::{Fault, FaultKind, SiteId};
use beeline_search::{FindingKind, Target};

use crate::story::execute;

/// What a trail leads to, and how.
pub(super) struct Given {
    /// The states that a search stores, up to the one that is wrong or from which a step
    /// fails.
    pub(super) states: Vec<Vec<u8>>,
    pub(super) found: FindingKind,
    /// The trail, executed.
    pub(super) replay: Replay,
    /// How many of its steps lead there.
    pub(super) steps: usize,
}

/// Follows a trail to the first thing that is wrong and wanted. `None` when nothing is.
///
/// # Errors
///
/// When the trail is not one of this machine.
pub(super) fn follow(
    machine: &Machine<'_>,
    trail: &TrailFile,
    wanted: Target,
) -> Result<Option<Given>, TrailError> {
    let replay = execute(machine, trail)?;
    let site = |edge: u32| SiteId(edge);
    let broken_at = |state: &[u8]| {
        let now = machine.open(state);
        let is_wanted = |&number: &usize| wanted.includes(FindingKind::Broken(number as u32));
        let mut numbers = (0..machine.invariants().len()).filter(is_wanted);
        numbers.find(|&number| !machine.holds(number, &now))
    };
    // With a claim, it is the claim that matters.
    let is_claimed = trail.claim.is_some();
    let end = replay.moves.len();
    let mut wrong = None;
    if is_claimed {
        let edge = trail.lines.last().map_or(0, |line| line.edge.0);
        let fault = Fault { kind: FaultKind::Claim, site: site(edge) };
        wrong = replay.claim_violated.then_some((FindingKind::Fault(fault), end));
    } else {
        let broken = replay.stored.iter().find_map(|stored| {
            let number = broken_at(&stored.state)?;
            Some((FindingKind::Broken(number as u32), stored.moves))
        });
        let fault = replay.fault.map(|(step, kind)| {
            let fault = Fault { kind, site: site(replay.moves[step - 1].edge.0) };
            (FindingKind::Fault(fault), step)
        });
        let stuck = replay.deadlock.then_some((FindingKind::Deadlock, end));
        for one in [broken, fault, stuck].into_iter().flatten() {
            if wanted.includes(one.0) && wrong.is_none_or(|(_, step): (_, usize)| one.1 < step) {
                wrong = Some(one);
            }
        }
    }
    let Some((found, steps)) = wrong else { return Ok(None) };
    // A fault lies behind the last state, a claim's in it.
    let is_before = |moves: usize| match found {
        FindingKind::Fault(fault) if fault.kind != FaultKind::Claim => moves < steps,
        _ => moves <= steps,
    };
    let stored = replay.stored.iter().filter(|stored| is_before(stored.moves));
    let states = stored.map(|stored| stored.state.clone()).collect();
    Ok(Some(Given { states, found, replay, steps }))
}
