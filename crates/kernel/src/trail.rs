//! Trails: how to get from the initial state to an error.

use crate::Step;

/// The steps from the initial state to an error, or into a cycle that is one.
///
/// Only steps, no states: a trail is re-executed to be seen, and so cannot
/// disagree with the model about what happens on the way.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Trail {
    /// From the initial state to the error, or to the state where the cycle
    /// begins.
    pub prefix: Vec<Step>,
    /// The steps repeated forever, leading back to where they began; empty when
    /// the error is a state rather than a cycle.
    pub cycle: Vec<Step>,
}

impl Trail {
    /// A trail that ends in an erroneous state.
    pub fn path(steps: Vec<Step>) -> Trail {
        Trail { prefix: steps, cycle: Vec::new() }
    }

    /// All steps once, in order.
    pub fn steps(&self) -> impl Iterator<Item = Step> {
        self.prefix.iter().chain(&self.cycle).copied()
    }

    /// How many steps there are. This is the depth we report, for every search
    /// alike.
    pub fn len(&self) -> usize {
        self.prefix.len() + self.cycle.len()
    }

    /// Whether the initial state itself is the error.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The number of steps before the cycle, if there is one.
    pub fn cycle_start(&self) -> Option<usize> {
        (!self.cycle.is_empty()).then_some(self.prefix.len())
    }
}
