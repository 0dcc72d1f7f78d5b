//! An exploration as one search among others.

use beeline_kernel::Cost;

use crate::explore::Exploration;
use crate::limits::{Progress, SliceBudget};
use crate::search::{Hit, Search};
use crate::stats::Stats;
use crate::store::StateStore;

impl<T: StateStore> Search for Exploration<'_, T> {
    fn name(&self) -> &'static str {
        "exploration"
    }

    fn advance(&mut self, budget: SliceBudget) -> Progress {
        Exploration::advance(self, budget)
    }

    fn stats(&self) -> Stats {
        Exploration::stats(self)
    }

    fn hits(&self) -> Vec<Hit> {
        self.findings().iter().map(|finding| Hit { kind: finding.kind, cost: None }).collect()
    }

    fn path(&self, hit: usize) -> Vec<Vec<u8>> {
        let ids = self.path_to(self.findings()[hit].state);
        self.with_passed(ids.into_iter().map(|id| self.state(id)).collect())
    }

    fn bytes(&self) -> usize {
        Exploration::bytes(self)
    }

    /// It counts moves, not costs, so it proves nothing about them.
    fn lower_bound(&self) -> Cost {
        Cost::ZERO
    }
}
