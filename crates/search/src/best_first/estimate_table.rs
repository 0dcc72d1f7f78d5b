//! The estimates of another heuristic for each stored state: a tie breaker, or one of several
//! heuristics with open lists of their own.

use beeline_kernel::{Cost, Estimate, Expansion, Heuristic, StateId, StepPreference};

use crate::store::chunked_vec::ChunkedVec;

/// A dead end as a number: the greatest.
const DEAD_END: u32 = u32::MAX;

/// Another heuristic, and its estimate of each stored state.
pub(super) struct EstimateTable<'a> {
    heuristic: Box<dyn Heuristic + 'a>,
    is_safe: bool,
    estimates: ChunkedVec<u32>,
}

impl<'a> EstimateTable<'a> {
    /// Estimates the initial state.
    pub(super) fn new(mut heuristic: Box<dyn Heuristic + 'a>, initial: &[u8]) -> Self {
        let mut estimates = ChunkedVec::new();
        estimates.push(number(heuristic.estimate(initial)));
        EstimateTable { is_safe: heuristic.claims().safe, heuristic, estimates }
    }

    /// Estimates new successors of a state, in the order of their ids. `estimates` is scratch
    /// memory.
    pub(super) fn add(&mut self, state: &[u8], new: &Expansion, estimates: &mut Vec<Estimate>) {
        self.heuristic.estimate_all(state, new, estimates);
        estimates.iter().for_each(|&estimate| self.estimates.push(number(estimate)));
    }

    /// Gives `count` new states the estimate of this state for now.
    pub(super) fn add_like(&mut self, id: StateId, count: usize) {
        (0..count).for_each(|_| self.estimates.push(self.number(id)));
    }

    /// Gives a state the estimate of another one for now, if that is less. Returns whether it is.
    pub(super) fn lower_to(&mut self, id: StateId, other: StateId) -> bool {
        let is_less = self.number(other) < self.number(id);
        if is_less {
            self.estimates.set(id.index(), self.number(other));
        }
        is_less
    }

    /// Estimates a stored state again.
    pub(super) fn estimate(&mut self, id: StateId, state: &[u8]) {
        let estimate = self.heuristic.estimate(state);
        self.estimates.set(id.index(), number(estimate));
    }

    /// The estimate of a stored state.
    #[inline]
    pub(super) fn of(&self, id: StateId) -> Estimate {
        match self.number(id) {
            DEAD_END => Estimate::DeadEnd,
            h => Estimate::Finite(Cost(h)),
        }
    }

    /// The same as a number.
    #[inline]
    pub(super) fn number(&self, id: StateId) -> u32 {
        self.estimates.at(id.index())
    }

    /// Whether the heuristic proves that a stored state is a dead end.
    pub(super) fn is_proven_dead_end(&self, id: StateId) -> bool {
        self.is_safe && self.number(id) == DEAD_END
    }

    /// The preferences of the heuristic among the transitions of a state.
    pub(super) fn step_preferences(
        &mut self,
        state: &[u8],
        ways: &Expansion,
        preferences: &mut Vec<StepPreference>,
    ) {
        self.heuristic.step_preferences(state, ways, preferences);
    }

    /// Memory held.
    #[inline]
    pub(super) fn bytes(&self) -> usize {
        self.estimates.bytes()
    }
}

/// An estimate as a number. Finite estimates are limited to `DEAD_END - 1`.
fn number(estimate: Estimate) -> u32 {
    estimate.finite().map_or(DEAD_END, |h| h.0.min(DEAD_END - 1))
}
