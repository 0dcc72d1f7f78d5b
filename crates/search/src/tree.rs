//! Who found whom: for each stored state the one it was reached from, four bytes
//! each. Labels are not kept; a trail is recovered by executing the moves again.

use beeline_kernel::StateId;

use crate::store::pages::Pages;

/// A tree over the stored states, with the initial state as its root.
#[derive(Clone, Debug)]
pub(crate) struct Tree {
    /// The root is its own parent.
    parents: Pages<StateId>,
}

impl Tree {
    /// An empty tree.
    pub(crate) fn new() -> Tree {
        Tree { parents: Pages::new() }
    }

    /// Adds the state with the next id. The root names itself.
    #[inline]
    pub(crate) fn add(&mut self, parent: StateId) {
        self.parents.push(parent);
    }

    /// Moves a state to another parent, which is not below it.
    pub(crate) fn set(&mut self, child: StateId, parent: StateId) {
        self.parents.set(child.index(), parent);
    }

    /// The states from the root to this one, both included.
    pub(crate) fn path_to(&self, state: StateId) -> Vec<StateId> {
        let mut path = vec![state];
        let mut child = state;
        loop {
            let parent = self.parents.at(child.index());
            if parent == child {
                path.reverse();
                return path;
            }
            path.push(parent);
            child = parent;
        }
    }

    /// Memory held.
    pub(crate) fn bytes(&self) -> usize {
        self.parents.bytes()
    }
}
