//! The query of a directed search: target, limits and the policy after a hit.

use std::sync::atomic::AtomicBool;

use beeline_kernel::Cost;

use crate::limits::Limits;
use crate::target::SearchTarget;

/// The policy after a hit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum AfterHit {
    /// End the search.
    #[default]
    Stop,
    /// Search for more hits.
    Continue,
    /// Search for cheaper hits, and keep the cheapest: each hit lowers the bound.
    Shorten,
}

/// Target, limits and policy of a search.
///
/// Directed searches count steps, as their heuristics do: the depth limit is one on steps, not on
/// transitions. States beyond it are not expanded. A fault of an expanded state is reported even if
/// its cost is beyond the limit; only [`DepthFirst`](crate::DepthFirst) bounds the whole path.
#[derive(Clone, Copy, Debug)]
pub struct SearchQuery<'a> {
    /// The errors to search for.
    pub target: SearchTarget,
    /// The policy after a hit.
    pub after_hit: AfterHit,
    /// Limits on depth, states and memory.
    pub limits: Limits,
    /// The number of hits of each kind to keep, at least one.
    pub keep: usize,
    /// An upper bound on the cost of paths. Searches that support it prune states beyond it, and
    /// their proofs hold up to the bound; other searches ignore it.
    pub bound: Option<Cost>,
    /// Set to stop the search from another thread. It is polled when a slice begins, and once in
    /// about a thousand expansions.
    pub stop: Option<&'a AtomicBool>,
}

impl SearchQuery<'_> {
    /// A query for the first hit, without limits.
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

    /// The greatest cost within the bound.
    #[inline]
    pub(crate) fn most(&self) -> u32 {
        self.bound.map_or(u32::MAX, |bound| bound.0)
    }

    /// Lowers the bound below this cost.
    pub(crate) fn tighten(&mut self, cost: Cost) {
        self.bound = Some(Cost(cost.0.saturating_sub(1).min(self.most())));
    }

    /// The depth limit, in steps.
    pub(crate) fn max_cost(&self) -> u32 {
        self.limits.depth.unwrap_or(u32::MAX)
    }
}
