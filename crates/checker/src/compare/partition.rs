//! Partitions of states that become finer in rounds, and the round that separates two states.
//!
//! The blocks of all rounds form a tree: the blocks into which a block is split in a round are its
//! children. Two states are separated in the round that made the children of their last common
//! block.

/// A block of the tree.
#[derive(Clone, Copy)]
struct Block {
    parent: u32,
    /// The round that made it; 0 for the block of all states.
    round: u32,
}

/// A partition with its history.
pub(super) struct Partition {
    /// For each state the number of its class.
    classes: Vec<u32>,
    /// For each class the number of its states.
    sizes: Vec<u32>,
    /// For each class its block.
    leaves: Vec<u32>,
    tree: Vec<Block>,
}

impl Partition {
    /// All states in one class.
    pub(super) fn new(states: usize) -> Partition {
        Partition {
            classes: vec![0; states],
            sizes: vec![states as u32],
            leaves: vec![0],
            tree: vec![Block { parent: 0, round: 0 }],
        }
    }

    /// The class of a state.
    pub(super) fn class(&self, state: u32) -> u32 {
        self.classes[state as usize]
    }

    /// The number of states of a class.
    pub(super) fn size(&self, class: u32) -> usize {
        self.sizes[class as usize] as usize
    }

    /// Memory in bytes.
    pub(super) fn bytes(&self) -> usize {
        (self.classes.capacity() + self.sizes.capacity() + self.leaves.capacity()) * 4
            + self.tree.capacity() * size_of::<Block>()
    }

    /// Splits a class into these groups of its states and the rest of it, which is not empty or is
    /// the first group. The rest keeps the number of the class.
    pub(super) fn split<'s>(
        &mut self,
        class: u32,
        groups: impl Iterator<Item = &'s [u32]>,
        round: u32,
    ) {
        let parent = self.leaves[class as usize];
        self.leaves[class as usize] = self.add(parent, round);
        for group in groups {
            let new = self.sizes.len() as u32;
            let leaf = self.add(parent, round);
            self.leaves.push(leaf);
            self.sizes.push(group.len() as u32);
            self.sizes[class as usize] -= group.len() as u32;
            group.iter().for_each(|&state| self.classes[state as usize] = new);
        }
    }

    fn add(&mut self, parent: u32, round: u32) -> u32 {
        self.tree.push(Block { parent, round });
        self.tree.len() as u32 - 1
    }

    /// The round that separated two states; `None` if they are in the same class.
    pub(super) fn separated(&self, one: u32, other: u32) -> Option<u32> {
        let leaf = |state: u32| self.leaves[self.class(state) as usize];
        let (mut one, mut other) = (leaf(one), leaf(other));
        let mut separated = None;
        while one != other {
            let (block, opposite) = (self.tree[one as usize], self.tree[other as usize]);
            separated = Some(block.round.max(opposite.round));
            if block.round >= opposite.round {
                one = block.parent;
            }
            if opposite.round >= block.round {
                other = opposite.parent;
            }
        }
        separated
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn states_are_separated_by_the_first_round_that_tells_them_apart() {
        let mut partition = Partition::new(5);
        partition.split(0, [&[3, 4][..]].into_iter(), 1);
        let class = partition.class(3);
        partition.split(class, [&[4][..]].into_iter(), 2);
        partition.split(0, [&[1][..], &[2]].into_iter(), 3);
        for (one, other, round) in [
            (0, 3, Some(1)),
            (2, 4, Some(1)),
            (3, 4, Some(2)),
            (0, 1, Some(3)),
            (1, 2, Some(3)),
            (2, 2, None),
        ] {
            assert_eq!(partition.separated(one, other), round, "{one} {other}");
            assert_eq!(partition.separated(other, one), round, "{other} {one}");
        }
        assert_eq!(partition.size(0), 1);
    }
}
