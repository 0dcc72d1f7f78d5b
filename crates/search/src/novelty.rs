//! Novelty: how few facts it takes to tell a state from all states with the same estimate that
//! came before. A fact is a byte of the state with its place.
//!
//! On a plateau all estimates are the same, and tell nothing. There, a state in which
//! something is as it never was before is worth more than one in which everything was seen.
//!
//! Source: [LG17], best-first width search with ⟨w, h⟩.
//! Deviations: facts and pairs are bits of a table of fixed size, so that two of them may be
//! taken for one, and a state be called less novel than it is; this changes the order of a
//! search and nothing else. Of pairs, only those count of which the last step has changed a
//! part: the others were there before it, if not always under the same estimate.

use beeline_kernel::SplitMix64;

use crate::diversification::NoveltyWidth;

/// What was there before.
#[derive(Clone, Debug)]
pub(crate) struct Novelty {
    width: NoveltyWidth,
    bits: Vec<u64>,
    /// Facts of the state that is looked at. Kept for its memory.
    facts: Vec<u64>,
}

impl Novelty {
    /// Nothing was.
    pub(crate) fn new(width: NoveltyWidth) -> Novelty {
        let bytes = match width {
            NoveltyWidth::One => 2 << 20,
            NoveltyWidth::Two => 16 << 20,
        };
        Novelty { width, bits: vec![0; bytes / size_of::<u64>()], facts: Vec::new() }
    }

    /// What is new about a state that comes from another one: 0 when a single fact is, 1 when
    /// a pair is, and so on; the width when nothing is. `scope` are the states to compare
    /// with, and `is_within` says whether the other one is of that scope.
    pub(crate) fn rate(
        &mut self,
        scope: (usize, u32),
        state: &[u8],
        from: &[u8],
        is_within: bool,
    ) -> u8 {
        let seed = mix(mix(scope.0 as u64) ^ u64::from(scope.1));
        let Novelty { width, bits, facts } = self;
        facts.clear();
        facts.extend(
            (0_u64..).zip(state).map(|(at, &byte)| mix(seed ^ (at << 8 | u64::from(byte)))),
        );
        let has_changed = |at: usize| from.get(at) != Some(&state[at]);
        let mut single = false;
        for (at, &fact) in facts.iter().enumerate() {
            // What the other one had as well was noted when that one came.
            if !is_within || has_changed(at) {
                single |= note(bits, fact);
            }
        }
        let mut pair = false;
        if *width == NoveltyWidth::Two {
            for one in (0..facts.len()).filter(|&one| has_changed(one)) {
                for (two, &other) in facts.iter().enumerate() {
                    // A pair of which both parts have changed is looked at once.
                    if two < one || !has_changed(two) {
                        pair |= note(bits, mix(facts[one].wrapping_add(other)));
                    }
                }
            }
        }
        match (*width, single, pair) {
            (_, true, _) => 0,
            (NoveltyWidth::One, false, _) | (NoveltyWidth::Two, false, true) => 1,
            (NoveltyWidth::Two, false, false) => 2,
        }
    }

    /// Memory held.
    pub(crate) fn bytes(&self) -> usize {
        (self.bits.capacity() + self.facts.capacity()) * size_of::<u64>()
    }
}

/// Takes note of a hash, and says whether it is new.
fn note(bits: &mut [u64], hash: u64) -> bool {
    let (word, bit) = ((hash >> 6) as usize % bits.len(), 1 << (hash & 63));
    let is_new = bits[word] & bit == 0;
    bits[word] |= bit;
    is_new
}

/// A number of which every bit depends on every bit.
fn mix(number: u64) -> u64 {
    SplitMix64::new(number).next_u64()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is new about each state, where each comes from the one before it.
    fn rates<'s>(width: NoveltyWidth, states: &[(u32, &'s [u8])]) -> Vec<u8> {
        let mut novelty = Novelty::new(width);
        let mut before: (u32, &'s [u8]) = (u32::MAX, &[]);
        let rate = |&(h, state): &(u32, &'s [u8])| {
            let found = novelty.rate((0, h), state, before.1, h == before.0);
            before = (h, state);
            found
        };
        states.iter().map(rate).collect()
    }

    #[test]
    fn facts_are_compared_under_the_same_estimate() {
        let states: [(u32, &[u8]); 6] =
            [(5, &[0, 0]), (5, &[0, 1]), (5, &[1, 1]), (5, &[1, 0]), (4, &[1, 0]), (5, &[1, 0, 0])];
        assert_eq!(rates(NoveltyWidth::One, &states), [0, 0, 0, 1, 0, 0]);
    }

    #[test]
    fn pairs_are_new_where_facts_are_not() {
        let states: [(u32, &[u8]); 6] =
            [(5, &[0, 0]), (5, &[0, 1]), (5, &[1, 1]), (5, &[1, 0]), (5, &[0, 0]), (5, &[0, 1])];
        assert_eq!(rates(NoveltyWidth::Two, &states), [0, 0, 0, 1, 2, 2]);
        let other = [(5, &[0, 0][..]), (6, &[0, 1]), (5, &[0, 0]), (6, &[0, 0])];
        assert_eq!(rates(NoveltyWidth::Two, &other), [0, 0, 2, 0]);
    }
}
