//! A second opinion: estimates of another heuristic, which decide between states that are
//! equally good otherwise.

use beeline_kernel::{Estimate, Expansion, Heuristic, StateId};

use crate::store::pages::Pages;

/// Another heuristic, and its estimate of each stored state.
pub(super) struct SecondOpinion<'a> {
    heuristic: Box<dyn Heuristic + 'a>,
    estimates: Pages<u32>,
}

impl<'a> SecondOpinion<'a> {
    /// Estimates the initial state.
    pub(super) fn new(mut heuristic: Box<dyn Heuristic + 'a>, initial: &[u8]) -> Self {
        let mut estimates = Pages::new();
        estimates.push(number(heuristic.estimate(initial)));
        SecondOpinion { heuristic, estimates }
    }

    /// Estimates some successors of a state, which were just stored. The last argument is
    /// room to work in.
    pub(super) fn add(&mut self, state: &[u8], new: &Expansion, estimates: &mut Vec<Estimate>) {
        self.heuristic.estimate_all(state, new, estimates);
        estimates.iter().for_each(|&estimate| self.estimates.push(number(estimate)));
    }

    /// The estimate of a stored state.
    #[inline]
    pub(super) fn of(&self, id: StateId) -> u32 {
        self.estimates.at(id.index())
    }

    /// Memory held.
    #[inline]
    pub(super) fn bytes(&self) -> usize {
        self.estimates.bytes()
    }
}

/// An estimate as a number: a dead end is the worst.
fn number(estimate: Estimate) -> u32 {
    estimate.finite().map_or(u32::MAX, |h| h.0)
}
