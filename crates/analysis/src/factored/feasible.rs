//! Feasible paths through a `d_step`: those whose conditions may hold, by the intervals of values
//! along the path. With them, loops that count are followed to their end.

use super::action_sequences::ActionSequence;
use super::builder::Builder;

impl Builder<'_> {
    /// Whether all conditions of a sequence may hold. What follows a rendezvous is not considered.
    pub(super) fn is_feasible(&self, sequence: &ActionSequence<'_>) -> bool {
        self.path_intervals.allow(&sequence.actions)
    }
}
