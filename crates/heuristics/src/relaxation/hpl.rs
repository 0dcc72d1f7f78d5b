//! h_P^L: the first layer of relaxed states in which a goal is reached, where each layer has
//! what all steps together add to the one before.
//!
//! Source: [AWW15] Algorithm 1.
//! Deviations: what a step requires of a factor narrows its values for the rest of the step;
//! values that are not reachable from the initial state are left out; steps without cost, as
//! claims have them, belong to the layer; after 1000 layers the answer is 1000. The interval
//! abstraction of §3 is an option.
//! Claims: all: a relaxed state has all states that can be reached in as many steps.

use beeline_kernel::{Claims, Estimate, Heuristic};

use super::Relaxation;
use super::layers::Layers;

/// The number of layers until a goal.
#[derive(Clone)]
pub struct Hpl<'a> {
    relaxation: Relaxation<'a>,
    layers: Layers,
}

impl<'a> Hpl<'a> {
    /// For the states that a relaxation can read.
    pub fn new(relaxation: &Relaxation<'a>) -> Self {
        Hpl { relaxation: relaxation.clone(), layers: relaxation.layers() }
    }
}

impl Heuristic for Hpl<'_> {
    fn name(&self) -> &str {
        "hpl"
    }

    fn claims(&self) -> Claims {
        Claims::ALL
    }

    fn estimate(&mut self, state: &[u8]) -> Estimate {
        self.layers.explore(self.relaxation.reading.as_ref(), state).estimate()
    }

    fn effort(&self) -> u64 {
        self.layers.effort()
    }
}
