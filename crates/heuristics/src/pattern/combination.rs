//! Combination of the distances of several pattern databases.

/// How distances of several databases are put together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TableCombination {
    /// The greatest counts.
    Max,
    /// They are added up; each step counts in one database only.
    Sum,
}

impl TableCombination {
    /// Several distances together; one that is `NEVER` is all.
    pub(crate) fn of(self, distances: impl Iterator<Item = u32>) -> u32 {
        distances.fold(0, |so_far, one| match self {
            TableCombination::Max => so_far.max(one),
            TableCombination::Sum => so_far.saturating_add(one),
        })
    }
}
