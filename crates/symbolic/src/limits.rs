//! Limits of symbolic computations, and the errors that tell that one was reached.

use std::fmt;

use beeline_kernel::{Deadline, Stop};

/// Limits of a [`Forest`](crate::Forest).
pub struct DiagramLimits {
    /// Memory of nodes, tables and caches, in bytes.
    pub bytes: usize,
    /// Number of nodes.
    pub nodes: usize,
    /// Polled every few thousand operations on nodes, with the bytes in use; a reason ends the
    /// operation.
    pub interrupt: Box<dyn Fn(usize) -> Option<Stop> + Send>,
}

impl Default for DiagramLimits {
    /// No limits.
    fn default() -> DiagramLimits {
        DiagramLimits { bytes: usize::MAX, nodes: usize::MAX, interrupt: Box::new(|_| None) }
    }
}

impl DiagramLimits {
    /// A memory limit and a deadline.
    pub fn new(bytes: usize, deadline: Deadline) -> DiagramLimits {
        let interrupt = Box::new(move |_| deadline.is_over().then_some(Stop::Time));
        DiagramLimits { bytes, interrupt, ..DiagramLimits::default() }
    }
}

impl fmt::Debug for DiagramLimits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut all = f.debug_struct("DiagramLimits");
        all.field("bytes", &self.bytes).field("nodes", &self.nodes).finish_non_exhaustive()
    }
}

/// A limit that was reached. The sets that exist remain valid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    /// The memory limit.
    Memory,
    /// The node limit, or the greatest number of nodes.
    Nodes,
    /// The interrupt had a reason to stop.
    Stopped(Stop),
    /// An attempt took too long; another way is tried.
    Attempt,
}

impl Limit {
    /// The reason in the vocabulary of searches.
    pub fn stop(self) -> Stop {
        match self {
            Limit::Memory | Limit::Nodes => Stop::Memory,
            Limit::Stopped(stop) => stop,
            Limit::Attempt => Stop::Interrupted,
        }
    }
}

impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Limit::Memory => f.write_str("memory limit of the decision diagrams reached"),
            Limit::Nodes => f.write_str("node limit of the decision diagrams reached"),
            Limit::Stopped(stop) => stop.fmt(f),
            Limit::Attempt => f.write_str("an attempt took too long"),
        }
    }
}

impl std::error::Error for Limit {}

/// Why a symbolic computation has no result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SymbolicError {
    /// A limit was reached.
    Limit(Limit),
    /// An operator or an expression with this name has too many outcomes to enumerate.
    TooManyOutcomes(String),
}

impl From<Limit> for SymbolicError {
    fn from(limit: Limit) -> SymbolicError {
        SymbolicError::Limit(limit)
    }
}

impl fmt::Display for SymbolicError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SymbolicError::Limit(limit) => limit.fmt(f),
            SymbolicError::TooManyOutcomes(name) => {
                write!(f, "{name:?} has too many outcomes to enumerate")
            }
        }
    }
}

impl std::error::Error for SymbolicError {}
