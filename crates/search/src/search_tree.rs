//! The search tree: the parent of each stored state, in three bytes, or in four if there are more
//! states than three bytes can count. Labels are not kept; a trail is recovered by executing the
//! transitions again.

use beeline_kernel::StateId;

use crate::store::chunked_vec::ChunkedVec;

/// The number of states that three bytes can count.
const FEW: usize = 1 << 24;

/// A tree over the stored states, with the initial state as its root.
#[derive(Clone, Debug)]
pub(crate) struct SearchTree {
    /// The root is its own parent.
    parents: Parents,
}

#[derive(Clone, Debug)]
enum Parents {
    /// Up to [`FEW`] states.
    Few(ChunkedVec<[u8; 3]>),
    /// More states.
    Many(ChunkedVec<StateId>),
}

impl SearchTree {
    /// An empty tree.
    pub(crate) fn new() -> SearchTree {
        SearchTree { parents: Parents::Few(ChunkedVec::new()) }
    }

    /// Adds the state with the next id. The root is its own parent.
    #[inline]
    pub(crate) fn add(&mut self, parent: StateId) {
        match &mut self.parents {
            Parents::Few(parents) if parents.len() < FEW => parents.push(short(parent)),
            Parents::Few(_) => self.widen_and_add(parent),
            Parents::Many(parents) => parents.push(parent),
        }
    }

    /// Adds the states with the next ids, which have these parents.
    #[inline]
    pub(crate) fn add_all(&mut self, these: &[StateId]) {
        match &mut self.parents {
            Parents::Few(parents) if parents.len() + these.len() <= FEW => {
                parents.extend(these, |&parent| short(parent));
            }
            Parents::Few(_) => these.iter().for_each(|&parent| self.add(parent)),
            Parents::Many(parents) => parents.extend(these, |&parent| parent),
        }
    }

    /// Adds a state whose number exceeds three bytes.
    #[cold]
    fn widen_and_add(&mut self, parent: StateId) {
        let mut wider = ChunkedVec::new();
        (0..FEW).for_each(|child| wider.push(self.parent(child)));
        wider.push(parent);
        self.parents = Parents::Many(wider);
    }

    /// Gives a state another parent, which is not below it.
    #[inline]
    pub(crate) fn set(&mut self, child: StateId, parent: StateId) {
        match &mut self.parents {
            Parents::Few(parents) => parents.set(child.index(), short(parent)),
            Parents::Many(parents) => parents.set(child.index(), parent),
        }
    }

    fn parent(&self, child: usize) -> StateId {
        match &self.parents {
            Parents::Few(parents) => long(parents.at(child)),
            Parents::Many(parents) => parents.at(child),
        }
    }

    /// The states from the root to this one, both included.
    pub(crate) fn path_to(&self, state: StateId) -> Vec<StateId> {
        let mut path = vec![state];
        let mut child = state;
        loop {
            let parent = self.parent(child.index());
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
        match &self.parents {
            Parents::Few(parents) => parents.bytes(),
            Parents::Many(parents) => parents.bytes(),
        }
    }
}

#[inline]
fn short(id: StateId) -> [u8; 3] {
    let [a, b, c, ..] = id.index().to_le_bytes();
    [a, b, c]
}

fn long([a, b, c]: [u8; 3]) -> StateId {
    let index = u32::from_le_bytes([a, b, c, 0]) as usize;
    StateId::new(index).expect("it was an id before")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tree_of_many_states_remembers_all_of_them() {
        let id = |index: usize| StateId::new(index).unwrap();
        let mut tree = SearchTree::new();
        (0..FEW).for_each(|child| tree.add(id(child / 7)));
        tree.set(id(500), id(FEW - 1));
        assert_eq!(tree.bytes(), 3 * FEW);
        let before = [500, FEW - 1, 12_345_678].map(|state| tree.path_to(id(state)));
        tree.add(id(500));
        assert_eq!(tree.bytes(), 4 * FEW + 4 * (1 << 16));
        assert_eq!([500, FEW - 1, 12_345_678].map(|state| tree.path_to(id(state))), before);
        assert_eq!(tree.path_to(id(FEW))[..], [&before[0][..], &[id(FEW)]].concat());
        tree.set(id(3), id(FEW));
        assert_eq!(tree.path_to(id(3)).len(), before[0].len() + 2);
    }
}
