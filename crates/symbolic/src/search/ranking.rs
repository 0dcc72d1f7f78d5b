//! Rankings: which sets a best-first search expands next.
//!
//! Source: [EMJ05], "Symbolic Search", §§6-7.

/// A ranking of sets by the cost g of their paths and by their estimate h. The least rank comes
/// first.
///
/// With `g` at least 1 and an admissible estimate, the cost of the path is at most `h / g` times
/// the least one, and the least one if `h` is at most `g`. Estimates need not be consistent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SymbolicRanking {
    /// The weight of g.
    pub g: u64,
    /// The weight of h.
    pub h: u64,
    /// The sets that one iteration takes.
    pub choice: BucketChoice,
}

/// The sets that one iteration takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BucketChoice {
    /// All sets of the least rank.
    Rank,
    /// Of the sets of the least rank, the one with the least g.
    LeastCost,
}

impl SymbolicRanking {
    /// Dijkstra's algorithm: g.
    pub const DIJKSTRA: SymbolicRanking =
        SymbolicRanking { g: 1, h: 0, choice: BucketChoice::Rank };

    /// BDD-A\*: all states with the least f = g + h.
    pub const BDD_A_STAR: SymbolicRanking =
        SymbolicRanking { g: 1, h: 1, choice: BucketChoice::Rank };

    /// gh-search: the cells of the matrix of g and h, by f, then by g.
    pub const GH: SymbolicRanking = SymbolicRanking { g: 1, h: 1, choice: BucketChoice::LeastCost };

    /// Greedy best-first search: h.
    pub const GREEDY: SymbolicRanking =
        SymbolicRanking { g: 0, h: 1, choice: BucketChoice::LeastCost };

    /// Weighted BDD-A\*: g + w·h.
    pub const fn weighted(w: u64) -> SymbolicRanking {
        SymbolicRanking { g: 1, h: w, choice: BucketChoice::Rank }
    }

    /// Whether it is f = g + h, or g: with a consistent estimate, states are expanded with the least
    /// g.
    pub(super) fn is_a_star(self) -> bool {
        self.g == 1 && self.h <= 1
    }

    /// The rank of states.
    pub(super) fn rank(self, g: u64, h: u64) -> u64 {
        self.g.saturating_mul(g).saturating_add(self.h.saturating_mul(h))
    }
}
