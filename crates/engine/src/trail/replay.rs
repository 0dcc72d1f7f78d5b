//! Replay: executes a trail file step by step on the interpreter.
//!
//! Every step must be enabled in the state that the previous steps lead to. Steps of a claim that
//! is not the machine's are skipped.

use beeline_kernel::{EdgeId, FaultKind, StepMismatch, Trail, TrailError, TrailLine};

use crate::claim::Claim;
use crate::interpreter::{DecodedState, Machine, Move};

/// A state that a search stores.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredState {
    /// Its bytes.
    pub state: Vec<u8>,
    /// The number of moves before it.
    pub moves: usize,
}

/// A replayed trail.
#[derive(Clone, Debug)]
pub struct TrailReplay {
    /// The moves, in order; each holds the state after it.
    pub moves: Vec<Move>,
    /// The states along the trail that a search stores, from the initial one on: those outside
    /// atomic sequences. If the claim of the machine takes part, they contain its state.
    pub stored: Vec<StoredState>,
    /// The index of the stored state with which the cycle begins, if the trail is a lasso.
    /// The last stored state equals it if the cycle is closed.
    pub cycle: Option<usize>,
    /// The state at the end.
    pub end: DecodedState,
    /// The first fault, and the number of moves up to it.
    pub fault: Option<(usize, FaultKind)>,
    /// Whether the last state is a deadlock: no process can move, and some process is not at a
    /// valid end.
    pub deadlock: bool,
    /// Whether the claim of the trail is violated.
    pub claim_violated: bool,
}

impl Machine<'_> {
    /// Executes a trail.
    ///
    /// # Errors
    ///
    /// When a step is not enabled.
    pub fn replay(&self, trail: &Trail) -> Result<TrailReplay, TrailError> {
        Replayer::new(self, trail)?.run()
    }
}

/// A replay in progress.
struct Replayer<'r, 'm> {
    machine: &'r Machine<'m>,
    trail: &'r Trail,
    /// The number of the first process in the lines of the trail: 1 if a claim is 0.
    first_pid: usize,
    /// Whether the claim of the trail is the machine's, and moves with it.
    follows_claim: bool,
    /// The next line.
    at: usize,
    /// Whether the claim has moved since the last stored state.
    claim_moved: bool,
    done: TrailReplay,
}

fn impossible(at: usize, line: TrailLine, mismatch: StepMismatch) -> TrailError {
    TrailError::Impossible { step: at + 1, line, mismatch }
}

impl<'r, 'm> Replayer<'r, 'm> {
    fn new(machine: &'r Machine<'m>, trail: &'r Trail) -> Result<Self, TrailError> {
        let first = trail.lines.first().copied().unwrap_or(TrailLine { pid: 0, edge: EdgeId(0) });
        let Ok(end) = machine.initial() else {
            return Err(impossible(0, first, StepMismatch::InitialFault));
        };
        let written = trail.claim.and_then(|number| machine.never(number));
        Ok(Replayer {
            machine,
            trail,
            first_pid: usize::from(trail.claim.is_some()),
            follows_claim: written.is_some() && machine.claim().and_then(Claim::written) == written,
            at: 0,
            claim_moved: false,
            done: TrailReplay {
                moves: Vec::new(),
                stored: vec![StoredState { state: end.bytes.clone(), moves: 0 }],
                cycle: None,
                end,
                fault: None,
                deadlock: false,
                claim_violated: false,
            },
        })
    }

    fn run(mut self) -> Result<TrailReplay, TrailError> {
        loop {
            if self.trail.cycle_start == Some(self.at) && self.done.cycle.is_none() {
                self.begin_cycle();
            }
            let Some(&line) = self.trail.lines.get(self.at) else { break };
            // If the system is stuck, SPIN writes a line after the end of the claim.
            if self.done.claim_violated {
                break;
            }
            if self.first_pid == 1 && line.pid == 0 {
                self.claim_line(line)?;
            } else {
                self.process_line(line)?;
            }
        }
        if self.claim_moved && !self.done.claim_violated {
            self.store();
        }
        self.done.deadlock = self.moves_after_release().1;
        Ok(self.done)
    }

