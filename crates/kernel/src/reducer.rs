//! Partial order reduction: subsets of the transitions of a state that suffice.

use crate::{FaultKind, Transition};

/// Proposes sets of transitions that suffice in a state.
///
/// A proposed set meets the conditions on the state alone: C0 to C2 of \[EMJ05\], "Partial Order
/// Reduction". The cycle condition C3 depends on the states visited so far; the search checks it.
pub trait Reducer: Send {
    /// Proposes subsets of the transitions of `state`, all of which are given in the order found;
    /// replaces what is in `choices`. The most promising set comes first. No set is proposed where
    /// all transitions are necessary. The result depends on the state alone.
    fn propose(&mut self, state: &[u8], transitions: &[Transition], choices: &mut CandidateSets);

    /// Whether a run continues after this fault, so that the transition is among those of its
    /// state. A state with other faults is never reduced.
    fn passes(&self, _fault: FaultKind) -> bool {
        false
    }

    /// Whether each state keeps a cheapest path to an error, if it has one: then the reduced space
    /// needs no cycle condition, and its cheapest paths are those of the whole space.
    fn keeps_cheapest(&self) -> bool {
        false
    }

    /// The work so far, in approximate nanoseconds; 0 if negligible.
    fn effort(&self) -> u64 {
        0
    }
}

/// Sets of transitions, each by ascending numbers.
#[derive(Clone, Debug, Default)]
pub struct CandidateSets {
    numbers: Vec<u32>,
    ends: Vec<usize>,
}

impl CandidateSets {
    /// Removes all sets, keeping the memory.
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

    /// The number of sets.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there are no sets.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }
}

/// What a reduction preserves besides deadlocks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Preserve {
    /// Faults.
    pub faults: bool,
    /// The values that properties read.
    pub property: bool,
    /// Cycles, by the static condition: no proposed set contains a step along a back edge of its
    /// process.
    pub cycles: bool,
}

/// The number of sets that a reducer proposes for a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Proposals {
    /// The best one: the search accepts every proposal.
    One,
    /// All: the search may reject some.
    All,
}
