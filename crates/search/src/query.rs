//! What a directed search is asked to do, whatever its algorithm.

use std::sync::atomic::AtomicBool;

use beeline_kernel::Cost;

use crate::limits::Limits;
use crate::target::SearchTarget;

/// What to do when something that is looked for was found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum AfterHit {
    /// End.
    #[default]
    Stop,
    /// Look for more.
    Continue,
    /// Look for cheaper ones, and keep the cheapest: each one found lowers the bound.
    Shorten,
}

/// What to look for, and what it may cost.
///
/// Directed searches count in steps, as their heuristics do: the depth limit is one on
/// steps, not on moves. States further away are not expanded. A fault behind a state that
/// is expanded is found, although it lies a move further;
/// [`DepthFirst`](crate::DepthFirst) alone bounds the whole path.
#[derive(Clone, Copy, Debug)]
pub struct SearchQuery<'a> {
    /// What to look for.
    pub target: SearchTarget,
    /// What to do when it was found.
    pub after_hit: AfterHit,
    /// What may be used up.
    pub limits: Limits,
    /// How many hits of each kind to keep: at least one, even if 0 is given.
    pub keep: usize,
    /// What costs more is of no interest. A search that cannot tell, looks at it all the
    /// same; one that can leaves it alone, and what it proves holds up to the bound.
    pub bound: Option<Cost>,
    /// Raised when the search should stop, from wherever. It is looked at when a slice
    /// begins, and after about a thousand expansions again.
    pub stop: Option<&'a AtomicBool>,
}

impl SearchQuery<'_> {
    /// For the first of these, without limits.
    pub fn new(target: SearchTarget) -> Self {
        let limits = Limits::default();
        SearchQuery { target, after_hit: AfterHit::Stop, limits, keep: 1, bound: None, stop: None }
    }

    pub(crate) fn max_bytes(&self) -> usize {
        self.limits.bytes.unwrap_or(usize::MAX)
    }

    pub(crate) fn max_states(&self) -> usize {
        self.limits.states.unwrap_or(usize::MAX)
    }

    /// The greatest cost that is of interest.
    #[inline]
    pub(crate) fn most(&self) -> u32 {
        self.bound.map_or(u32::MAX, |bound| bound.0)
    }

    /// Lowers the bound, so that only what costs less than this is of interest.
    pub(crate) fn tighten(&mut self, cost: Cost) {
        self.bound = Some(Cost(cost.0.saturating_sub(1).min(self.most())));
    }

    /// Where the depth limit is, in steps.
    pub(crate) fn max_cost(&self) -> u32 {
        self.limits.depth.unwrap_or(u32::MAX)
    }
}
