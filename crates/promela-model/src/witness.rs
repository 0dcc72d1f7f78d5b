//! Replay: turns a finding into a confirmed trail.

use beeline_engine::claim::Origin;
use beeline_engine::interpreter::{Machine, Move};
use beeline_engine::trail::trail_of;
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

/// The moves along a path of states. `way` computes the moves between two consecutive states.
pub(crate) fn moves_along(
    path: &[Vec<u8>],
    found: FindingKind,
    way: impl Fn(&[u8], &[u8]) -> Option<Vec<Move>>,
) -> Result<Vec<Move>, Unconfirmed> {
    let mut moves: Vec<Move> = Vec::new();
    for pair in path.windows(2) {
        let lost = || lost(found, "two neighbouring states are not connected");
        moves.extend(way(&pair[0], &pair[1]).ok_or_else(lost)?);
    }
    Ok(moves)
}

fn lost(finding: FindingKind, why: &str) -> Unconfirmed {
    Unconfirmed { finding: Some(finding), why: why.to_owned() }
}

/// The violation at the end of a path of stored states, confirmed by executing its trail.
pub(crate) fn witness(
    machine: &Machine<'_>,
    path: &[Vec<u8>],
    found: FindingKind,
    merged: bool,
    between: impl Fn(&[u8], &[u8]) -> Option<Vec<Move>>,
    bound: &dyn Fn(u64) -> u64,
) -> Result<Violation, Unconfirmed> {
    let moves = moves_along(path, found, between)?;
    let last = path.last().expect("a path has its end");
    let transitions = path.len() as u64 - 1;
    confirm(machine, moves, last, found, merged, &|failing| bound(transitions + failing))
}

/// The violation in the state after some moves, or in the step that fails there, confirmed by
/// executing the moves from the initial state. `bound` maps the number of added moves (1 for a
/// fault) to a lower bound for the steps of any trail.
pub(crate) fn confirm(
    machine: &Machine<'_>,
    mut moves: Vec<Move>,
    last: &[u8],
    found: FindingKind,
    merged: bool,
    bound: &dyn Fn(u64) -> u64,
) -> Result<Violation, Unconfirmed> {
    let lost = |why: &str| lost(found, why);
    let mut added = 0;
    let error = match found {
        FindingKind::Deadlock => ErrorKind::InvalidEnd,
        FindingKind::Invariant(invariant) => ErrorKind::Invariant(invariant),
        FindingKind::Fault(fault) => {
            let way = machine.moves_to_fault(last, fault);
            moves.extend(way.ok_or_else(|| lost("the failing step cannot be found again"))?);
            added = 1;
            ErrorKind::Fault(fault.kind)
        }
    };
    let trail = trail_of(&moves, merged);
    let replay = machine.replay(&trail).map_err(|error| lost(&error.to_string()))?;
    let confirmed = match error {
        ErrorKind::InvalidEnd => replay.deadlock,
        ErrorKind::Invariant(invariant) => !machine.holds(invariant as usize, &replay.end),
        ErrorKind::ErrorState | ErrorKind::Formula | ErrorKind::Cycle(_) => false,
        ErrorKind::Fault(kind) => replay.moves.last().is_some_and(|last| last.fault == Some(kind)),
    };
    if !confirmed || replay.moves.len() != moves.len() {
        return Err(lost("the trail leads elsewhere when it is executed again"));
    }
    let length = Certificate::new(moves.len() as u64, bound(added));
    Ok(Violation { error, trail, length, cycle: None })
}
