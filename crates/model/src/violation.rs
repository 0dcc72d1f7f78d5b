//! Violations: an error, a trail that leads to it, and a certificate of length.

use std::fmt;

use beeline_kernel::FaultKind;
use beeline_search::FindingKind;

use beeline_kernel::Trail;

/// The error at the end of a trail.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ErrorKind {
    /// No process can move, and some process is not at a valid end.
    InvalidEnd,
    /// The last step failed.
    Fault(FaultKind),
    /// An invariant of the system, by number, does not hold.
    Invariant(u32),
    /// All processes of a network are in error states.
    ErrorState,
    /// A state that a query asks for is reached; this is no error.
    Reached,
    /// No reachable state is one that a query asks for; there is no trail.
    Unreachable,
    /// A run that a query asks for exists; this is no error.
    RunFound,
    /// No run is one that a query asks for; there is no trail.
    NoRun,
    /// No continuation can satisfy the formula.
    Formula,
    /// The initial state violates a formula of branching time; the trail is a counterexample.
    BranchingFormula,
    /// A cycle that is a violation.
    Cycle(CycleError),
}

/// The kind of a violating cycle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CycleError {
    /// It passes an accepting state.
    Acceptance,
    /// It makes no progress.
    NonProgress,
    /// It violates a formula.
    Formula,
}

impl fmt::Display for ErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            ErrorKind::InvalidEnd => "invalid end state",
            ErrorKind::Fault(kind) => return kind.fmt(f),
            ErrorKind::Invariant(_) => "invariant violated",
            ErrorKind::ErrorState => "error reached",
            ErrorKind::Reached => "state reached",
            ErrorKind::Unreachable => "no such state is reachable",
            ErrorKind::RunFound => "such a run exists",
            ErrorKind::NoRun => "there is no such run",
            ErrorKind::Formula | ErrorKind::BranchingFormula => "formula violated",
            ErrorKind::Cycle(CycleError::Acceptance) => "acceptance cycle",
            ErrorKind::Cycle(CycleError::NonProgress) => "non-progress cycle",
            ErrorKind::Cycle(CycleError::Formula) => "formula violated by a cycle",
        })
    }
}

/// The length of a trail, and a proved lower bound on the length of all trails to the same error.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Certificate {
    /// Steps of the trail; a rendezvous of two processes is one step.
    pub steps: u64,
    /// No trail to the same violation has fewer steps than this.
    pub lower_bound: u64,
}

impl Certificate {
    /// Certificate of a trail of `steps` steps; the bound is limited to its length.
    pub fn new(steps: u64, lower_bound: u64) -> Certificate {
        Certificate { steps, lower_bound: lower_bound.min(steps) }
    }

    /// Whether the trail is proved to be a shortest one.
    pub fn is_shortest(self) -> bool {
        self.steps <= self.lower_bound
    }

    /// Raises the lower bound, at most to the length.
    pub fn raise(&mut self, bound: u64) {
        self.lower_bound = bound.max(self.lower_bound).min(self.steps);
    }
}

/// A violation, with the trail that leads to it.
#[derive(Clone, Debug)]
pub struct Violation {
    /// The error.
    pub error: ErrorKind,
    /// The replayed trail.
    pub trail: Trail,
    /// The certificate of its length.
    pub length: Certificate,
    /// The number of steps of the cycle, if there is one.
    pub cycle: Option<u64>,
}

impl Violation {
    /// Whether the trail is proved to be a shortest one.
    pub fn is_shortest(&self) -> bool {
        self.length.is_shortest()
    }

    /// Whether the cycle is stuttering: the system repeats its state since no process can move.
    pub fn stays(&self) -> bool {
        let Trail { lines, cycle_start, claim, .. } = &self.trail;
        let is_claim = |pid: usize| claim.is_some() && pid == 0;
        cycle_start.is_some_and(|start| lines[start..].iter().all(|line| is_claim(line.pid)))
    }
}

/// A search result that the replay of its trail does not confirm: a bug in Beeline.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unconfirmed {
    /// The search result; `None` for a cycle or the end of a claim.
    pub finding: Option<FindingKind>,
    /// The reason.
    pub why: String,
}

impl fmt::Display for Unconfirmed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.finding {
            Some(finding) => {
                write!(f, "a finding could not be confirmed ({finding:?}): {}", self.why)
            }
            None => write!(f, "a finding could not be confirmed: {}", self.why),
        }
    }
}

impl std::error::Error for Unconfirmed {}
