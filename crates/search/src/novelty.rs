//! Novelty: the least number of facts that distinguish a state from all earlier states with the
//! same estimate. A fact is a byte of the state with its position.
//!
//! On a plateau all estimates are equal. There, a state with a fact that never occurred before is
//! more promising than one without.
//!
//! Source: [LG17], best-first width search with ⟨w, h⟩.
//! Deviations: facts and pairs are bits of a hash table of fixed size, so that a collision may rate
//! a state as less novel than it is; this changes the order of a search and nothing else. Only
//! pairs with a fact that the last step has changed count: the others occurred before it, if not
//! always under the same estimate.

use beeline_kernel::SplitMix64;

use crate::diversification::NoveltyWidth;

/// The scope of comparison: states with the same estimate.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NoveltyScope {
    /// The number of the heuristic.
    pub(crate) heuristic: usize,
    /// Its estimate of the state.
    pub(crate) h: u32,
    /// Whether the parent of the state has the same estimate.
    pub(crate) has_parent: bool,
}

/// The facts and pairs of facts that occurred before.
#[derive(Clone, Debug)]
pub(crate) struct Novelty {
    width: NoveltyWidth,
    bits: Vec<u64>,
    /// Facts of the state that is rated. Kept for its memory.
    facts: Vec<u64>,
}

impl Novelty {
    /// No fact occurred yet.
    pub(crate) fn new(width: NoveltyWidth) -> Novelty {
        let bytes = match width {
            NoveltyWidth::One => 2 << 20,
            NoveltyWidth::Two => 16 << 20,
        };
        Novelty { width, bits: vec![0; bytes / size_of::<u64>()], facts: Vec::new() }
    }

    /// The novelty of a state with this parent: 0 when a single fact is new, 1 when a pair is, and
    /// so on; the width when none is.
    pub(crate) fn rate(&mut self, scope: NoveltyScope, state: &[u8], parent: &[u8]) -> u8 {
        let seed = mix(mix(scope.heuristic as u64) ^ u64::from(scope.h));
        let Novelty { width, bits, facts } = self;
        facts.clear();
        facts.extend(
            (0_u64..).zip(state).map(|(at, &byte)| mix(seed ^ (at << 8 | u64::from(byte)))),
        );
        let has_changed = |at: usize| parent.get(at) != Some(&state[at]);
        let mut single = false;
        for (at, &fact) in facts.iter().enumerate() {
            // Facts of the parent were noted when the parent was rated.
            if !scope.has_parent || has_changed(at) {
                single |= note(bits, fact);
            }
        }
        let mut pair = false;
        if *width == NoveltyWidth::Two {
            for one in (0..facts.len()).filter(|&one| has_changed(one)) {
                for (two, &other) in facts.iter().enumerate() {
                    // A pair of two changed facts counts once.
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

/// Sets the bit of a hash, and returns whether it was clear.
fn note(bits: &mut [u64], hash: u64) -> bool {
    let (word, bit) = ((hash >> 6) as usize % bits.len(), 1 << (hash & 63));
    let is_new = bits[word] & bit == 0;
    bits[word] |= bit;
    is_new
}

/// A hash of a number: every bit depends on every bit.
fn mix(number: u64) -> u64 {
    SplitMix64::new(number).next_u64()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The novelty of each state, where each is the parent of the next.
    fn rates<'s>(width: NoveltyWidth, states: &[(u32, &'s [u8])]) -> Vec<u8> {
        let mut novelty = Novelty::new(width);
        let mut before: (u32, &'s [u8]) = (u32::MAX, &[]);
        let rate = |&(h, state): &(u32, &'s [u8])| {
            let scope = NoveltyScope { heuristic: 0, h, has_parent: h == before.0 };
            let found = novelty.rate(scope, state, before.1);
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
