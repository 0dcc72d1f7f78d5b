//! Replay: turns a finding into a confirmed trail.

use beeline_engine::claim::Origin;
use beeline_engine::interpreter::{Machine, Move};
use beeline_engine::trail::trail_lines;
use beeline_kernel::{StatePath, Trail};
use beeline_model::{Certificate, CycleError, ErrorKind, Unconfirmed, Violation};
use beeline_search::FindingKind;

/// The kind of cycle that violates a claim.
pub(crate) fn cycle_error(claim: Origin) -> CycleError {
    match claim {
        Origin::Progress => CycleError::NonProgress,
        Origin::Formula(_) => CycleError::Formula,
        _ => CycleError::Acceptance,
    }
}

/// The trail along a path of states, and its number of moves. `way` tells how to get from one to
/// the next. Moves become lines at once: each holds a whole state.
pub(crate) fn trail_along(
    path: &StatePath,
    found: FindingKind,
    merged: bool,
    way: impl Fn(&[u8], &[u8]) -> Option<Vec<Move>>,
) -> Result<(Trail, usize), Unconfirmed> {
    let mut trail = Trail { merged, ..Trail::default() };
    let mut moves = 0;
    let mut pairs = path.pairs();
    while let Some((from, to)) = pairs.advance() {
        let lost = || lost(found, "no step leads from one state of the path to the next");
        let way = way(from, to).ok_or_else(lost)?;
        moves += way.len();
        trail.lines.extend(trail_lines(&way));
    }
    Ok((trail, moves))
}

fn lost(finding: FindingKind, why: &str) -> Unconfirmed {
    Unconfirmed { finding: Some(finding), why: why.to_owned() }
}

/// The violation at the end of a path of stored states, confirmed by executing its trail.
pub(crate) fn witness(
    machine: &Machine<'_>,
    path: &StatePath,
    found: FindingKind,
    merged: bool,
    between: impl Fn(&[u8], &[u8]) -> Option<Vec<Move>>,
    bound: &dyn Fn(u64) -> u64,
) -> Result<Violation, Unconfirmed> {
    let along = trail_along(path, found, merged, between)?;
    let last = path.last().expect("a path has its end");
    let transitions = path.transitions() as u64;
    confirm(machine, along, last, found, &|failing| bound(transitions + failing))
}

/// The violation in or behind the state to which a trail with this number of moves leads,
/// confirmed by executing it from the initial state. `bound` tells how few steps any trail can
/// have, from how many moves there were to be added.
pub(crate) fn confirm(
    machine: &Machine<'_>,
    (mut trail, mut moves): (Trail, usize),
    last: &[u8],
    found: FindingKind,
    bound: &dyn Fn(u64) -> u64,
) -> Result<Violation, Unconfirmed> {
    let lost = |why: &str| lost(found, why);
    let mut added = 0;
    let error = match found {
        FindingKind::Deadlock => ErrorKind::InvalidEnd,
        FindingKind::Invariant(invariant) => ErrorKind::Invariant(invariant),
        FindingKind::Fault(fault) => {
            let way = machine.moves_to_fault(last, fault);
            let way = way.ok_or_else(|| lost("the replay does not find the failing step"))?;
            moves += way.len();
            trail.lines.extend(trail_lines(&way));
            added = 1;
            ErrorKind::Fault(fault.kind)
        }
    };
    let replay = machine.replay_with(&trail, &mut ());
    let replay = replay.map_err(|error| lost(&error.to_string()))?;
    let confirmed = match error {
        ErrorKind::InvalidEnd => replay.deadlock,
        ErrorKind::Invariant(invariant) => !machine.holds(invariant as usize, &replay.state),
        ErrorKind::ErrorState
        | ErrorKind::Reached
        | ErrorKind::Unreachable
        | ErrorKind::RunFound
        | ErrorKind::NoRun
        | ErrorKind::Formula
        | ErrorKind::BranchingFormula
        | ErrorKind::Cycle(_) => false,
        ErrorKind::Fault(kind) => replay.last.is_some_and(|last| last.fault == Some(kind)),
    };
    if !confirmed || replay.moves != moves {
        return Err(lost("the replayed trail does not reach the error"));
    }
    let length = Certificate::new(moves as u64, bound(added));
    Ok(Violation { error, trail, length, cycle: None })
}
