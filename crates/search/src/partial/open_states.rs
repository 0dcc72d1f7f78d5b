//! The states that wait in a partial search: in full, since nothing else is known of them,
//! and each once. Their places are numbers for [`BucketOpenList`](crate::BucketOpenList), given to others when
//! they are free again.
//!
//! A place is free when no entry of the open list names it: one that was left behind by a
//! state with a better rank now must not lead to someone else.

use beeline_kernel::StateId;

use crate::hash_index::HashIndex;
use crate::nodes::Node;
use crate::store::{FoldedMultiply, StateHash};

/// A state that waits.
#[derive(Clone, Debug)]
pub(super) struct OpenState {
    /// `None` when it does not wait any more.
    state: Option<Box<[u8]>>,
    /// How it was reached: the parent is the number of an expansion.
    pub(super) node: Node,
    /// Which successor of that it is.
    pub(super) way: u32,
    /// What decides between equals.
    pub(super) second: u32,
    /// How many entries of the open list name it.
    entries: u32,
}

/// All states that wait.
#[derive(Clone, Debug, Default)]
pub(super) struct OpenStates {
    places: Vec<OpenState>,
    free: Vec<StateId>,
    index: HashIndex,
    len: usize,
    state_bytes: usize,
}

impl OpenStates {
    /// Where a state waits, if it does.
    #[inline]
    pub(super) fn find(&self, state: &[u8]) -> Option<StateId> {
        let same = |at: u32| self.places[at as usize].state.as_deref() == Some(state);
        let at = self.index.find(FoldedMultiply::hash(state), same)?;
        StateId::new(at as usize)
    }

    /// Lets a state wait that does not, with an entry of the open list that its caller is
    /// about to make. `None` when the numbers have run out.
    pub(super) fn add(
        &mut self,
        state: &[u8],
        node: Node,
        way: u32,
        second: u32,
    ) -> Option<StateId> {
        let place = OpenState { state: Some(state.into()), node, way, second, entries: 1 };
        let at = match self.free.pop() {
            Some(at) => {
                self.places[at.index()] = place;
                at
            }
            None => {
                let at =
                    StateId::new(self.places.len()).filter(|at| at.index() < HashIndex::MOST)?;
                self.places.push(place);
                at
            }
        };
        self.index.add(FoldedMultiply::hash(state), at.index() as u32);
        self.len += 1;
        self.state_bytes += state.len();
        Some(at)
    }

    /// What is known about a place.
    #[inline]
    pub(super) fn at(&self, at: StateId) -> &OpenState {
        &self.places[at.index()]
    }

    /// Replaces how a state was reached, which takes another entry if `has_entry`.
    pub(super) fn reach_again(&mut self, at: StateId, node: Node, way: u32, has_entry: bool) {
        let place = &mut self.places[at.index()];
        (place.node, place.way) = (node, way);
        place.entries += u32::from(has_entry);
    }

    /// Takes note that an entry was taken out. Says whether a state still waits there.
    pub(super) fn drop_entry(&mut self, at: StateId) -> bool {
        let place = &mut self.places[at.index()];
        place.entries -= 1;
        let waits = place.state.is_some();
        if !waits && place.entries == 0 {
            self.free.push(at);
        }
        waits
    }

    /// Takes a state out, whose entry was dropped before.
    pub(super) fn take(&mut self, at: StateId) -> (Box<[u8]>, OpenState) {
        let place = &mut self.places[at.index()];
        let state = place.state.take().expect("a state waits there");
        let place = place.clone();
        self.index.remove(FoldedMultiply::hash(&state), at.index() as u32);
        if place.entries == 0 {
            self.free.push(at);
        }
        self.len -= 1;
        self.state_bytes -= state.len();
        (state, place)
    }

    /// How many states wait.
    #[inline]
    pub(super) fn len(&self) -> usize {
        self.len
    }

    /// Memory held.
    #[inline]
    pub(super) fn bytes(&self) -> usize {
        let places = self.places.capacity() * size_of::<OpenState>();
        let free = self.free.capacity() * size_of::<StateId>();
        self.state_bytes + places + free + self.index.bytes()
    }
}

#[cfg(test)]
mod tests {
    use beeline_kernel::{Cost, Estimate};

    use super::*;

    #[test]
    fn a_place_is_free_when_nobody_names_it() {
        let mut waiting = OpenStates::default();
        let root = StateId::new(0).unwrap();
        let node = |g| Node::new(g, root, Estimate::Finite(Cost(0)));
        let one = waiting.add(&[1], node(5), 0, 0).unwrap();
        let two = waiting.add(&[2], node(5), 1, 0).unwrap();
        assert_eq!((waiting.find(&[1]), waiting.find(&[2])), (Some(one), Some(two)));
        waiting.reach_again(one, node(4), 7, true);
        assert!(waiting.drop_entry(one));
        let (state, place) = waiting.take(one);
        assert_eq!((&*state, place.node.g, place.way), (&[1][..], 4, 7));
        assert_eq!((waiting.find(&[1]), waiting.len()), (None, 1));
        // Its other entry is still there.
        let three = waiting.add(&[3], node(1), 0, 0).unwrap();
        assert_ne!(three, one);
        assert!(!waiting.drop_entry(one));
        assert_eq!(waiting.add(&[4], node(1), 0, 0), Some(one));
        assert_eq!(waiting.len(), 3);
    }
}
