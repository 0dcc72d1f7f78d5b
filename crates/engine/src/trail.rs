//! SPIN's trail files: which edge of which process, step by step.
//!
//! ```text
//! -4:-4:-4        statement merging was on
//! 1:0:12          step 1, process 0, edge 12
//! 2:1:7
//! ```
//!
//! A rendezvous is two lines, sender first. Lines with a negative step carry
//! settings: `-2:n:-2` names a claim, `-1:-1:-1` marks where a cycle begins.

use std::fmt;
use std::fmt::Write as _;

use beeline_kernel::FaultKind;

use crate::automata::EdgeId;
use crate::claim::Claim;
use crate::interpreter::{DecodedState, Machine, Move};

/// One line that moves a process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TrailLine {
    /// The process.
    pub pid: usize,
    /// Its edge.
    pub edge: EdgeId,
}

/// A trail file as text became data.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TrailFile {
    /// Made with statement merging, so edges are those of the optimised automata.
    pub merged: bool,
    /// The moves.
    pub lines: Vec<TrailLine>,
    /// The first line of the cycle, if the trail is a lasso.
    pub cycle_start: Option<usize>,
    /// The claim that takes part, by its number among the processes. Then process 0 of
    /// a line is the claim, and the others count from 1.
    pub claim: Option<usize>,
}

/// What is wrong with a trail.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TrailError {
    /// A line is not `step:process:edge`.
    Malformed {
        /// From 1.
        line: usize,
        /// What stands there, or the beginning of it.
        text: String,
    },
    /// The trail does not fit the model: this step cannot be taken there.
    Impossible {
        /// From 1; a rendezvous counts twice, as in the file.
        step: usize,
        /// What the trail asks for.
        line: TrailLine,
        /// Why it cannot be had.
        mismatch: StepMismatch,
    },
}

/// Why a step of a trail cannot be taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StepMismatch {
    /// The model fails before its first step.
    InitialFault,
    /// There is no such process.
    Process,
    /// The process is elsewhere, or has no such edge at all.
    Edge,
    /// The edge cannot be executed.
    Blocked,
}

impl fmt::Display for TrailError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TrailError::Malformed { line, text } => {
                write!(f, "line {line} is not `step:process:edge`: `{text}`")
            }
            TrailError::Impossible {
                step,
                line: TrailLine { pid, edge: EdgeId(edge) },
                mismatch,
            } => {
                write!(f, "step {step} cannot be taken: ")?;
                match mismatch {
                    StepMismatch::InitialFault => {
                        write!(f, "the model fails before its first step")
                    }
                    StepMismatch::Process => write!(f, "there is no process {pid}"),
                    StepMismatch::Edge => write!(f, "process {pid} has no edge {edge} where it is"),
                    StepMismatch::Blocked => {
                        write!(f, "edge {edge} of process {pid} cannot be executed")
                    }
                }
            }
        }
    }
}

impl std::error::Error for TrailError {}

impl TrailFile {
    /// The trail of some moves.
    pub fn of<'a>(moves: impl IntoIterator<Item = &'a Move>, merged: bool) -> TrailFile {
        let mut lines = Vec::new();
        for step in moves {
            lines.push(TrailLine { pid: step.pid, edge: step.edge });
            lines.extend(step.partner.map(|(pid, edge)| TrailLine { pid, edge }));
        }
        TrailFile { merged, lines, cycle_start: None, claim: None }
    }

    /// Adds what a claim does.
    pub fn push_claim(&mut self, edges: &[EdgeId]) {
        self.lines.extend(edges.iter().map(|&edge| TrailLine { pid: 0, edge }));
    }

    /// Adds moves of the system. Where a claim takes part, others count from 1.
    pub fn push_moves<'a>(&mut self, moves: impl IntoIterator<Item = &'a Move>) {
        let first = usize::from(self.claim.is_some());
        let lines = TrailFile::of(moves, self.merged).lines;
        self.lines.extend(lines.iter().map(|line| TrailLine { pid: line.pid + first, ..*line }));
    }

    /// As SPIN writes it.
    pub fn text(&self) -> String {
        let mut out = String::new();
        if let Some(claim) = self.claim {
            writeln!(out, "-2:{claim}:-2").expect("writing to a string succeeds");
        }
        if self.merged {
            out.push_str("-4:-4:-4\n");
        }
        for (at, line) in self.lines.iter().enumerate() {
            if self.cycle_start == Some(at) {
                out.push_str("-1:-1:-1\n");
            }
            writeln!(out, "{}:{}:{}", at + 1, line.pid, line.edge.0)
                .expect("writing to a string succeeds");
        }
        // The system stays where it is, for ever.
        if self.cycle_start == Some(self.lines.len()) {
            out.push_str("-1:-1:-1\n");
        }
        out
    }

    /// Reads a trail file.
    ///
    /// # Errors
    ///
    /// When a line makes no sense.
    pub fn parse(text: &str) -> Result<TrailFile, TrailError> {
        let mut trail = TrailFile::default();
        for (at, line) in text.lines().enumerate() {
            let line = line.trim();
            if line.is_empty() {
                continue;
            }
            let malformed = || TrailError::Malformed { line: at + 1, text: beginning(line) };
            let mut numbers = line.split(':').map(str::parse::<i64>);
            let (Some(Ok(step)), Some(Ok(pid)), Some(Ok(edge)), None) =
                (numbers.next(), numbers.next(), numbers.next(), numbers.next())
            else {
                return Err(malformed());
            };
            match step {
                -1 => trail.cycle_start = Some(trail.lines.len()),
                -2 => trail.claim = usize::try_from(pid).ok(),
                -4 => trail.merged = true,
                ..0 => {}
                _ => {
                    let pid = usize::try_from(pid).map_err(|_| malformed())?;
                    let edge = u32::try_from(edge).map_err(|_| malformed())?;
                    trail.lines.push(TrailLine { pid, edge: EdgeId(edge) });
                }
            }
        }
        Ok(trail)
    }
}

/// Enough of a line to recognise it.
fn beginning(line: &str) -> String {
    const ENOUGH: usize = 40;
    match line.char_indices().nth(ENOUGH) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line.to_owned(),
    }
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
    pub fn replay(&self, trail: &TrailFile) -> Result<TrailReplay, TrailError> {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_reads_back() {
        let line = |pid, edge| TrailLine { pid, edge: EdgeId(edge) };
        let lines = vec![line(0, 3), line(1, 7), line(0, 0)];
        let trail = TrailFile { merged: true, lines, cycle_start: Some(1), claim: Some(2) };
        assert_eq!(trail.text(), "-2:2:-2\n-4:-4:-4\n1:0:3\n-1:-1:-1\n2:1:7\n3:0:0\n");
        assert_eq!(TrailFile::parse(&trail.text()), Ok(trail));
    }

    #[test]
    fn garbage_is_named_by_its_line() {
        let error = TrailFile::parse("1:0:3\nhello\n").unwrap_err();
        assert!(error.to_string().contains("line 2"), "{error}");
        assert!(TrailFile::parse("1:-3:2").is_err());
        assert!(TrailFile::parse("1:2").is_err());
        assert!(TrailFile::parse("1:0:99999999999").is_err());
        let error = TrailFile::parse(&"é".repeat(1000)).unwrap_err();
        assert!(error.to_string().chars().count() < 100, "{error}");
    }
}
