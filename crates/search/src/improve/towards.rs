//! The states of a space, with some of them as the only thing to find: for searches that know
//! where they want to go.

use beeline_kernel::{Expander, Expansion};

use crate::store::{Ceiling, ExactStore, StateStore};

/// Expands states; the goals are those where invariant 0 does not hold.
pub(crate) struct Towards<'a> {
    expander: Box<dyn Expander + 'a>,
    goals: ExactStore,
}

impl<'a> Towards<'a> {
    /// With these goals.
    pub(crate) fn new(expander: Box<dyn Expander + 'a>, goals: &[Vec<u8>]) -> Towards<'a> {
        let mut towards = Towards { expander, goals: ExactStore::new(Ceiling::NONE) };
        for goal in goals {
            towards.goals.insert(goal);
        }
        towards
    }
}

impl Expander for Towards<'_> {
    fn expand(&mut self, state: &[u8], expansion: &mut Expansion) {
        let broken = expansion.broken.len();
        self.expander.expand(state, expansion);
        expansion.broken.truncate(broken);
        if self.goals.find(state).is_some() {
            expansion.broken.push(0);
        }
    }
}
