//! A set of small numbers, in one word as long as they are below 64.
//!
//! Promise: equal sets are equal values, so sets can be compared, ordered and hashed.

use std::cmp::Ordering;

/// A set of numbers.
#[derive(Clone, Debug, Default, Eq, Hash)]
#[allow(clippy::derived_hash_with_manual_eq, reason = "the same equality, only sooner")]
pub(crate) struct Bits {
    low: u64,
    /// The numbers from 64 on; the last word is not zero.
    high: Vec<u64>,
}

impl Bits {
    /// The numbers below `bound`.
    pub(crate) fn below(bound: usize) -> Self {
        (0..bound).collect()
    }

    fn word(&self, at: usize) -> u64 {
        if at == 0 { self.low } else { self.high.get(at - 1).copied().unwrap_or(0) }
    }

    fn words(&self) -> usize {
        self.high.len() + 1
    }

    fn combine(&self, other: &Self, words: usize, operation: impl Fn(u64, u64) -> u64) -> Self {
        let low = operation(self.low, other.low);
        if words == 1 {
            return Self { low, high: Vec::new() };
        }
        let word = |at| operation(self.word(at), other.word(at));
        let mut high: Vec<u64> = (1..words).map(word).collect();
        while high.last() == Some(&0) {
            high.pop();
        }
        Self { low, high }
    }

    pub(crate) fn union(&self, other: &Self) -> Self {
        self.combine(other, self.words().max(other.words()), |one, two| one | two)
    }

    pub(crate) fn intersection(&self, other: &Self) -> Self {
        self.combine(other, self.words().min(other.words()), |one, two| one & two)
    }

    pub(crate) fn difference(&self, other: &Self) -> Self {
        self.combine(other, self.words(), |one, two| one & !two)
    }

    pub(crate) fn is_subset(&self, other: &Self) -> bool {
        self.low & !other.low == 0
            && (1..self.words()).all(|at| self.word(at) & !other.word(at) == 0)
    }

    pub(crate) fn intersects(&self, other: &Self) -> bool {
        let words = self.words().min(other.words());
        (0..words).any(|at| self.word(at) & other.word(at) != 0)
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.low == 0 && self.high.is_empty()
    }

    pub(crate) fn contains(&self, number: usize) -> bool {
        self.word(number / 64) >> (number % 64) & 1 == 1
    }

    pub(crate) fn insert(&mut self, number: usize) {
        let bit = 1 << (number % 64);
        match number / 64 {
            0 => self.low |= bit,
            at => {
                if self.high.len() < at {
                    self.high.resize(at, 0);
                }
                self.high[at - 1] |= bit;
            }
        }
    }

    pub(crate) fn remove(&mut self, number: usize) {
        let bit = 1 << (number % 64);
        match number / 64 {
            0 => self.low &= !bit,
            at if at <= self.high.len() => {
                self.high[at - 1] &= !bit;
                while self.high.last() == Some(&0) {
                    self.high.pop();
                }
            }
            _ => {}
        }
    }

    /// The numbers, smallest first.
    pub(crate) fn iter(&self) -> impl Iterator<Item = usize> {
        (0..self.words()).flat_map(|at| {
            let mut word = self.word(at);
            std::iter::from_fn(move || {
                let bit = word.trailing_zeros() as usize;
                (word != 0).then(|| {
                    word &= word - 1;
                    at * 64 + bit
                })
            })
        })
    }
}

/// Most sets have one word; comparing the rest costs a call.
impl PartialEq for Bits {
    fn eq(&self, other: &Self) -> bool {
        self.low == other.low
            && (self.high.is_empty() && other.high.is_empty() || self.high == other.high)
    }
}

impl Ord for Bits {
    fn cmp(&self, other: &Self) -> Ordering {
        match self.low.cmp(&other.low) {
            Ordering::Equal if self.high.is_empty() && other.high.is_empty() => Ordering::Equal,
            Ordering::Equal => self.high.cmp(&other.high),
            different => different,
        }
    }
}

impl PartialOrd for Bits {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl FromIterator<usize> for Bits {
    fn from_iter<I: IntoIterator<Item = usize>>(numbers: I) -> Self {
        let mut bits = Self::default();
        numbers.into_iter().for_each(|number| bits.insert(number));
        bits
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_sets_are_equal_values() {
        let mut one: Bits = [3, 64, 200].into_iter().collect();
        one.remove(200);
        let two: Bits = [64, 3].into_iter().collect();
        assert_eq!(one, two);
        assert_eq!(one.iter().collect::<Vec<_>>(), [3, 64]);
        assert_eq!(one.difference(&two), Bits::default());
        let wide: Bits = [3, 130].into_iter().collect();
        assert_eq!(one.intersection(&wide), [3].into_iter().collect());
        assert!(!one.is_subset(&wide) && one.is_subset(&one.union(&wide)));
        assert_eq!(wide.difference(&[130].into_iter().collect()), [3].into_iter().collect());
    }
}
