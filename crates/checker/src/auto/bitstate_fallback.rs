//! The last resort of the automatic strategy: depth-first search with bit-state hashing, when the
//! states do not even fit into the compact store. It may omit states, so it proves nothing; its
//! findings are replayed like all others.

use beeline_kernel::{Space, StatePath};
use beeline_search::{
    AfterHit, Bitstate, FindingKind, Limits, Omissions, Outcome, Restarts, Search, SearchQuery,
    SearchTarget, StackSearch, Stats,
};

use crate::plan::{Plan, Store};
use crate::work::advance;

/// Bits for each state.
const BITS: u32 = 3;

/// A bit-state search in the memory that the proof has left.
pub(super) struct BitstateFallback<'a> {
    search: StackSearch<'a, Bitstate>,
    /// Number of its hits that were processed.
    told: usize,
    array: usize,
}

impl<'a> BitstateFallback<'a> {
    /// Starts with this much memory: half for the array, the rest for the stack. `None` if it is
    /// not available.
    pub(super) fn begin(
        space: &'a dyn Space,
        plan: &Plan,
        bytes: usize,
    ) -> Option<BitstateFallback<'a>> {
        let (seed, array) = (plan.auto.seed, bytes / 2);
        let bits = Bitstate::new(seed, array, BITS)?;
        let limits = Limits { bytes: Some(bytes), ..plan.limits() };
        let query = SearchQuery {
            after_hit: AfterHit::Continue,
            limits,
            keep: 1,
            ..SearchQuery::new(SearchTarget::ANYTHING)
        };
        let search = StackSearch::new(space, bits, Restarts { seed, runs: 1 }, query).ok()?;
        Some(BitstateFallback { search, told: 0, array })
    }

    /// Advances the search by this much work, or until it is over or has a new hit.
    pub(super) fn advance(&mut self, more: u64) -> Option<Outcome> {
        let told = self.told;
        advance(&mut self.search, more, |search| search.hits().len() > told)
    }

    /// The hits since the last call, with their paths.
    pub(super) fn news(&mut self) -> Vec<(FindingKind, StatePath)> {
        let hits = self.search.hits();
        let new = (self.told..hits.len()).map(|at| (hits[at].kind, self.search.path(at))).collect();
        self.told = hits.len();
        new
    }

    /// The estimated omissions.
    pub(super) fn omissions(&self) -> Option<Omissions> {
        self.search.omissions()
    }

    pub(super) fn store(&self) -> Store {
        Store::Bitstate { bits: BITS, bytes: Some(self.array), runs: 1 }
    }

    pub(super) fn stats(&self) -> Stats {
        self.search.stats()
    }

    pub(super) fn bytes(&self) -> usize {
        self.search.bytes()
    }
}
