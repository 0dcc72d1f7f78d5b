//! Feasible paths through a `d_step`: those whose conditions may hold, by the intervals of values
//! along the path. With them, loops that count are followed to their end.

use std::cell::RefCell;

use beeline_factored::{FactorId, RangeScratch, Ranges, System};

use super::action_sequences::ActionSequence;
use super::builder::Builder;

/// Intervals along a path that begins with any values.
#[derive(Default)]
pub(super) struct PathIntervals {
    domains: Option<Ranges>,
    scratch: RefCell<RangeScratch>,
}

impl PathIntervals {
    /// Paths of a system with all of its factors.
    pub(super) fn of(system: &System) -> PathIntervals {
        let factors = (0..system.factors.len() as u32).map(FactorId);
        let domains = factors.map(|factor| system.factor(factor).domain).collect();
        let domains = Some(Ranges::given(system, domains));
        PathIntervals { domains, scratch: RefCell::default() }
    }
}

impl Builder<'_> {
    /// Whether all conditions of a sequence may hold. What follows a rendezvous is not considered.
    pub(super) fn is_feasible(&self, sequence: &ActionSequence<'_>) -> bool {
        let PathIntervals { domains, scratch } = &self.path_intervals;
        let mut scratch = scratch.borrow_mut();
        domains.as_ref().is_none_or(|domains| domains.allow(&sequence.actions, &mut scratch))
    }
}
