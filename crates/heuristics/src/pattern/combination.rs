//! Combination of the distances of several pattern databases.

/// Combination of distances.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TableCombination {
    /// The maximum.
    Max,
    /// The sum; each operator costs in one database only.
    Sum,
}

impl TableCombination {
    /// Combines distances; one `NEVER` makes the result `NEVER`.
    pub(crate) fn of(self, distances: impl Iterator<Item = u32>) -> u32 {
        distances.fold(0, |so_far, one| match self {
            TableCombination::Max => so_far.max(one),
            TableCombination::Sum => so_far.saturating_add(one),
        })
    }
}
