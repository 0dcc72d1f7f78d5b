//! Replay: executes a trail file step by step on the interpreter.
//!
//! The replay trusts nothing: every step must be possible in the state that the steps before
//! it lead to. Steps of a claim that is not the machine's are skipped.
//!
//! A replay keeps one state, whatever the length of the trail: an observer sees the moves and the
//! stored states as they pass, and keeps what it needs. [`Machine::replay`] keeps all of them.

use std::fmt;
use std::ops::ControlFlow;

use beeline_kernel::{EdgeId, FaultKind, StepMismatch, Trail, TrailError, TrailLine};

use crate::claim::Claim;
use crate::interpreter::{DecodedState, Machine, Move};

/// Sees what happens in a replay.
pub trait ReplayObserver {
    /// A move, and the state that the move before it led to: the initial state for the first one.
    /// `Break` stops the replay.
    fn on_move(&mut self, before: &DecodedState, step: &Move) -> ControlFlow<()> {
        let _ = (before, step);
        ControlFlow::Continue(())
    }

    /// A state that a search stores, after this number of moves: the initial one, and those that
    /// are not inside an atomic sequence. If the machine has a claim that takes part, the state
    /// contains the claim's.
    fn on_stored(&mut self, state: &DecodedState, moves: usize) {
        let _ = (state, moves);
    }

    /// The cycle of a lasso begins with the last stored state.
    fn on_cycle(&mut self) {}
}

/// Sees nothing: for replays of which only the end matters.
impl ReplayObserver for () {}

/// How a replay ends.
#[derive(Clone, Debug)]
pub struct ReplayEnd {
    /// The number of moves.
    pub moves: usize,
    /// The number of stored states.
    pub stored: usize,
    /// The index of the stored state with which the cycle begins, if the trail is a lasso.
    /// The last stored state equals it if the cycle is closed.
    pub cycle: Option<usize>,
    /// The number of moves before that state.
    pub stem_moves: Option<usize>,
    /// The state at the end.
    pub state: DecodedState,
    /// The state before the last move: the initial one if there is no move.
    pub before_last: DecodedState,
    /// The state behind the last move, before exclusive control is lost and the claim moves.
    pub behind_last: DecodedState,
    /// The last move.
    pub last: Option<TakenMove>,
    /// The first move with a fault, and the number of moves up to it.
    pub fault: Option<(usize, TakenMove)>,
    /// No process can move at the end, and some process is not at a valid end.
    pub deadlock: bool,
    /// The state in which the claim that takes part reaches its end, with the last claim state.
    pub claim_end: Option<DecodedState>,
}

impl ReplayEnd {
    /// Whether the claim that takes part is violated.
    pub fn is_claim_violated(&self) -> bool {
        self.claim_end.is_some()
    }
}

/// A move without its state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TakenMove {
    /// The process that moved.
    pub pid: usize,
    /// Its edge.
    pub edge: EdgeId,
    /// The fault of the move.
    pub fault: Option<FaultKind>,
}

/// Why a replay has no end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ReplayError {
    /// A step is not possible where it stands.
    Trail(TrailError),
    /// The observer stopped it.
    Stopped,
}

impl fmt::Display for ReplayError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ReplayError::Trail(error) => error.fmt(f),
            ReplayError::Stopped => f.write_str("the replay was stopped"),
        }
    }
}

impl std::error::Error for ReplayError {}

impl From<TrailError> for ReplayError {
    fn from(error: TrailError) -> ReplayError {
        ReplayError::Trail(error)
    }
}

/// A state that a search stores.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredState {
    /// Its bytes.
    pub state: Vec<u8>,
    /// The number of moves before it.
    pub moves: usize,
}

/// A trail replayed, with every move and state: for trails that are edited.
#[derive(Clone, Debug)]
pub struct TrailReplay {
    /// The moves, in order; each holds the state after it.
    pub moves: Vec<Move>,
    /// The stored states along the trail, from the initial one on.
    pub stored: Vec<StoredState>,
    /// How it ends.
    pub end: ReplayEnd,
}

/// Keeps every move and every stored state.
#[derive(Debug, Default)]
pub struct TrailRecorder {
    moves: Vec<Move>,
    stored: Vec<StoredState>,
}

