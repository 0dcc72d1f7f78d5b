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

use crate::automata::EdgeId;
use crate::interpreter::Move;

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
        /// The line, or its beginning.
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

    /// Adds moves of the system. With a claim, processes count from 1.
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
        // The system stays in its last state for ever.
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
