//! h^max: what the most expensive value costs that a goal needs, where a step costs as much as
//! the most expensive value that it needs, and its own cost.
//!
//! Source: Bonet and Geffner's h^max, generalised to sets of values.
//! Since steps cost 1 at most, a value costs as much as the number of the first layer that has
//! it, so these are the numbers of `hpl`.
//! Claims: all.

use beeline_kernel::{Claims, Estimate, Heuristic};

use super::{Hpl, Relaxation};

/// The cost of the most expensive value.
#[derive(Clone)]
pub struct Hmax<'a> {
    layers: Hpl<'a>,
}

impl<'a> Hmax<'a> {
    /// For the states that a relaxation can read.
    pub fn new(relaxation: &Relaxation<'a>) -> Self {
        Hmax { layers: Hpl::new(relaxation) }
    }
}

impl Heuristic for Hmax<'_> {
    fn name(&self) -> &str {
        "hmax"
    }

    fn claims(&self) -> Claims {
        self.layers.claims()
    }

    fn estimate(&mut self, state: &[u8]) -> Estimate {
        self.layers.estimate(state)
    }

    fn effort(&self) -> u64 {
        self.layers.effort()
    }
}