    /// Appends the current state to the stored ones.
    fn store(&mut self) {
        let state = self.done.end.bytes.clone();
        self.done.stored.push(StoredState { state, moves: self.done.moves.len() });
    }

    fn begin_cycle(&mut self) {
        self.release();
        if self.claim_moved {
            self.store();
            self.claim_moved = false;
        }
        self.done.cycle = Some(self.done.stored.len() - 1);
    }

    /// Executes a move of the claim: the next lines that are its edges.
    fn claim_line(&mut self, line: TrailLine) -> Result<(), TrailError> {
        if !self.follows_claim {
            self.at += 1;
            return Ok(());
        }
        self.release();
        let rest = self.trail.lines[self.at..].iter().map(|line| line.edge);
        let taken = self
            .machine
            .claim_moves(&self.done.end)
            .find(|step| rest.clone().take(step.edges.len()).eq(step.edges.iter().copied()));
        let Some(taken) = taken else {
            return Err(impossible(self.at, line, StepMismatch::Blocked));
        };
        let (edges, violated, to) = (taken.edges.len(), taken.violated, taken.to);
        // The system did not move in between.
        if self.claim_moved {
            self.store();
        }
        self.at += edges;
        self.done.claim_violated |= violated;
        self.done.end.set_claim(to);
        self.claim_moved = true;
        Ok(())
    }

    /// Executes a move of a process, with the line of its partner in a rendezvous.
    fn process_line(&mut self, line: TrailLine) -> Result<(), TrailError> {
        let (first_pid, partner) = (self.first_pid, self.trail.lines.get(self.at + 1));
        let matches = |step: &Move| {
            step.pid + first_pid == line.pid
                && step.edge == line.edge
                && step.partner.is_none_or(|(pid, edge)| {
                    partner.is_some_and(|line| line.pid == pid + first_pid && line.edge == edge)
                })
        };
        let end = &self.done.end;
        let pid = line.pid.wrapping_sub(first_pid);
        let may_move = pid < end.process_count() && end.exclusive().is_none_or(|one| one == pid);
        let own = if may_move { self.machine.steps_of(end, pid) } else { Vec::new() };
        // The moves of the process alone nearly always suffice; a timeout needs all moves.
        let taken = own.into_iter().find(matches);
        let taken = taken.or_else(|| self.moves_after_release().0.into_iter().find(matches));
        let Some(taken) = taken else {
            let pid = line.pid.saturating_sub(first_pid);
            let mismatch = self.mismatch(TrailLine { pid, ..line });
            return Err(impossible(self.at, line, mismatch));
        };
        self.at += 1 + usize::from(taken.partner.is_some());
        if let Some(kind) = taken.fault
            && self.done.fault.is_none()
        {
            self.done.fault = Some((self.done.moves.len() + 1, kind));
        }
        self.done.end = taken.next.clone();
        self.done.moves.push(taken);
        if self.done.end.exclusive().is_none() {
            self.store();
            self.claim_moved = false;
        }
        Ok(())
    }

    /// The moves of the current state, and whether it is a deadlock. A process that has
    /// exclusive control but cannot move loses control first.
    fn moves_after_release(&mut self) -> (Vec<Move>, bool) {
        loop {
            match self.machine.moves(&self.done.end) {
                Ok(found) => return (found.moves, found.deadlock),
                Err(released) => {
                    self.done.end = *released;
                    self.store();
                }
            }
        }
    }

    /// Releases exclusive control of a process that cannot move: when a claim moves, and when a
    /// cycle begins, no process has exclusive control.
    fn release(&mut self) {
        while self.done.end.exclusive().is_some() {
            let Err(released) = self.machine.moves(&self.done.end) else { break };
            self.done.end = *released;
            self.store();
        }
    }

    /// Why a step is not among the moves of the current state.
    fn mismatch(&self, line: TrailLine) -> StepMismatch {
        let now = &self.done.end;
        if line.pid >= now.process_count() {
            return StepMismatch::Process;
        }
        let automaton = self.machine.automaton(now.process(line.pid));
        let edges = automaton.edges_from(now.location(line.pid));
        let exists = edges.iter().any(|edge| edge.id == line.edge);
        if exists { StepMismatch::Blocked } else { StepMismatch::Edge }
    }
}
