//! How far a search may go, for how long at a time, and how it ends.

use beeline_kernel::Stop;

/// What a search may use up. A limit that is hit makes the search incomplete.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// Transitions between stored states: states further away than this from the
    /// initial state, on the path the search took, are stored but not expanded.
    pub depth: Option<u32>,
    /// Stored states. Hitting it counts as [`Stop::Memory`].
    pub states: Option<usize>,
    /// Memory for the store, the parents and the frontier.
    pub bytes: Option<usize>,
}

/// How much a search may do before it gives control back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SliceBudget {
    /// States to expand.
    pub expansions: u64,
}

impl SliceBudget {
    /// To the end.
    pub const UNLIMITED: SliceBudget = SliceBudget { expansions: u64::MAX };

    /// A number of states to expand.
    pub fn expansions(expansions: u64) -> SliceBudget {
        SliceBudget { expansions }
    }
}

/// Where a search stands when it gives control back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Progress {
    /// The budget is used up, and there is more to do.
    Paused,
    /// The search is over. Going on changes nothing.
    Done(Outcome),
}

/// How a search ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Every reachable state was expanded: with a reduction, each one of the reduced space.
    Complete,
    /// What the search was to look for was found, and it went no further.
    Found,
    /// Some reachable state was not expanded, for this reason.
    Incomplete(Stop),
}
