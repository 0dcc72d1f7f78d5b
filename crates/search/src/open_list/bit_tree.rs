//! A set of small numbers with fast access to the least one: a tree of bits, 64 to a node. It is
//! three nodes high, so each operation reads three words, however many numbers there are.
//!
//! Source: van Emde Boas trees [vEB77], cut off at a fixed height; the usual way to find the first
//! non-empty bucket of a bucket queue.

/// All numbers are less than this.
pub(crate) const END: usize = 1 << (3 * BITS);
const BITS: u32 = 6;
const MASK: usize = (1 << BITS) - 1;

/// A set of numbers less than [`END`].
#[derive(Clone, Debug, Default)]
pub(crate) struct BitTree {
    /// The words of `middle` that are not zero.
    top: u64,
    /// The words of `leaves` that are not zero.
    middle: Vec<u64>,
    /// The numbers.
    leaves: Vec<u64>,
}

impl BitTree {
    /// Adds a number.
    #[inline]
    pub(crate) fn insert(&mut self, number: usize) {
        debug_assert!(number < END);
        let (leaf, middle) = (number >> BITS, number >> (2 * BITS));
        if leaf >= self.leaves.len() {
            self.leaves.resize(leaf + 1, 0);
            self.middle.resize(middle + 1, 0);
        }
        self.leaves[leaf] |= 1 << (number & MASK);
        self.middle[middle] |= 1 << (leaf & MASK);
        self.top |= 1 << middle;
    }

    /// Removes a number of the set.
    #[inline]
    pub(crate) fn remove(&mut self, number: usize) {
        let (leaf, middle) = (number >> BITS, number >> (2 * BITS));
        self.leaves[leaf] &= !(1 << (number & MASK));
        if self.leaves[leaf] == 0 {
            self.middle[middle] &= !(1 << (leaf & MASK));
            if self.middle[middle] == 0 {
                self.top &= !(1 << middle);
            }
        }
    }

    /// The least number.
    #[inline]
    pub(crate) fn first(&self) -> Option<usize> {
        if self.top == 0 {
            return None;
        }
        let middle = self.top.trailing_zeros() as usize;
        let leaf = middle << BITS | self.middle[middle].trailing_zeros() as usize;
        Some(leaf << BITS | self.leaves[leaf].trailing_zeros() as usize)
    }

    /// Memory held.
    #[inline]
    pub(crate) fn bytes(&self) -> usize {
        (self.middle.capacity() + self.leaves.capacity()) * size_of::<u64>()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use beeline_kernel::SplitMix64;

    use super::*;

    #[test]
    fn agrees_with_a_sorted_set() {
        let mut rng = SplitMix64::new(3);
        for end in [3, 70, 5_000, END] {
            let (mut lowest, mut model) = (BitTree::default(), BTreeSet::new());
            for _ in 0..3_000 {
                let number = rng.below(end);
                if rng.below(3) > 0 {
                    lowest.insert(number);
                    model.insert(number);
                } else if let Some(first) = lowest.first() {
                    lowest.remove(first);
                    assert!(model.remove(&first));
                }
                assert_eq!(lowest.first(), model.first().copied());
            }
        }
    }
}
