//! The FSM heuristic for components: how far each is from an error state of its own, whatever
//! the others do.
//!
//! Source: [DFP06] §7, after [ELL01] §4.2: the maximum, or the sum.
//! Claims: the maximum all of them, since a step of the system is at most one of each component.
//! The sum is safe only: one step may bring several components nearer.

use beeline_kernel::{Claims, Cost, Estimate, Heuristic};

use super::component::{LabelledComponents, StateFactors};
use super::distance::distances;
use crate::combine::aggregation::Aggregation;

/// The distances of components, each on its own.
#[derive(Clone)]
pub struct LocalDistance<'a> {
    factors: &'a dyn StateFactors,
    /// For each component the distance of each state.
    distances: Vec<Vec<u32>>,
    combine: Aggregation,
    locals: Vec<u32>,
}

impl<'a> LocalDistance<'a> {
    /// In these components, for states that are read so.
    pub fn new(
        system: &LabelledComponents,
        factors: &'a dyn StateFactors,
        combine: Aggregation,
    ) -> Self {
        let distances: Vec<Vec<u32>> = system.each.iter().map(distances).collect();
        let locals = vec![0; distances.len()];
        LocalDistance { factors, distances, combine, locals }
    }
}

impl Heuristic for LocalDistance<'_> {
    fn name(&self) -> &str {
        "fsm"
    }

    fn claims(&self) -> Claims {
        let is_lower = self.combine == Aggregation::Max;
        Claims { admissible: is_lower, consistent: is_lower, safe: true }
    }

    fn estimate(&mut self, state: &[u8]) -> Estimate {
        if !self.factors.locals(state, &mut self.locals) {
            return Estimate::Finite(Cost::ZERO);
        }
        let (mut total, mut most) = (0u64, 0u32);
        for (&local, distances) in self.locals.iter().zip(&self.distances) {
            let distance = distances[local as usize];
            most = most.max(distance);
            total += u64::from(distance);
        }
        if most == u32::MAX {
            return Estimate::DeadEnd;
        }
        let value = match self.combine {
            Aggregation::Max => u64::from(most),
            sum => sum.of_sum(total),
        };
        Estimate::Finite(Cost(u32::try_from(value).unwrap_or(u32::MAX)))
    }
}
