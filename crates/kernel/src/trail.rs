//! Trails: process and edge of each step, in SPIN's format.
//!
//! A trail has no states: it is replayed to obtain them, and so cannot disagree with the model.
//!
//! ```text
//! -4:-4:-4        statement merging was on
//! 1:0:12          step 1, process 0, edge 12
//! 2:1:7
//! ```
//!
//! A rendezvous takes two lines, sender first. Lines with a negative step are settings: `-2:n:-2`
//! names a claim, `-1:-1:-1` marks the start of a cycle.

use std::fmt;
use std::fmt::Write as _;

/// The number of an edge in the whole model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct EdgeId(pub u32);

/// One line of a trail: a step of a process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TrailLine {
    /// The process.
    pub pid: usize,
    /// Its edge.
    pub edge: EdgeId,
}

/// The steps from the initial state to an error, or to a violating cycle and around it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Trail {
    /// Whether statement merging was on, so that edges are those of the optimised automata.
    pub merged: bool,
    /// The steps.
    pub lines: Vec<TrailLine>,
    /// The first line of the cycle, if the trail is a lasso.
    pub cycle_start: Option<usize>,
    /// The claim, by its number among the processes. Then process 0 of a line is the claim, and the
    /// others count from 1.
    pub claim: Option<usize>,
}

/// The problem with a trail.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TrailError {
    /// A line is not `step:process:edge`.
    Malformed {
        /// The line number, from 1.
        line: usize,
        /// Its text, perhaps truncated.
        text: String,
    },
    /// The trail does not fit the model: this step is not possible there.
    Impossible {
        /// The number of the step, from 1; a rendezvous counts twice, as in the file.
        step: usize,
        /// The line of the trail.
        line: TrailLine,
        /// Why the step is not possible.
        mismatch: StepMismatch,
    },
}

/// Why a step of a trail is not possible.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StepMismatch {
    /// The model fails before its first step.
    InitialFault,
    /// The process does not exist.
    Process,
    /// The process is at another location, or has no such edge.
    Edge,
    /// The edge is disabled.
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
                    StepMismatch::Edge => {
                        write!(f, "process {pid} has no edge {edge} at its location")
                    }
                    StepMismatch::Blocked => {
                        write!(f, "edge {edge} of process {pid} cannot be executed")
                    }
                }
            }
        }
    }
}

impl std::error::Error for TrailError {}

impl Trail {
    /// Adds steps of the claim.
    pub fn push_claim(&mut self, edges: &[EdgeId]) {
        self.lines.extend(edges.iter().map(|&edge| TrailLine { pid: 0, edge }));
    }

    /// Adds lines of the system. With a claim, its processes count from 1.
    pub fn push_system(&mut self, lines: impl IntoIterator<Item = TrailLine>) {
        let first = usize::from(self.claim.is_some());
        let lines = lines.into_iter();
        self.lines.extend(lines.map(|line| TrailLine { pid: line.pid + first, ..line }));
    }

    /// The trail in SPIN's format.
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
        // A stuttering cycle has no lines.
        if self.cycle_start == Some(self.lines.len()) {
            out.push_str("-1:-1:-1\n");
        }
        out
    }

    /// Reads a trail file.
    ///
    /// # Errors
    ///
    /// When a line is malformed.
    pub fn parse(text: &str) -> Result<Trail, TrailError> {
        let mut trail = Trail::default();
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

/// The beginning of a line, for messages.
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
        let trail = Trail { merged: true, lines, cycle_start: Some(1), claim: Some(2) };
        assert_eq!(trail.text(), "-2:2:-2\n-4:-4:-4\n1:0:3\n-1:-1:-1\n2:1:7\n3:0:0\n");
        assert_eq!(Trail::parse(&trail.text()), Ok(trail));
    }

    #[test]
    fn garbage_is_named_by_its_line() {
        let error = Trail::parse("1:0:3\nhello\n").unwrap_err();
        assert!(error.to_string().contains("line 2"), "{error}");
        assert!(Trail::parse("1:-3:2").is_err());
        assert!(Trail::parse("1:2").is_err());
        assert!(Trail::parse("1:0:99999999999").is_err());
        let error = Trail::parse(&"é".repeat(1000)).unwrap_err();
        assert!(error.to_string().chars().count() < 100, "{error}");
    }
}
