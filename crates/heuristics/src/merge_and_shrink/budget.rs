//! How much an abstraction may take. Work and bytes are counted, so that every run comes to the same
//! end; seconds count only for someone who asks for them.
//!
//! Whatever runs out, what has been made by then is an abstraction, and its estimates are
//! consistent: they are lower than they could be, and never wrong.

use std::fmt;
use std::time::Duration;

use beeline_kernel::Deadline;

use super::component::LabelledEdge;

/// What an abstraction may take.
#[derive(Clone, Copy, Debug)]
pub struct MergeBudget {
    /// Edges to look at, all in all: about a hundred million in a second.
    pub work: u64,
    /// Pairs of states in one composition, and a few times as many edges.
    pub pairs: usize,
    /// Bytes for components and tables, with what a composition takes on the way.
    pub bytes: usize,
    /// Until when.
    pub deadline: Deadline,
}

/// Bytes when nobody says how many: a gibibyte.
const BYTES: usize = 1 << 30;

/// In one composition, edges for each pair of states that is allowed.
const EDGES_PER_PAIR: u64 = 10;

/// What a pair of states takes while it is composed and shrunk: its place, its two states, and its
/// distance and class.
const BYTES_PER_PAIR: usize = 64;
/// What an edge takes then: in the list that grows, in one for each direction, and in the quotient.
const BYTES_PER_EDGE: usize = 96;

impl MergeBudget {
    /// What one waits for gladly, a second or so.
    pub const QUICK: MergeBudget =
        MergeBudget { work: 5_000_000, pairs: 50_000, bytes: BYTES, deadline: Deadline::NEVER };

    /// What one waits for once, ten seconds or so.
    pub const AMPLE: MergeBudget =
        MergeBudget { work: 1_000_000_000, pairs: 4_000_000, ..MergeBudget::QUICK };

    /// So many seconds, in which as much is done as there is time for.
    pub fn seconds(time: Duration) -> MergeBudget {
        MergeBudget { work: u64::MAX, deadline: Deadline::after(time), ..MergeBudget::AMPLE }
    }

    /// The same where there are not more bytes and not more time than this.
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

/// What ran out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shortage {
    /// The work that was allowed was done.
    Work,
    /// There was no room.
    Bytes,
    /// There was no time.
    Time,
}

impl Shortage {
    /// What to say about an abstraction that is not complete for it.
    pub fn remark(self) -> String {
        format!("dpa is cut short: {self}, so its estimates are lower than they could be")
    }
}

impl fmt::Display for Shortage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Shortage::Work => "its bound on work was reached (`seconds` sets another)",
            Shortage::Bytes => "its bytes were used up",
            Shortage::Time => "its time was over",
        })
    }
}

/// How much was taken of a budget.
pub(crate) struct BudgetUse {
    pub(crate) budget: MergeBudget,
    pub(crate) work: u64,
    /// Bytes of tables that are kept in any case.
    pub(crate) kept: usize,
}

/// What one composition may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct CompositionLimit {
    pub(crate) pairs: usize,
    pub(crate) edges: u64,
    /// What there would have to be more of for more pairs, and for more edges.
    pub(crate) for_pairs: Shortage,
    pub(crate) for_edges: Shortage,
}

impl BudgetUse {
    pub(crate) fn new(budget: MergeBudget) -> BudgetUse {
        BudgetUse { budget, work: 0, kept: 0 }
    }

    /// What has run out, if anything has.
    pub(crate) fn shortage(&self) -> Option<Shortage> {
        if self.budget.deadline.is_over() {
            Some(Shortage::Time)
        } else if self.work > self.budget.work {
            Some(Shortage::Work)
        } else {
            None
        }
    }

    /// What a composition may take where components with so many edges are there as well.
    pub(crate) fn room(&self, edges: usize) -> CompositionLimit {
        let taken = self.kept.saturating_add(edges.saturating_mul(size_of::<LabelledEdge>()));
        let left = self.budget.bytes.saturating_sub(taken);
        // Half for pairs and half for edges, of which there are more.
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
