//! Partial order reduction: which ways out of a state can stand for all of them.

use crate::{FaultKind, Transition};

/// Proposes sets of ways that are enough to look at.
///
/// A set that is proposed is sound as far as the state alone can tell: conditions C0 to C2 of
/// \[EMJ05\], "Partial Order Reduction". Whether it is also sound to postpone the other ways
/// once more (C3) depends on what the search has done so far, and is its own affair.
pub trait Reducer: Send {
    /// Proposes sets of the ways out of `state`, which are `ways`, all of them and in the order
    /// found; replaces what is in `choices`. The set that promises most comes first. Nothing is
    /// proposed where all ways are needed. Asked twice, the answer is the same.
    fn propose(&mut self, state: &[u8], transitions: &[Transition], choices: &mut CandidateSets);

    /// Whether a way that fails like this goes on all the same, so that it is among the ways out
    /// of its state. About a state in which others fail, nobody asks: all its ways are kept.
    fn passes(&self, _fault: FaultKind) -> bool {
        false
    }

    /// What it did so far, in about as many nanoseconds, as far as that is worth counting.
    fn effort(&self) -> u64 {
        0
    }
}

/// Sets of ways, each by the numbers of its ways, ascending.
#[derive(Clone, Debug, Default)]
pub struct CandidateSets {
    numbers: Vec<u32>,
    ends: Vec<usize>,
}

impl CandidateSets {
    /// Forgets all, keeping the memory.
    pub fn clear(&mut self) {
        self.numbers.clear();
        self.ends.clear();
    }

    /// Adds a set.
    pub fn push(&mut self, transitions: impl IntoIterator<Item = u32>) {
        self.numbers.extend(transitions);
        self.ends.push(self.numbers.len());
    }

    /// The sets, in the order they were added.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &[u32]> {
        self.ends.iter().enumerate().map(|(at, &end)| {
            let start = if at == 0 { 0 } else { self.ends[at - 1] };
            &self.numbers[start..end]
        })
    }

    /// How many sets there are.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }
}

/// What a reduction must preserve besides deadlocks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Preserve {
    /// Steps that fail.
    pub faults: bool,
    /// The values that properties read.
    pub property: bool,
    /// Cycles, by the static condition: no step that leads back in a process stands alone.
    pub cycles: bool,
}

/// How many sets a reducer proposes for a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Proposals {
    /// The best one: the search takes what is proposed.
    One,
    /// All of them: the search may refuse some.
    All,
}
