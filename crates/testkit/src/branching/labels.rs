//! Labels: a truth value for each state of a graph, as bits.

/// A truth value for each state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Labels {
    words: Vec<u64>,
    count: usize,
}

impl Labels {
    /// The same value for each of `count` states.
    pub fn all(count: usize, value: bool) -> Labels {
        let word = if value { u64::MAX } else { 0 };
        Labels { words: vec![word; count.div_ceil(64)], count }.within()
    }

    /// The values of a function.
    pub fn of(count: usize, mut value: impl FnMut(usize) -> bool) -> Labels {
        let mut labels = Labels::all(count, false);
        (0..count).filter(|&at| value(at)).for_each(|at| labels.set(at));
        labels
    }

    /// The value of a state.
    #[inline]
    pub fn has(&self, state: usize) -> bool {
        self.words[state / 64] >> (state % 64) & 1 != 0
    }

    /// Labels a state; returns whether it was not labelled.
    #[inline]
    pub fn insert(&mut self, state: usize) -> bool {
        let is_new = !self.has(state);
        self.set(state);
        is_new
    }

    /// Labels a state.
    #[inline]
    pub fn set(&mut self, state: usize) {
        self.words[state / 64] |= 1 << (state % 64);
    }

    /// Removes the label of a state.
    #[inline]
    pub fn clear(&mut self, state: usize) {
        self.words[state / 64] &= !(1 << (state % 64));
    }

    /// The labelled states, in ascending order.
    pub fn states(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.count).filter(|&at| self.has(at))
    }

    /// The number of labelled states.
    pub fn ones(&self) -> usize {
        self.words.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// The states that are not labelled.
    #[must_use]
    pub fn not(&self) -> Labels {
        let words = self.words.iter().map(|word| !word).collect();
        Labels { words, count: self.count }.within()
    }

    /// The states for which a function of the values of both, bit by bit, is true.
    #[must_use]
    pub fn with(&self, other: &Labels, value: impl Fn(u64, u64) -> u64) -> Labels {
        let words = self.words.iter().zip(&other.words).map(|(&a, &b)| value(a, b)).collect();
        Labels { words, count: self.count }.within()
    }

    /// Without bits behind the last state.
    fn within(mut self) -> Labels {
        if let Some(last) = self.words.last_mut()
            && !self.count.is_multiple_of(64)
        {
            *last &= (1 << (self.count % 64)) - 1;
        }
        self
    }
}
