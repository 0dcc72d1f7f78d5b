//! The open states of a partial search, each in full and once. The open list holds the numbers of
//! their slots, which are reused.
//!
//! A slot is free when no entry of the open list refers to it: an outdated entry must not lead to
//! another state.

use beeline_kernel::StateId;

use crate::hash_index::HashIndex;
use crate::nodes::SearchNode;
use crate::store::{FoldedMultiply, StateHash};

/// An open state.
#[derive(Clone, Debug)]
pub(super) struct OpenState {
    /// `None` when it is not open any more.
    state: Option<Box<[u8]>>,
    /// Its node. The parent is the number of a link.
    pub(super) node: SearchNode,
    /// Its number as a successor of its parent.
    pub(super) transition: u32,
    /// Its estimate by the tie breaker.
    pub(super) tie: u32,
    /// The number of entries of the open list that refer to it.
    entries: u32,
}

impl OpenState {
    /// The state.
    pub(super) fn state(&self) -> &[u8] {
        self.state.as_deref().expect("it is open")
    }
}

/// All open states.
#[derive(Clone, Debug, Default)]
pub(super) struct OpenStates {
    slots: Vec<OpenState>,
    free: Vec<StateId>,
    index: HashIndex,
    len: usize,
    state_bytes: usize,
}

impl OpenStates {
    /// The slot of a state, if it is open.
    #[inline]
    pub(super) fn find(&self, state: &[u8]) -> Option<StateId> {
        let same = |at: u32| self.slots[at as usize].state.as_deref() == Some(state);
        let at = self.index.find(FoldedMultiply::hash(state), same)?;
        StateId::new(at as usize)
    }

    /// Adds a state that is not open, with an entry of the open list that the caller is about to
    /// make. `None` when the numbers run out.
    pub(super) fn add(
        &mut self,
        state: &[u8],
        node: SearchNode,
        transition: u32,
        tie: u32,
    ) -> Option<StateId> {
        let slot = OpenState { state: Some(state.into()), node, transition, tie, entries: 1 };
        let at = match self.free.pop() {
            Some(at) => {
                self.slots[at.index()] = slot;
                at
            }
            None => {
                let at =
                    StateId::new(self.slots.len()).filter(|at| at.index() < HashIndex::MOST)?;
                self.slots.push(slot);
                at
            }
        };
        self.index.add(FoldedMultiply::hash(state), at.index() as u32);
        self.len += 1;
        self.state_bytes += state.len();
        Some(at)
    }

    /// The state of a slot.
    #[inline]
    pub(super) fn at(&self, at: StateId) -> &OpenState {
        &self.slots[at.index()]
    }

    /// Replaces the node of a state. `is_pushed` says whether the open list gets another entry.
    pub(super) fn improve(
        &mut self,
        at: StateId,
        node: SearchNode,
        transition: u32,
        is_pushed: bool,
    ) {
        let slot = &mut self.slots[at.index()];
        (slot.node, slot.transition) = (node, transition);
        slot.entries += u32::from(is_pushed);
    }

    /// Counts an entry that was removed. Returns whether the slot still has a state.
    pub(super) fn drop_entry(&mut self, at: StateId) -> bool {
        let slot = &mut self.slots[at.index()];
        slot.entries -= 1;
        let is_open = slot.state.is_some();
        if !is_open && slot.entries == 0 {
            self.free.push(at);
        }
        is_open
    }

    /// Removes a state whose entry was dropped before.
    pub(super) fn take(&mut self, at: StateId) -> (Box<[u8]>, OpenState) {
        let slot = &mut self.slots[at.index()];
        let state = slot.state.take().expect("the slot has a state");
        let slot = slot.clone();
        self.index.remove(FoldedMultiply::hash(&state), at.index() as u32);
        if slot.entries == 0 {
            self.free.push(at);
        }
        self.len -= 1;
        self.state_bytes -= state.len();
        (state, slot)
    }

    /// The number of open states.
    #[inline]
    pub(super) fn len(&self) -> usize {
        self.len
    }

    /// Memory held.
    #[inline]
    pub(super) fn bytes(&self) -> usize {
        let slots = self.slots.capacity() * size_of::<OpenState>();
        let free = self.free.capacity() * size_of::<StateId>();
        self.state_bytes + slots + free + self.index.bytes()
    }
}

#[cfg(test)]
mod tests {
    use beeline_kernel::{Cost, Estimate};

    use super::*;

    #[test]
    fn a_place_is_free_when_nobody_names_it() {
        let mut open = OpenStates::default();
        let root = StateId::new(0).unwrap();
        let node = |g| SearchNode::new(g, root, Estimate::Finite(Cost(0)));
        let one = open.add(&[1], node(5), 0, 0).unwrap();
        let two = open.add(&[2], node(5), 1, 0).unwrap();
        assert_eq!((open.find(&[1]), open.find(&[2])), (Some(one), Some(two)));
        open.improve(one, node(4), 7, true);
        assert!(open.drop_entry(one));
        let (state, slot) = open.take(one);
        assert_eq!((&*state, slot.node.g, slot.transition), (&[1][..], 4, 7));
        assert_eq!((open.find(&[1]), open.len()), (None, 1));
        // The other entry of its slot is still in the open list.
        let three = open.add(&[3], node(1), 0, 0).unwrap();
        assert_ne!(three, one);
        assert!(!open.drop_entry(one));
        assert_eq!(open.add(&[4], node(1), 0, 0), Some(one));
        assert_eq!(open.len(), 3);
    }
}
