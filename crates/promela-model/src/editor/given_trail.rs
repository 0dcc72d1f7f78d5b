//! A trail of the user, as a path of stored states.

use std::ops::ControlFlow;

use beeline_engine::interpreter::{DecodedState, Machine, Move};
use beeline_engine::trail::{ReplayEnd, ReplayObserver, TakenMove};
use beeline_kernel::{Fault, FaultKind, SiteId, StatePath, Trail, TrailError};
use beeline_search::{FindingKind, SearchTarget};

use super::steps::{RecordedStep, StepGroup, bounds};

use crate::story::{execute, never_stopped};

/// A replayed trail with its error.
pub(crate) struct GivenTrail {
    /// The states that a search stores, up to the one with the error or before the failing step.
    pub(crate) states: StatePath,
    pub(crate) found: FindingKind,
    /// How many of its steps lead there.
    pub(crate) steps: usize,
}

/// A trail that leads to an error, with its steps.
pub(crate) struct RecordedTrail {
    pub(crate) given: GivenTrail,
    /// All steps of the trail.
    pub(super) steps: Vec<RecordedStep>,
    /// The number of steps before each state that a search stores.
    stored: Vec<usize>,
}

impl RecordedTrail {
    /// The steps up to the error, grouped by the states that a search stores.
    pub(super) fn groups(&self) -> Vec<StepGroup> {
        let bounds = bounds(self.stored.iter().copied(), self.given.steps);
        bounds.into_iter().map(|bounds| self.steps[bounds].to_vec()).collect()
    }
}

/// Keeps the stored states of a replay.
#[derive(Default)]
struct StateRecorder {
    states: StatePath,
    /// The number of moves before each of them.
    moves: Vec<usize>,
}

impl ReplayObserver for StateRecorder {
    fn on_stored(&mut self, state: &DecodedState, moves: usize) {
        self.states.push(&state.bytes);
        self.moves.push(moves);
    }
}

/// Keeps the stored states and the steps of a replay.
struct StepRecorder<'a> {
    machine: &'a Machine<'a>,
    stored: StateRecorder,
    steps: Vec<RecordedStep>,
}

impl ReplayObserver for StepRecorder<'_> {
    fn on_move(&mut self, before: &DecodedState, step: &Move) -> ControlFlow<()> {
        self.steps.push(RecordedStep::of(self.machine, before, step));
        ControlFlow::Continue(())
    }

    fn on_stored(&mut self, state: &DecodedState, moves: usize) {
        self.stored.on_stored(state, moves);
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
    let (stored, end) = replayed.map_err(never_stopped)?;
    Ok(given_trail(machine, trail, wanted, stored, &end))
}

/// The same, with the steps of the trail.
///
/// # Errors
///
/// When the trail is not one of this machine.
pub(super) fn follow_steps(
    machine: &Machine<'_>,
    trail: &Trail,
    wanted: SearchTarget,
) -> Result<Option<RecordedTrail>, TrailError> {
    let recorder = || StepRecorder { machine, stored: StateRecorder::default(), steps: Vec::new() };
    let (recorder, end) = execute(machine, trail, recorder).map_err(never_stopped)?;
    let (steps, stored) = (recorder.steps, recorder.stored.moves.clone());
    let given = given_trail(machine, trail, wanted, recorder.stored, &end);
    Ok(given.map(|given| RecordedTrail { given, steps, stored }))
}

/// The way along the stored states of an executed trail to what is wrong with it and wanted.
fn given_trail(
    machine: &Machine<'_>,
    trail: &Trail,
    wanted: SearchTarget,
    stored: StateRecorder,
    end: &ReplayEnd,
) -> Option<GivenTrail> {
    let (found, steps) = error_at(machine, trail, wanted, &stored, end)?;
    let StateRecorder { mut states, moves } = stored;
    // The numbers of moves never decrease.
    states.truncate(moves.partition_point(|&moves| is_before(found, steps, moves)));
    Some(GivenTrail { states, found, steps })
}

/// What is wrong with an executed trail and wanted, and after how many moves.
fn error_at(
    machine: &Machine<'_>,
    trail: &Trail,
    wanted: SearchTarget,
    stored: &StateRecorder,
    replay: &ReplayEnd,
) -> Option<(FindingKind, usize)> {
    let end = replay.moves;
    // With a claim, it is the claim that matters.
    if trail.claim.is_some() {
        let edge = trail.lines.last().map_or(0, |line| line.edge.0);
        let fault = Fault { kind: FaultKind::Claim, site: SiteId(edge) };
        return replay.is_claim_violated().then_some((FindingKind::Fault(fault), end));
    }
    let broken_at = |state: &[u8]| {
        let now = machine.decode(state);
        let is_wanted = |&number: &usize| wanted.includes(FindingKind::Invariant(number as u32));
        let mut numbers = (0..machine.invariants().len()).filter(is_wanted);
        numbers.find(|&number| !machine.holds(number, &now))
    };
    let broken = || {
        stored.states.iter().zip(&stored.moves).find_map(|(state, &moves)| {
            let number = broken_at(&state)?;
            Some((FindingKind::Invariant(number as u32), moves))
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
