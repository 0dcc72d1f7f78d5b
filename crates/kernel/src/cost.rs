//! Costs of steps and trails; by default, the number of steps.

use std::fmt;
use std::iter::Sum;
use std::ops::Add;

/// The cost of a step or of a whole trail: `g`, and the finite values of `h`.
///
/// A type of its own, so that a cost is never mistaken for a depth, an index or a count of states.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Cost(pub u32);

impl Cost {
    /// The cost of an empty path.
    pub const ZERO: Cost = Cost(0);

    /// The default cost of a step.
    pub const ONE: Cost = Cost(1);
}

impl Add for Cost {
    type Output = Cost;

    /// Saturating addition. A wrapped sum would look cheap and come first in an open list; a
    /// saturated one comes last.
    fn add(self, other: Cost) -> Cost {
        Cost(self.0.saturating_add(other.0))
    }
}

impl Sum for Cost {
    fn sum<I: Iterator<Item = Cost>>(costs: I) -> Cost {
        costs.fold(Cost::ZERO, Add::add)
    }
}

impl fmt::Display for Cost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// What a trail costs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CostModel {
    /// One for each context switch. The first step is free.
    Switches,
    /// One for each step that sends or receives; a rendezvous counts once. Steps inside a `d_step`
    /// are free.
    Messages,
    /// Steps first, then context switches: each step costs [`STEP_COST`], each switch 1. Valid for
    /// trails of fewer than `STEP_COST` steps.
    StepsThenSwitches,
    /// The time that passes, in models with time.
    Time,
}

/// The cost of a step if context switches decide between trails of the same length.
pub const STEP_COST: u32 = 4096;

impl CostModel {
    /// The least cost of a step.
    pub fn per_step(self) -> u32 {
        if self == CostModel::StepsThenSwitches { STEP_COST } else { 0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_overlong_trail_stays_expensive() {
        assert_eq!(Cost(u32::MAX) + Cost::ONE, Cost(u32::MAX));
        assert_eq!([Cost(2), Cost(3)].into_iter().sum::<Cost>(), Cost(5));
    }
}
