//! From a finding to a trail that has been executed again.

use beeline_engine::claim::Origin;
use beeline_engine::interpreter::{Machine, Move};
use beeline_engine::trail::TrailFile;
use beeline_kernel::FaultKind;
use beeline_search::{ExplorationOrder, FindingKind};
use std::fmt;

use crate::check::CheckError;

/// What is wrong at the end of a trail.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ErrorKind {
    /// Nobody can move, and somebody does not rest where resting is allowed.
    InvalidEnd,
    /// The last step failed.
    Fault(FaultKind),
    /// This invariant of the machine does not hold.
    Broken(u32),
    /// Whatever comes, this formula cannot be true any more.
    Formula,
    /// It goes round for ever, as it must not.
    Cycle(CycleError),
}

/// What is wrong with a cycle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CycleError {
    /// It passes an accepting state.
    Acceptance,
    /// It makes no progress.
    NonProgress,
    /// It is what a formula says must not happen.
    Formula,
}

impl CycleError {
    /// What a cycle is that a claim objects to.
    pub(crate) fn of(claim: Origin) -> CycleError {
        match claim {
            Origin::Progress => CycleError::NonProgress,
            Origin::Formula(_) => CycleError::Formula,
            _ => CycleError::Acceptance,
        }
    }
}

impl fmt::Display for ErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ErrorKind::InvalidEnd => f.write_str("invalid end state"),
            ErrorKind::Fault(kind) => kind.fmt(f),
            ErrorKind::Broken(_) => f.write_str("invariant violated"),
            ErrorKind::Formula => f.write_str("formula violated"),
            ErrorKind::Cycle(CycleError::Acceptance) => f.write_str("acceptance cycle"),
            ErrorKind::Cycle(CycleError::NonProgress) => f.write_str("non-progress cycle"),
            ErrorKind::Cycle(CycleError::Formula) => f.write_str("formula violated by a cycle"),
        }
    }
}

/// A violation, with the way there.
#[derive(Clone, Debug)]
pub struct Violation {
    /// What is wrong.
    pub error: ErrorKind,
    /// The trail. It was replayed.
    pub trail: TrailFile,
    /// Its length: moves of one process each, or of two that meet in a rendezvous.
    pub steps: u64,
    /// No trail to the same violation has fewer steps than this.
    pub lower_bound: u64,
    /// How many of the steps are the cycle that goes on for ever, if there is one.
    pub cycle: Option<u64>,
}

impl Violation {
    /// Whether the trail is proved to be a shortest one.
    pub fn is_shortest(&self) -> bool {
        self.steps <= self.lower_bound
    }

    /// Whether the cycle is one in which nothing happens: nobody can move any more.
    pub fn stays(&self) -> bool {
        let TrailFile { lines, cycle_start, claim, .. } = &self.trail;
        let is_claim = |pid: usize| claim.is_some() && pid == 0;
        cycle_start.is_some_and(|start| lines[start..].iter().all(|line| is_claim(line.pid)))
    }
}

/// The moves along a path of states. `way` tells how to get from one to the next.
pub(crate) fn moves_along(
    path: &[Vec<u8>],
    found: FindingKind,
    way: impl Fn(&[u8], &[u8]) -> Option<Vec<Move>>,
) -> Result<Vec<Move>, CheckError> {
    let mut moves: Vec<Move> = Vec::new();
    for pair in path.windows(2) {
        let lost = || lost(found, "two neighbouring states are not connected");
        moves.extend(way(&pair[0], &pair[1]).ok_or_else(lost)?);
    }
    Ok(moves)
}

fn lost(finding: FindingKind, why: &str) -> CheckError {
    CheckError::Unconfirmed { finding, why: why.to_owned() }
}

/// The violation at the end of a path of stored states, confirmed by executing its trail.
pub(crate) fn witness(
    machine: &Machine<'_>,
    path: &[Vec<u8>],
    found: FindingKind,
    merged: bool,
    bound: impl Fn(u64) -> u64,
) -> Result<Violation, CheckError> {
    let moves = moves_along(path, found, |from, to| machine.moves_to(from, to))?;
    let last = path.last().expect("a path has its end");
    let stored_moves = path.len() as u64 - 1;
    confirm(machine, moves, last, found, merged, |failing| bound(stored_moves + failing))
}

/// The violation in or behind the state to which some moves lead, confirmed by executing
/// them from the initial state. `bound` tells how few steps any trail can have, from how
/// many moves there were to be added.
pub(crate) fn confirm(
    machine: &Machine<'_>,
    mut moves: Vec<Move>,
    last: &[u8],
    found: FindingKind,
    merged: bool,
    bound: impl Fn(u64) -> u64,
) -> Result<Violation, CheckError> {
    let lost = |why: &str| lost(found, why);
    let mut added = 0;
    let error = match found {
        FindingKind::Deadlock => ErrorKind::InvalidEnd,
        FindingKind::Invariant(invariant) => ErrorKind::Broken(invariant),
        FindingKind::Fault(fault) => {
            let way = machine.moves_to_fault(last, fault);
            moves.extend(way.ok_or_else(|| lost("the failing step cannot be found again"))?);
            added = 1;
            ErrorKind::Fault(fault.kind)
        }
    };
    let trail = TrailFile::of(&moves, merged);
    let replay = machine.replay(&trail).map_err(|error| lost(&error.to_string()))?;
    let confirmed = match error {
        ErrorKind::InvalidEnd => replay.deadlock,
        ErrorKind::Broken(invariant) => !machine.holds(invariant as usize, &replay.end),
        ErrorKind::Formula | ErrorKind::Cycle(_) => false,
        ErrorKind::Fault(kind) => replay.moves.last().is_some_and(|last| last.fault == Some(kind)),
    };
    if !confirmed || replay.moves.len() != moves.len() {
        return Err(lost("the trail leads elsewhere when it is executed again"));
    }
    let steps = moves.len() as u64;
    let lower_bound = bound(added).min(steps);
    Ok(Violation { error, trail, steps, lower_bound, cycle: None })
}

/// How few steps a trail can have when blind search in this order found one with so many
/// moves. Breadth-first search finds the fewest moves between stored states, each of which
/// is at least one step: so no trail has fewer steps than that. With as many steps as
/// moves, the bound is met. Other orders only know that the initial state is fine: it has
/// been expanded before the others.
pub(crate) fn blind_bound(order: ExplorationOrder, stored_moves: u64) -> u64 {
    match order {
        ExplorationOrder::Breadth => stored_moves,
        ExplorationOrder::Depth | ExplorationOrder::RandomDepth { .. } => stored_moves.min(1),
    }
}
