//! Heuristics that estimate steps, in a space with another cost of steps.

use beeline_kernel::{BoxedHeuristic, Claims, Cost, Estimate, Heuristic};
use beeline_model::CostedSpace;

/// A heuristic that estimates steps, for a space with another cost model. If a step costs nothing
/// there (`per_step` is 0), its estimates only guide the search.
#[derive(Clone)]
pub(crate) struct CostAdapter<'a> {
    pub(crate) heuristic: BoxedHeuristic<'a>,
    pub(crate) costed: &'a dyn CostedSpace,
    pub(crate) per_step: u32,
}

impl Heuristic for CostAdapter<'_> {
    fn name(&self) -> &str {
        self.heuristic.name()
    }

    fn claims(&self) -> Claims {
        let claims = self.heuristic.claims();
        // An estimate of zero is admissible at any cost.
        let keeps = self.per_step > 0 || self.heuristic.name() == "blind";
        let Claims { admissible, consistent, .. } = claims;
        Claims { admissible: keeps && admissible, consistent: keeps && consistent, ..claims }
    }

    fn estimate(&mut self, state: &[u8]) -> Estimate {
        match self.heuristic.estimate(self.costed.system_state(state)) {
            Estimate::Finite(h) => Estimate::Finite(Cost(h.0.saturating_mul(self.per_step.max(1)))),
            Estimate::DeadEnd => Estimate::DeadEnd,
        }
    }
}
