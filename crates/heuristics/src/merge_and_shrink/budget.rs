//! Limits for building an abstraction. Work and bytes are counted deterministically; seconds count
//! only if asked for.
//!
//! When a limit is reached, the intermediate result is an abstraction with consistent, less
//! informed estimates.

use std::fmt;
use std::time::Duration;

use beeline_kernel::Deadline;

use super::component::LabelledEdge;

/// Limits for building an abstraction.
#[derive(Clone, Copy, Debug)]
pub struct MergeBudget {
    /// Edges visited in total; about a hundred million per second.
    pub work: u64,
    /// Pairs of states in one composition; edges are limited in proportion.
    pub pairs: usize,
    /// Bytes for components and tables, including intermediate ones.
    pub bytes: usize,
    /// The time limit.
    pub deadline: Deadline,
}

/// The default memory limit: a gibibyte.
const BYTES: usize = 1 << 30;

/// Edges per pair of states in one composition.
const EDGES_PER_PAIR: u64 = 10;

/// Bytes per pair of states during composition and shrinking: index, both states, distance and
/// class.
const BYTES_PER_PAIR: usize = 64;
/// Bytes per edge during composition and shrinking: growing list, both directions, quotient.
const BYTES_PER_EDGE: usize = 96;

impl MergeBudget {
    /// About a second of work.
    pub const QUICK: MergeBudget =
        MergeBudget { work: 5_000_000, pairs: 50_000, bytes: BYTES, deadline: Deadline::NEVER };

    /// About ten seconds of work.
    pub const AMPLE: MergeBudget =
        MergeBudget { work: 1_000_000_000, pairs: 4_000_000, ..MergeBudget::QUICK };

    /// A time limit without a work limit.
    pub fn seconds(time: Duration) -> MergeBudget {
        MergeBudget { work: u64::MAX, deadline: Deadline::after(time), ..MergeBudget::AMPLE }
    }

    /// Restricts bytes and time to these limits.
    #[must_use]
    pub fn within(self, bytes: usize, deadline: Deadline) -> MergeBudget {
        MergeBudget { bytes: self.bytes.min(bytes), deadline: self.deadline.or(deadline), ..self }
    }
}

impl Default for MergeBudget {
    fn default() -> MergeBudget {
        MergeBudget::AMPLE
    }
}

/// The exhausted resource.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shortage {
    /// The work limit was reached.
    Work,
    /// The memory limit was reached.
    Bytes,
    /// The time limit was reached.
    Time,
}

impl Shortage {
    /// The remark for the user about an incomplete abstraction.
    pub fn remark(self) -> String {
        format!("dpa is cut short: {self}, so its estimates are lower than they could be")
    }
}

impl fmt::Display for Shortage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Shortage::Work => "its work limit was reached (`seconds` sets a time limit instead)",
            Shortage::Bytes => "its memory limit was reached (`bytes`)",
            Shortage::Time => "its time limit was reached",
        })
    }
}

/// Resource use.
pub(crate) struct BudgetUse {
    pub(crate) budget: MergeBudget,
    pub(crate) work: u64,
    /// Bytes of tables that are never released.
    pub(crate) kept: usize,
}

/// Limits of one composition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct CompositionLimit {
    pub(crate) pairs: usize,
    pub(crate) edges: u64,
    /// The resource that limits pairs, and edges.
    pub(crate) for_pairs: Shortage,
    pub(crate) for_edges: Shortage,
}

impl BudgetUse {
    pub(crate) fn new(budget: MergeBudget) -> BudgetUse {
        BudgetUse { budget, work: 0, kept: 0 }
    }

    /// The exhausted resource, if any.
    pub(crate) fn shortage(&self) -> Option<Shortage> {
        if self.budget.deadline.is_over() {
            Some(Shortage::Time)
        } else if self.work > self.budget.work {
            Some(Shortage::Work)
        } else {
            None
        }
    }

    /// The limits of a composition, given the edges of all components.
    pub(crate) fn room(&self, edges: usize) -> CompositionLimit {
        let taken = self.kept.saturating_add(edges.saturating_mul(size_of::<LabelledEdge>()));
        let left = self.budget.bytes.saturating_sub(taken);
        // Half of the memory for pairs and half for edges.
        let pairs_in_bytes = left / 2 / BYTES_PER_PAIR;
        let edges_in_bytes = (left / 2 / BYTES_PER_EDGE) as u64;
        let edges_in_work = (self.budget.pairs as u64).saturating_mul(EDGES_PER_PAIR);
        let short_of = |is_tight| if is_tight { Shortage::Bytes } else { Shortage::Work };
        CompositionLimit {
            pairs: self.budget.pairs.min(pairs_in_bytes),
            edges: edges_in_work.min(edges_in_bytes),
            for_pairs: short_of(pairs_in_bytes < self.budget.pairs),
            for_edges: short_of(edges_in_bytes < edges_in_work),
        }
    }
}
