//! Random formulas and words, the same for the same seed.
#![allow(dead_code, reason = "each test uses its own part")]

use beeline_logic::{Atom, Formula, Letters, Word};

/// A generator of random numbers: splitmix64.
pub(crate) struct Dice(u64);

impl Dice {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed)
    }

    pub(crate) fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^= mixed >> 31;
        (((mixed >> 32) * bound as u64) >> 32) as usize
    }

    /// A formula with this many operators and atoms.
    pub(crate) fn formula(&mut self, size: usize, atoms: usize) -> Formula {
        self.built(size, atoms, true)
    }

    /// As above, without X.
    pub(crate) fn stutter_invariant(&mut self, size: usize, atoms: usize) -> Formula {
        self.built(size, atoms, false)
    }

    fn built(&mut self, size: usize, atoms: usize, next: bool) -> Formula {
        if size <= 1 {
            return match self.below(20) {
                0 => Formula::True,
                1 => Formula::False,
                _ => Formula::atom(self.below(atoms) as u32),
            };
        }
        if size == 2 || self.below(10) < 4 {
            let one = self.built(size - 1, atoms, next);
            return match self.below(if next { 5 } else { 4 }) {
                0 | 1 => one.not(),
                2 => one.eventually(),
                3 => one.always(),
                _ => one.next(),
            };
        }
        let left = 1 + self.below(size - 2);
        let one = self.built(left, atoms, next);
        let two = self.built(size - 1 - left, atoms, next);
        match self.below(10) {
            0 | 1 => one.and(two),
            2 | 3 => one.or(two),
            4 => one.implies(two),
            5 => one.iff(two),
            6 | 7 => one.until(two),
            8 => one.release(two),
            _ => one.weak_until(two),
        }
    }

    /// A word with a short stem and a short cycle.
    pub(crate) fn word(&mut self, atoms: usize) -> Word {
        let stem = self.below(5);
        let cycle = 1 + self.below(4);
        let density = 1 + self.below(4);
        let mut letters = |length: usize| -> Vec<Letters> {
            let mut letter = || {
                let present = |_: &u32| self.below(5) < density;
                (0..atoms as u32).filter(present).map(Atom).collect()
            };
            (0..length).map(|_| letter()).collect()
        };
        let (stem, cycle) = (letters(stem), letters(cycle));
        Word::new(stem, cycle).expect("the cycle is not empty")
    }
}
