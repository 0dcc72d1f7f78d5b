//! FSM heuristic for components: the distance of each component to its own error states,
//! independently of the others.
//!
//! Source: [DFP06] §7, after [ELL01] §4.2: the maximum, or the sum.
//! Claims: the maximum all, since a step of the system is at most one step of each component. The
//! sum is only safe, since one step may advance several components.

use std::sync::Arc;

use beeline_kernel::{Claims, Cost, Estimate, Heuristic};

use super::component::{LabelledComponents, StateFactors};
use super::distance::distances;
use crate::combine::aggregation::Aggregation;

/// Aggregated distances of the components.
#[derive(Clone)]
pub struct LocalDistance<'a> {
    factors: Arc<dyn StateFactors + 'a>,
    /// By component and state: the distance.
    distances: Vec<Vec<u32>>,
    combine: Aggregation,
    locals: Vec<u32>,
}

impl<'a> LocalDistance<'a> {
    /// Distances in these components, for states that `factors` maps.
    pub fn new(
        system: &LabelledComponents,
        factors: Arc<dyn StateFactors + 'a>,
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
