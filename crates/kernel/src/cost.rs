//! What steps and trails cost. Usually the number of steps.

use std::fmt;
use std::iter::Sum;
use std::ops::Add;

/// The cost of a step or of a whole trail: `g`, and the finite values of `h`.
///
/// A number of its own, so that a cost is never mistaken for a depth, an index
/// or a count of states.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Cost(pub u32);

impl Cost {
    /// The cost of going nowhere.
    pub const ZERO: Cost = Cost(0);

    /// What a step costs unless the system says otherwise.
    pub const ONE: Cost = Cost(1);
}

impl Add for Cost {
    type Output = Cost;

    /// Adds, and stays at the greatest cost there is. A wrapped sum would look
    /// cheap and come first in an open list; a saturated one comes last.
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

/// What is paid for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CostModel {
    /// Each step of another process than the one before. The first step is free.
    Switches,
    /// Each step that sends or receives; a rendezvous is one. What happens inside of a
    /// `d_step` is free.
    Messages,
    /// Steps, and of trails with equally many of them, context switches: each step costs
    /// [`STEP_COST`], each switch 1. So it is for trails of less than that many steps.
    StepsThenSwitches,
}

/// What a step costs where context switches decide between trails of the same length.
pub const STEP_COST: u32 = 4096;

impl CostModel {
    /// What a step costs at least, whatever it does.
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