impl TrailRecorder {
    /// The replay that ended so.
    pub fn replay(self, end: ReplayEnd) -> TrailReplay {
        TrailReplay { moves: self.moves, stored: self.stored, end }
    }
}

impl ReplayObserver for TrailRecorder {
    fn on_move(&mut self, _: &DecodedState, step: &Move) -> ControlFlow<()> {
        self.moves.push(step.clone());
        ControlFlow::Continue(())
    }

    fn on_stored(&mut self, state: &DecodedState, moves: usize) {
        self.stored.push(StoredState { state: state.bytes.clone(), moves });
    }
}

impl Machine<'_> {
    /// Executes a trail, and keeps every move and every stored state.
    ///
    /// # Errors
    ///
    /// When a step is not enabled.
    pub fn replay(&self, trail: &Trail) -> Result<TrailReplay, TrailError> {
        let mut recorder = TrailRecorder::default();
        match self.replay_with(trail, &mut recorder) {
            Ok(end) => Ok(recorder.replay(end)),
            Err(ReplayError::Trail(error)) => Err(error),
            Err(ReplayError::Stopped) => unreachable!("a recorder stops nothing"),
        }
    }

    /// Executes a trail, and keeps one state.
    ///
    /// # Errors
    ///
    /// When a step is not possible where it stands, or the observer stops the replay.
    pub fn replay_with(
        &self,
        trail: &Trail,
        observer: &mut dyn ReplayObserver,
    ) -> Result<ReplayEnd, ReplayError> {
        Replayer::new(self, trail, observer)?.run()
    }
}

/// A replay in progress.
struct Replayer<'r, 'm> {
    machine: &'r Machine<'m>,
    trail: &'r Trail,
    observer: &'r mut dyn ReplayObserver,
    /// The number of the first process in the lines of the trail: 1 if a claim is 0.
    first_pid: usize,
    /// Whether the claim of the trail is the machine's, and moves with it.
    follows_claim: bool,
    /// The next line.
    at: usize,
    /// Whether the claim has moved since the last stored state.
    claim_moved: bool,
    /// The number of moves before the last stored state.
    stored_moves: usize,
    done: ReplayEnd,
}

fn impossible(at: usize, line: TrailLine, mismatch: StepMismatch) -> TrailError {
    TrailError::Impossible { step: at + 1, line, mismatch }
}

impl<'r, 'm> Replayer<'r, 'm> {
    fn new(
        machine: &'r Machine<'m>,
        trail: &'r Trail,
        observer: &'r mut dyn ReplayObserver,
    ) -> Result<Self, TrailError> {
        let first = trail.lines.first().copied().unwrap_or(TrailLine { pid: 0, edge: EdgeId(0) });
        let Ok(initial) = machine.initial() else {
            return Err(impossible(0, first, StepMismatch::InitialFault));
        };
        let written = trail.claim.and_then(|number| machine.never(number));
        let mut replayer = Replayer {
            machine,
            trail,
            observer,
            first_pid: usize::from(trail.claim.is_some()),
            follows_claim: written.is_some() && machine.claim().and_then(Claim::written) == written,
            at: 0,
            claim_moved: false,
            stored_moves: 0,
            done: ReplayEnd {
                moves: 0,
                stored: 0,
                cycle: None,
                stem_moves: None,
                before_last: initial.clone(),
                behind_last: initial.clone(),
                state: initial,
                last: None,
                fault: None,
                deadlock: false,
                claim_end: None,
            },
        };
        replayer.store();
        Ok(replayer)
    }

    fn run(mut self) -> Result<ReplayEnd, ReplayError> {
        loop {
            if self.trail.cycle_start == Some(self.at) && self.done.cycle.is_none() {
                self.begin_cycle();
            }
            let Some(&line) = self.trail.lines.get(self.at) else { break };
            // If the system is stuck, SPIN writes a line after the end of the claim.
            if self.done.is_claim_violated() {
                break;
            }
            if self.first_pid == 1 && line.pid == 0 {
                self.claim_line(line)?;
            } else {
                self.process_line(line)?;
            }
        }
        if self.claim_moved && !self.done.is_claim_violated() {
            self.store();
        }
        self.done.deadlock = self.moves_after_release().1;
        Ok(self.done)
    }

