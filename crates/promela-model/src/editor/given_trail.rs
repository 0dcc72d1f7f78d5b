//! A trail of the user, as a path of stored states.

use beeline_engine::interpreter::{DecodedState, Machine};
use beeline_engine::trail::{
    ReplayEnd, ReplayObserver, StoredState, TakenMove, TrailRecorder, TrailReplay,
};
use beeline_kernel::{Fault, FaultKind, SiteId, Trail, TrailError};
use beeline_search::{FindingKind, SearchTarget};

use crate::story::{execute, never_stopped};

/// A replayed trail with its error.
pub(crate) struct GivenTrail {
    /// The states that a search stores, up to the one with the error or before the failing step.
    pub(crate) states: Vec<Vec<u8>>,
    pub(crate) found: FindingKind,
    /// How many of its steps lead there.
    pub(crate) steps: usize,
}

/// A trail that leads to an error, with all its moves.
pub(crate) struct RecordedTrail {
    pub(crate) given: GivenTrail,
    /// The trail, executed.
    pub(crate) replay: TrailReplay,
}

/// Keeps the stored states of a replay.
#[derive(Default)]
struct StateRecorder(Vec<StoredState>);

impl ReplayObserver for StateRecorder {
    fn on_stored(&mut self, state: &DecodedState, moves: usize) {
        self.0.push(StoredState { state: state.bytes.clone(), moves });
    }
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
    let replayed = execute(machine, trail, StateRecorder::default);
    let (StateRecorder(stored), end) = replayed.map_err(never_stopped)?;
    let Some((found, steps)) = error_at(machine, trail, wanted, &stored, &end) else {
        return Ok(None);
    };
    let stored = stored.into_iter().filter(|stored| is_before(found, steps, stored.moves));
    Ok(Some(GivenTrail { states: stored.map(|stored| stored.state).collect(), found, steps }))
}

/// The same, with all moves: each holds a whole state, so this is for trails of bounded length.
///
/// # Errors
///
/// When the trail is not one of this machine.
pub(super) fn follow_moves(
    machine: &Machine<'_>,
    trail: &Trail,
    wanted: SearchTarget,
) -> Result<Option<RecordedTrail>, TrailError> {
    let replayed = execute(machine, trail, TrailRecorder::default);
    let (recorder, end) = replayed.map_err(never_stopped)?;
    let replay = recorder.replay(end);
    let TrailReplay { stored, end, .. } = &replay;
    let Some((found, steps)) = error_at(machine, trail, wanted, stored, end) else {
        return Ok(None);
    };
    let stored = stored.iter().filter(|stored| is_before(found, steps, stored.moves));
    let states = stored.map(|stored| stored.state.clone()).collect();
    Ok(Some(RecordedTrail { given: GivenTrail { states, found, steps }, replay }))
}

/// What is wrong with an executed trail and wanted, and after how many moves.
fn error_at(
    machine: &Machine<'_>,
    trail: &Trail,
    wanted: SearchTarget,
    stored: &[StoredState],
    replay: &ReplayEnd,
) -> Option<(FindingKind, usize)> {
    let end = replay.moves;
    // With a claim, it is the claim that matters.
    if trail.claim.is_some() {
        let edge = trail.lines.last().map_or(0, |line| line.edge.0);
        let fault = Fault { kind: FaultKind::Claim, site: SiteId(edge) };
        return replay.claim_violated.then_some((FindingKind::Fault(fault), end));
    }
    let broken_at = |state: &[u8]| {
        let now = machine.decode(state);
        let is_wanted = |&number: &usize| wanted.includes(FindingKind::Invariant(number as u32));
        let mut numbers = (0..machine.invariants().len()).filter(is_wanted);
        numbers.find(|&number| !machine.holds(number, &now))
    };
    let broken = || {
        stored.iter().find_map(|stored| {
            let number = broken_at(&stored.state)?;
            Some((FindingKind::Invariant(number as u32), stored.moves))
        })
    };
    let failed = |taken: TakenMove, step: usize| {
        let fault = Fault { kind: taken.fault?, site: SiteId(taken.edge.0) };
        Some((FindingKind::Fault(fault), step))
    };
    let stuck = replay.deadlock.then_some((FindingKind::Deadlock, end));
    // What a trail ends with is what it is about; SPIN goes on behind some faults.
    let earlier = || replay.fault.and_then(|(step, taken)| failed(taken, step));
    let is_wanted = |&(kind, _): &(FindingKind, usize)| wanted.includes(kind);
    let last = replay.last.and_then(|taken| failed(taken, end));
    let at_end = last.filter(is_wanted).or(stuck.filter(is_wanted));
    let at_end = at_end.or_else(|| broken().filter(is_wanted));
    at_end.or_else(|| earlier().filter(is_wanted))
}

/// Whether a state with this number of moves before it lies on the way to a finding after
/// `steps` moves. A fault lies behind the last state, a claim's in it.
fn is_before(found: FindingKind, steps: usize, moves: usize) -> bool {
    match found {
        FindingKind::Fault(fault) if fault.kind != FaultKind::Claim => moves < steps,
        _ => moves <= steps,
    }
}
