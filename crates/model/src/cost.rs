//! Costs of a trail other than its number of steps: context switches, which make a trail hard to
//! read, messages, or time.

use beeline_kernel::{Space, StatePath, Trail};
use beeline_search::FindingKind;

use crate::violation::{Unconfirmed, Violation};

/// The states of a system, with other costs of steps.
pub trait CostedSpace: Sync {
    /// The state space, whose transitions have the other cost.
    fn space(&self) -> &dyn Space;

    /// The part of a state of this space that is the state of the system.
    fn system_state<'s>(&self, state: &'s [u8]) -> &'s [u8];

    /// The cost of a trail; `None` where it cannot be replayed.
    fn cost_of(&self, trail: &Trail) -> Option<u32>;

    /// The violation at the end of a path of this space, replayed.
    ///
    /// # Errors
    ///
    /// When the replay does not show the violation.
    fn witness(&self, path: &StatePath, found: FindingKind) -> Result<Violation, Unconfirmed>;

    /// A remark on the cost of a trail, given a proved lower bound on the cost of all trails to the
    /// same error; `None` if there is nothing to tell.
    fn remark(&self, trail: &Trail, found: FindingKind, lower_bound: u32) -> Option<String> {
        let _ = (trail, found, lower_bound);
        None
    }
}
