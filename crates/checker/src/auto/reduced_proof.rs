//! A second proof beside the first: breadth-first, too, but of a reduced space.
//!
//! How much smaller that is, nobody knows beforehand. So both go on side by side, this one with
//! a small share of the time, until it has come as deep as the other: from then on it is the
//! one to be finished. Where hardly anything can be left out, it is given up.

use beeline_kernel::Space;
use beeline_search::{
    ExactStore, Exploration, ExplorationOptions, ExplorationOrder, Finding, Outcome, Stats,
    StopCondition,
};

use super::work::advance;
use crate::plan::Plan;
use crate::task::ActiveReduction;

/// After so many states it is seen whether anything comes of it:
const TRIAL: u64 = 5_000;
/// at least one in so many ways should have been left out.
const SHARE: u64 = 20;

/// An exploration of a reduced space.
pub(super) struct ReducedProof<'a> {
    search: Exploration<'a, ExactStore>,
    /// How many of its findings were looked at.
    judged: usize,
}

impl<'a> ReducedProof<'a> {
    /// Stores the initial state. `None` when there is none.
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
        };
        let search = Exploration::with_store(space, options).ok()?;
        let search = search.with_reduction(reducing.reduction()).ok()?;
        Some(ReducedProof { search, judged: 0 })
    }

    /// Goes on until so much more is done, or it is over, or it found something new.
    pub(super) fn advance(&mut self, more: u64) -> Option<Outcome> {
        let known = self.judged;
        advance(&mut self.search, more, |search| search.findings().len() > known)
    }

    /// What was found since the last time, with the ways there.
    pub(super) fn news(&mut self) -> Vec<(Finding, Vec<Vec<u8>>)> {
        use beeline_search::Search as _;
        let new = self.judged..self.search.findings().len();
        self.judged = new.end;
        new.map(|at| (self.search.findings()[at], self.search.path(at))).collect()
    }

    /// All that was found.
    pub(super) fn findings(&self) -> &[Finding] {
        self.search.findings()
    }

    /// Whether next to nothing is left out.
    pub(super) fn is_hopeless(&self) -> bool {
        let Stats { expanded, cut, generated, .. } = self.search.stats();
        expanded >= TRIAL && cut * SHARE < cut + generated
    }

    /// Whether it has come deeper than a proof of which this is known.
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
