//! A second proof beside the full one: breadth-first search, too, but of the reduced space.
//!
//! The size of the reduced space is not known beforehand. So both proofs run side by side, the
//! reduced one with a small share of the work until it is deeper; then the full proof pauses. If
//! the reduction prunes hardly any transitions, the reduced proof is abandoned.

use beeline_kernel::{Space, StatePath};
use beeline_search::{
    ExactStore, Exploration, ExplorationOptions, ExplorationOrder, Finding, FindingKind, Outcome,
    Stats, StopCondition,
};

use crate::plan::Plan;
use crate::task::ActiveReduction;
use crate::work::advance;

/// Expansions before the reduction is evaluated.
const TRIAL: u64 = 5_000;
/// The reduction has to prune at least one in this many transitions.
const SHARE: u64 = 20;

/// An exploration of a reduced space.
pub(super) struct ReducedProof<'a> {
    search: Exploration<'a, ExactStore>,
    /// Number of its findings that were processed.
    judged: usize,
}

impl<'a> ReducedProof<'a> {
    /// Starts the search. `None` after an initial fault, or if the search refuses the reduction.
    pub(super) fn begin(
        space: &'a dyn Space,
        reducing: &'a ActiveReduction<'a>,
        plan: &Plan,
    ) -> Option<Self> {
        let (order, limits) = (ExplorationOrder::Breadth, plan.limits());
        let options = ExplorationOptions {
            order,
            until: StopCondition::Exhausted,
            limits,
            keep: 1,
            stop: None,
            any_paths: false,
        };
        let search = Exploration::with_store(space, options).ok()?;
        let search = search.with_reduction(reducing.reduction()).ok()?;
        Some(ReducedProof { search, judged: 0 })
    }

    /// Advances the search by this much work, or until it is over or has a new finding.
    pub(super) fn advance(&mut self, more: u64) -> Option<Outcome> {
        let known = self.judged;
        advance(&mut self.search, more, |search| search.findings().len() > known)
    }

    /// The findings since the last call, with their paths.
    pub(super) fn news(&mut self) -> Vec<(Finding, StatePath)> {
        use beeline_search::Search as _;
        let new = self.judged..self.search.findings().len();
        self.judged = new.end;
        new.map(|at| (self.search.findings()[at], self.search.path(at))).collect()
    }

    /// The errors that were found.
    pub(super) fn errors(&self) -> Vec<FindingKind> {
        self.search.findings().iter().map(|finding| finding.kind).collect()
    }

    /// Whether the reduction prunes hardly any transitions.
    pub(super) fn is_hopeless(&self) -> bool {
        let Stats { expanded, cut, generated, .. } = self.search.stats();
        expanded >= TRIAL && cut * SHARE < cut + generated
    }

    /// Whether it is deeper than a proof with these counters.
    pub(super) fn leads(&self, proof: &Stats) -> bool {
        self.search.stats().depth > proof.depth
    }

    pub(super) fn stats(&self) -> Stats {
        self.search.stats()
    }

    pub(super) fn bytes(&self) -> usize {
        self.search.bytes()
    }
}
