//! A state space with given goal states as the only errors.

use beeline_kernel::{Expander, Expansion, StatePath};

use crate::store::{ExactStore, StateSet, StoreLimits};

/// Expands states; the goals are those where invariant 0 does not hold.
pub(crate) struct GoalExpander<'a> {
    expander: Box<dyn Expander + 'a>,
    goals: ExactStore,
}

impl<'a> GoalExpander<'a> {
    /// With these goals.
    pub(crate) fn new(expander: Box<dyn Expander + 'a>, goals: &StatePath) -> GoalExpander<'a> {
        let mut towards = GoalExpander { expander, goals: ExactStore::new(StoreLimits::NONE) };
        let mut states = goals.cursor();
        while let Some(goal) = states.advance() {
            towards.goals.insert(goal);
        }
        towards
    }
}

impl Expander for GoalExpander<'_> {
    fn expand(&mut self, state: &[u8], expansion: &mut Expansion) {
        let broken = expansion.violated_invariants.len();
        self.expander.expand(state, expansion);
        expansion.violated_invariants.truncate(broken);
        if self.goals.find(state).is_some() {
            expansion.violated_invariants.push(0);
        }
    }
}
