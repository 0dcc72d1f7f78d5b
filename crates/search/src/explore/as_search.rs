//! An exploration as a [`Search`](crate::Search).

use std::sync::atomic::Ordering;

use beeline_kernel::{Cost, StatePath, Stop};

use super::{Exploration, PIPELINE_SLICE};
use crate::hit::Hit;
use crate::limits::Outcome;
use crate::search::Search;
use crate::search_core::load_path;
use crate::stats::Stats;
use crate::store::StateStore;

impl<T: StateStore> Search for Exploration<'_, T> {
    fn name(&self) -> &'static str {
        "exploration"
    }

    #[inline]
    fn outcome(&self) -> Option<Outcome> {
        self.outcome
    }

    fn poll(&mut self) {
        let raised = self.stop.is_some_and(|stop| stop.load(Ordering::Relaxed));
        if raised && self.outcome.is_none() {
            self.outcome = Some(Outcome::Incomplete(Stop::Interrupted));
        }
    }

    fn step(&mut self, most: u64) -> u64 {
        let before = self.stats.expanded;
        let is_pipelined = self.reduction.is_none() && self.frontier.is_plain_stack();
        self.outcome = if is_pipelined {
            self.expand_pipelined(most.min(PIPELINE_SLICE))
        } else {
            self.expand_batch(most)
        };
        self.stats.expanded - before
    }

    fn stats(&self) -> Stats {
        Exploration::stats(self)
    }

    fn hits(&self) -> Vec<Hit> {
        self.findings().iter().map(|finding| Hit { kind: finding.kind, cost: None }).collect()
    }

    fn path(&self, hit: usize) -> StatePath {
        let ids = self.path_to(self.findings()[hit].state);
        self.with_passed(load_path(&self.store, &ids))
    }

    fn bytes(&self) -> usize {
        Exploration::bytes(self)
    }

    /// Transitions are counted, not costs, so nothing is proved about costs.
    fn lower_bound(&self) -> Cost {
        Cost::ZERO
    }
}
