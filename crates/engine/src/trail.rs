//! Trails of a machine: the trail of some moves, and the replay of a trail.

use beeline_kernel::{EdgeId, FaultKind, StepMismatch, Trail, TrailError, TrailLine};

use crate::claim::Claim;
use crate::interpreter::{DecodedState, Machine, Move};

/// The lines of some moves; a rendezvous has two, sender first.
pub fn trail_lines<'a>(
    moves: impl IntoIterator<Item = &'a Move>,
) -> impl Iterator<Item = TrailLine> {
    moves.into_iter().flat_map(|step| {
        let own = TrailLine { pid: step.pid, edge: step.edge };
        let partner = step.partner.map(|(pid, edge)| TrailLine { pid, edge });
        std::iter::once(own).chain(partner)
    })
}

/// The trail of some moves.
pub fn trail_of<'a>(moves: impl IntoIterator<Item = &'a Move>, merged: bool) -> Trail {
    Trail { merged, lines: trail_lines(moves).collect(), ..Trail::default() }
}

/// A state that a search stores.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredState {
    /// Its bytes.
    pub state: Vec<u8>,
    /// After so many moves.
    pub moves: usize,
}

impl StoredState {
    fn new(now: &DecodedState, moves: usize) -> StoredState {
        StoredState { state: now.bytes.clone(), moves }
    }
}

/// A trail executed again.
#[derive(Clone, Debug)]
pub struct TrailReplay {
    /// The moves, in order; each holds the state after it.
    pub moves: Vec<Move>,
    /// The states on the way that a search stores, the initial one included: those that
    /// are not inside of an atomic sequence. Where a claim of the machine takes part, it is
    /// at its place in them.
    pub stored: Vec<StoredState>,
    /// Which of them the cycle begins with, if the trail is a lasso. The last one is that
    /// state again if it really is.
    pub cycle: Option<usize>,
    /// The state at the end.
    pub end: DecodedState,
    /// What went wrong on the way, and after how many moves.
    pub fault: Option<(usize, FaultKind)>,
    /// Nobody can move at the end, and somebody should.
    pub deadlock: bool,
    /// The claim that took part has seen what must not happen.
    pub claim_violated: bool,
}

impl Machine<'_> {
    /// Executes a trail, believing nothing: each step must be possible where it stands.
    /// What a claim does that is not the machine's is left out.
    ///
    /// # Errors
    ///
    /// When a step is not.
    pub fn replay(&self, trail: &Trail) -> Result<TrailReplay, TrailError> {
        let impossible = |step: usize, line, mismatch| {
            Err(TrailError::Impossible { step: step + 1, line, mismatch })
        };
        let first = trail.lines.first().copied().unwrap_or(TrailLine { pid: 0, edge: EdgeId(0) });
        let Ok(mut end) = self.initial() else {
            return impossible(0, first, StepMismatch::InitialFault);
        };
        let mut moves: Vec<Move> = Vec::new();
        let mut fault = None;
        let mut at = 0;
        let written = trail.claim.and_then(|number| self.never(number));
        let follows = written.is_some() && self.claim().and_then(Claim::written) == written;
        let first_pid = usize::from(trail.claim.is_some());
        let mut claim_violated = false;
        let mut stored = vec![StoredState::new(&end, 0)];
        let mut cycle = None;
        // Whether the claim has moved since.
        let mut claimed = false;
        loop {
            if trail.cycle_start == Some(at) && cycle.is_none() {
                self.release(&mut end, &mut stored, moves.len());
                if claimed {
                    stored.push(StoredState::new(&end, moves.len()));
                    claimed = false;
                }
                cycle = Some(stored.len() - 1);
            }
            let Some(&line) = trail.lines.get(at) else { break };
            // Where the system is stuck, SPIN writes a line behind the end of the claim.
            if claim_violated {
                break;
            }
            if first_pid == 1 && line.pid == 0 {
                if !follows {
                    at += 1;
                    continue;
                }
                self.release(&mut end, &mut stored, moves.len());
                let rest = trail.lines[at..].iter().map(|line| line.edge);
                let taken = self.claim_moves(&end).find(|step| {
                    rest.clone().take(step.edges.len()).eq(step.edges.iter().copied())
                });
                let Some(taken) = taken else {
                    return impossible(at, line, StepMismatch::Blocked);
                };
                // The system stayed where it was.
                if claimed {
                    stored.push(StoredState::new(&end, moves.len()));
                }
                at += taken.edges.len();
                claim_violated |= taken.violated;
                let to = taken.to;
                end.set_claim(to);
                claimed = true;
                continue;
            }
            let partner = trail.lines.get(at + 1);
            let is_meant = |step: &Move| {
                step.pid + first_pid == line.pid
                    && step.edge == line.edge
                    && step.partner.is_none_or(|(pid, edge)| {
                        partner.is_some_and(|line| line.pid == pid + first_pid && line.edge == edge)
                    })
            };
            let pid = line.pid.wrapping_sub(first_pid);
            let may_move =
                pid < end.process_count() && end.exclusive().is_none_or(|one| one == pid);
            let own = if may_move { self.steps_of(&end, pid) } else { Vec::new() };
            // What a process can do by itself is enough, as nearly always.
            let taken = own.into_iter().find(is_meant).or_else(|| {
                let found = loop {
                    match self.moves(&end) {
                        Ok(found) => break found,
                        Err(released) => {
                            end = *released;
                            stored.push(StoredState::new(&end, moves.len()));
                        }
                    }
                };
                found.moves.into_iter().find(is_meant)
            });
            let Some(taken) = taken else {
                let pid = line.pid.saturating_sub(first_pid);
                return impossible(at, line, self.mismatch(&end, TrailLine { pid, ..line }));
            };
            at += 1 + usize::from(taken.partner.is_some());
            if let Some(kind) = taken.fault
                && fault.is_none()
            {
                fault = Some((moves.len() + 1, kind));
            }
            end = taken.next.clone();
            moves.push(taken);
            if end.exclusive().is_none() {
                stored.push(StoredState::new(&end, moves.len()));
                claimed = false;
            }
        }
        if claimed && !claim_violated {
            stored.push(StoredState::new(&end, moves.len()));
        }
        let deadlock = loop {
            match self.moves(&end) {
                Ok(found) => break found.deadlock,
                Err(released) => {
                    end = *released;
                    stored.push(StoredState::new(&end, moves.len()));
                }
            }
        };
        Ok(TrailReplay { moves, stored, cycle, end, fault, deadlock, claim_violated })
    }

    /// Takes exclusive control from a process that cannot move: where a claim moves and where
    /// a cycle begins, nobody has it.
    fn release(&self, end: &mut DecodedState, stored: &mut Vec<StoredState>, moves: usize) {
        while end.exclusive().is_some() {
            let Err(released) = self.moves(end) else { break };
            *end = *released;
            stored.push(StoredState::new(end, moves));
        }
    }

    /// Why a step is not among the moves of a state.
    fn mismatch(&self, now: &DecodedState, line: TrailLine) -> StepMismatch {
        if line.pid >= now.process_count() {
            return StepMismatch::Process;
        }
        let edges = self.automaton(now.process(line.pid)).edges_from(now.location(line.pid));
        let there = edges.iter().any(|edge| edge.id == line.edge);
        if there { StepMismatch::Blocked } else { StepMismatch::Edge }
    }
}
