//! Sets of stored states: one bit for each state.

use beeline_kernel::StateId;

/// A set of stored states.
#[derive(Clone, Debug, Default)]
pub(crate) struct StateBits(Vec<u64>);

impl StateBits {
    /// Whether a state is in it.
    #[inline]
    pub(crate) fn has(&self, id: StateId) -> bool {
        let (word, bit) = (id.index() / 64, id.index() % 64);
        self.0.get(word).is_some_and(|bits| bits >> bit & 1 == 1)
    }

    /// Adds a state.
    #[inline]
    pub(crate) fn add(&mut self, id: StateId) {
        let (word, bit) = (id.index() / 64, id.index() % 64);
        if word >= self.0.len() {
            self.0.resize(word + 1, 0);
        }
        self.0[word] |= 1 << bit;
    }

    /// Removes a state, and returns whether it was in the set.
    #[inline]
    pub(crate) fn take(&mut self, id: StateId) -> bool {
        let was_there = self.has(id);
        if was_there {
            self.0[id.index() / 64] &= !(1 << (id.index() % 64));
        }
        was_there
    }

    /// Memory held.
    #[inline]
    pub(crate) fn bytes(&self) -> usize {
        self.0.capacity() * size_of::<u64>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_added_is_there_until_it_is_taken() {
        let id = |index| StateId::new(index).expect("a small number");
        let mut bits = StateBits::default();
        assert!(!bits.take(id(200)));
        [0, 63, 64, 200].into_iter().for_each(|index| bits.add(id(index)));
        assert!(bits.take(id(63)) && !bits.take(id(63)));
        let there: Vec<usize> = (0..300).filter(|&index| bits.has(id(index))).collect();
        assert_eq!(there, [0, 64, 200]);
    }
}
