//! The trait of heuristics: estimates of the distance to an error.

use crate::{Claims, Estimate, Expansion, StepPreference};

/// Estimates the distance to the nearest error.
///
/// An implementation may keep scratch memory between calls (hence `&mut`), but an estimate must
/// depend on the state alone, not on the order of calls. Stores and parallel searches rely on that.
pub trait Heuristic: ForkHeuristic + Send {
    /// The name under which it is registered.
    fn name(&self) -> &str;

    /// Its guarantees.
    fn claims(&self) -> Claims;

    /// The estimate of `state`.
    fn estimate(&mut self, state: &[u8]) -> Estimate;

    /// The estimates of all successors of `state`, in order, replacing what is in `estimates`. They
    /// equal those of [`estimate`](Heuristic::estimate); a heuristic that can compute them faster
    /// from the differences to `state` does so here.
    fn estimate_all(
        &mut self,
        _state: &[u8],
        successors: &Expansion,
        estimates: &mut Vec<Estimate>,
    ) {
        estimates.clear();
        estimates.extend(successors.states().map(|successor| self.estimate(successor)));
    }

    /// The preference of each transition of `state`, in order, replacing what is in `preferences`.
    /// Empty by default, for heuristics that rate no steps.
    ///
    /// A transition is identified by its [`StepLabel`](crate::StepLabel), which not all spaces
    /// set: steps without a label are never preferred. `successors` may lack transitions that
    /// were pruned. Like an estimate, a preference depends on the state alone. A lazy search calls
    /// this right after [`estimate`](Heuristic::estimate) for the same state, so a heuristic may
    /// cache the result for the last state.
    fn step_preferences(
        &mut self,
        _state: &[u8],
        _successors: &Expansion,
        preferences: &mut Vec<StepPreference>,
    ) {
        preferences.clear();
    }

    /// The work for all estimates so far, counted without a clock, in approximate nanoseconds; 0
    /// from a heuristic whose estimates take no longer than a successor.
    fn effort(&self) -> u64 {
        0
    }
}

/// Copies a heuristic for another thread. Implemented for every heuristic that is `Clone`.
pub trait ForkHeuristic {
    /// A heuristic with the same estimates, which lives as long as the model does.
    fn fork<'a>(&self) -> Box<dyn Heuristic + 'a>
    where
        Self: 'a;
}

impl<H: Heuristic + Clone> ForkHeuristic for H {
    fn fork<'a>(&self) -> Box<dyn Heuristic + 'a>
    where
        Self: 'a,
    {
        Box::new(self.clone())
    }
}

impl<'a> Clone for Box<dyn Heuristic + 'a> {
    fn clone(&self) -> Self {
        (**self).fork()
    }
}

/// A heuristic, ready to estimate states.
pub type BoxedHeuristic<'a> = Box<dyn Heuristic + 'a>;
