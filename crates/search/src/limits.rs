//! Limits, slices and outcomes of searches.

use beeline_kernel::Stop;

/// Limits of a search. Reaching a limit makes the search incomplete.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// Transitions between stored states: states further away than this from the initial state, on
    /// the path the search took, are stored but not expanded.
    pub depth: Option<u32>,
    /// Stored states. Reaching this limit counts as [`Stop::Memory`].
    pub states: Option<usize>,
    /// Memory for the store, the parents and the frontier.
    pub bytes: Option<usize>,
}

/// The work of a search before it returns control.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SliceBudget {
    /// Expansions.
    pub expansions: u64,
}

impl SliceBudget {
    /// No limit.
    pub const UNLIMITED: SliceBudget = SliceBudget { expansions: u64::MAX };

    /// A number of states to expand.
    pub fn expansions(expansions: u64) -> SliceBudget {
        SliceBudget { expansions }
    }
}

/// The status of a search when it returns control.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Progress {
    /// The budget is used up, and the search is not over.
    Paused,
    /// The search is over. Further calls change nothing.
    Done(Outcome),
}

/// How a search ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Every reachable state was expanded: with a reduction, each one of the reduced space.
    Complete,
    /// The target was found, and the search stopped there.
    Found,
    /// Some reachable state was not expanded, for this reason.
    Incomplete(Stop),
}
