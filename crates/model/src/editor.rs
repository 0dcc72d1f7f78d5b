//! Editing of trails: removal or reordering of steps; each edited trail is replayed.

use beeline_kernel::{FaultKind, StatePath, Trail, TrailError};
use beeline_search::{FindingKind, Lasso, SearchTarget};

/// A trail as a path of stored states.
#[derive(Clone, Debug)]
pub struct Followed {
    /// The states that a search stores, up to the one with the error or before the failing step.
    pub states: StatePath,
    /// The error at the end.
    pub found: FindingKind,
    /// The number of steps that lead there.
    pub steps: u64,
}

/// The errors that count as equal to a given one: any deadlock, the same fault at the same
/// statement, the same invariant, the same claim.
pub fn same_error(found: FindingKind) -> SearchTarget {
    match found {
        FindingKind::Deadlock => SearchTarget::DEADLOCK,
        FindingKind::Invariant(number) => SearchTarget::invariant(number),
        // A claim ends by any of its edges.
        FindingKind::Fault(fault) if fault.kind == FaultKind::Claim => {
            SearchTarget { site: None, ..SearchTarget::fault(fault) }
        }
        FindingKind::Fault(fault) => SearchTarget::fault(fault),
    }
}

/// A trail with a cycle as a lasso of the product.
#[derive(Clone, Debug)]
pub struct FollowedLasso {
    /// The states of the product.
    pub lasso: Lasso,
    /// The steps of the cycle; one step if the system stutters.
    pub cycle_steps: u64,
    /// All steps of the trail.
    pub steps: u64,
}

/// Edits trails of a system.
pub trait TrailEditor: Sync {
    /// Follows a trail to the first error of the target `wanted`; `None` when there is none.
    ///
    /// # Errors
    ///
    /// When the trail is not one of this system.
    fn follow(&self, trail: &Trail, wanted: SearchTarget) -> Result<Option<Followed>, TrailError>;

    /// A path to the target with fewer steps, obtained by removing unnecessary steps of the trail.
    /// `None` when all are necessary, or when the trail is too long to try.
    fn eliminate(&self, trail: &Trail, target: SearchTarget) -> Option<Followed>;

    /// The trail without steps that are independent of all later steps and do not change what the
    /// error reads. `None` when there are no such steps.
    fn filter(&self, trail: &Trail, target: SearchTarget) -> Option<(Trail, Followed)>;

    /// The same steps in another order, with fewer context switches. `None` when no such order is
    /// found.
    fn untangle(&self, trail: &Trail, target: SearchTarget) -> Option<Trail>;
}