    /// Shows the current state as a stored one.
    fn store(&mut self) {
        self.observer.on_stored(&self.done.state, self.done.moves);
        self.done.stored += 1;
        self.stored_moves = self.done.moves;
    }

    fn begin_cycle(&mut self) {
        self.release();
        if self.claim_moved {
            self.store();
            self.claim_moved = false;
        }
        self.done.cycle = Some(self.done.stored - 1);
        self.done.stem_moves = Some(self.stored_moves);
        self.observer.on_cycle();
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
            .claim_moves(&self.done.state)
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
        if violated {
            self.done.claim_end = Some(self.done.state.clone());
        }
        self.done.state.set_claim(to);
        self.claim_moved = true;
        Ok(())
    }

    /// A move of a process, with the line of its partner in a rendezvous.
    fn process_line(&mut self, line: TrailLine) -> Result<(), ReplayError> {
        let (first_pid, partner) = (self.first_pid, self.trail.lines.get(self.at + 1));
        let matches = |step: &Move| {
            step.pid + first_pid == line.pid
                && step.edge == line.edge
                && step.partner.is_none_or(|(pid, edge)| {
                    partner.is_some_and(|line| line.pid == pid + first_pid && line.edge == edge)
                })
        };
        let now = &self.done.state;
        let pid = line.pid.wrapping_sub(first_pid);
        let may_move = pid < now.process_count() && now.exclusive().is_none_or(|one| one == pid);
        let own = if may_move { self.machine.steps_of(now, pid) } else { Vec::new() };
        // The moves of the process alone nearly always suffice; a timeout needs all moves.
        let taken = own.into_iter().find(matches);
        let taken = taken.or_else(|| self.moves_after_release().0.into_iter().find(matches));
        let Some(taken) = taken else {
            let pid = line.pid.saturating_sub(first_pid);
            let mismatch = self.mismatch(TrailLine { pid, ..line });
            return Err(impossible(self.at, line, mismatch).into());
        };
        self.at += 1 + usize::from(taken.partner.is_some());
        self.take(taken)
    }

    /// Makes a move.
    fn take(&mut self, step: Move) -> Result<(), ReplayError> {
        let done = &mut self.done;
        done.moves += 1;
        let taken = TakenMove { pid: step.pid, edge: step.edge, fault: step.fault };
        done.last = Some(taken);
        if step.fault.is_some() && done.fault.is_none() {
            done.fault = Some((done.moves, taken));
        }
        if self.observer.on_move(&done.behind_last, &step).is_break() {
            return Err(ReplayError::Stopped);
        }
        done.state.clone_from(&step.next);
        done.before_last = std::mem::replace(&mut done.behind_last, step.next);
        if self.done.state.exclusive().is_none() {
            self.store();
            self.claim_moved = false;
        }
        Ok(())
    }

    /// The moves of the current state, and whether it is a deadlock. A process that has
    /// exclusive control but cannot move loses control first.
    fn moves_after_release(&mut self) -> (Vec<Move>, bool) {
        loop {
            match self.machine.moves(&self.done.state) {
                Ok(found) => return (found.moves, found.deadlock),
                Err(released) => {
                    self.done.state = *released;
                    self.store();
                }
            }
        }
    }

    /// Releases exclusive control of a process that cannot move: when a claim moves, and when a
    /// cycle begins, no process has exclusive control.
    fn release(&mut self) {
        while self.done.state.exclusive().is_some() {
            let Err(released) = self.machine.moves(&self.done.state) else { break };
            self.done.state = *released;
            self.store();
        }
    }

    /// Why a step is not among the moves of the current state.
    fn mismatch(&self, line: TrailLine) -> StepMismatch {
        let now = &self.done.state;
        if line.pid >= now.process_count() {
            return StepMismatch::Process;
        }
        let automaton = self.machine.automaton(now.process(line.pid));
        let edges = automaton.edges_from(now.location(line.pid));
        let exists = edges.iter().any(|edge| edge.id == line.edge);
        if exists { StepMismatch::Blocked } else { StepMismatch::Edge }
    }
}
