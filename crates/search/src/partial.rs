//! Partial best-first search: the loop of `best_first.rs` with a closed list of hashes.
//!
//! With the rankings of [`BestFirstConfig`], this is Partial A\*, partial greedy search and so on;
//! with the fewest transitions first, breadth-first search. With several runs, the search starts
//! again with other hash functions, and hits of all runs are kept.
//!
//! Source: [ELL00] §3.2 and §3.3; [EMJ05], State Compaction and Incremental Hashing, section 3
//! (Partial A\*). Deviation: an open state gets a new parent when it is reached at less cost.
//!
//! Promises: each hit is real. The search never ends as [`Outcome::Complete`](crate::Outcome): when
//! all states that the closed list did not hide are expanded, it ends as
//! [`Stop::LossyStore`](beeline_kernel::Stop). The only lower bound on costs is an admissible
//! estimate of the initial state.

mod hashed_states;
mod links;
mod open_states;

use beeline_kernel::{Blind, Fault, Heuristic, Space};

use crate::best_first::BestFirstLoop;
use crate::best_first_config::{BestFirstConfig, TieBreak};
use crate::open_list::BucketOpenList;
use crate::query::SearchQuery;
use crate::search_core::SearchCore;
use crate::visited::{RepeatedSet, Visited};

pub(crate) use hashed_states::HashedStates;

/// Best-first search with the closed states in a set of type `V`, which may be lossy.
pub type PartialSearch<'a, V> = BestFirstLoop<'a, HashedStates<'a, V>, BucketOpenList>;

impl<'a, V: Visited> PartialSearch<'a, V> {
    /// Estimates and opens the initial state.
    ///
    /// # Errors
    ///
    /// When the model fails before its first step: there is nothing to search.
    pub fn new<S: Space + ?Sized>(
        space: &'a S,
        heuristic: Box<dyn Heuristic + 'a>,
        config: BestFirstConfig,
        set: RepeatedSet<V>,
        query: SearchQuery<'a>,
    ) -> Result<Self, Fault> {
        let mut initial = Vec::new();
        let core = SearchCore::new(space, heuristic, query, &mut initial)?;
        let closed = HashedStates::new(space.expander(), initial, set);
        let has_ties = config.tie_break != TieBreak::Nothing;
        let open = BucketOpenList::new(config.queue_order, has_ties);
        let mut search = Self::with_lists(core, config, closed, open);
        search.open_initial();
        Ok(search)
    }

    /// Breadth-first: the fewest transitions first, and the depth limit is one on transitions.
    ///
    /// # Errors
    ///
    /// When the model fails before its first step: there is nothing to search.
    pub fn breadth_first<S: Space + ?Sized>(
        space: &'a S,
        set: RepeatedSet<V>,
        query: SearchQuery<'a>,
    ) -> Result<Self, Fault> {
        let config = BestFirstConfig::DIJKSTRA;
        let mut search = PartialSearch::new(space, Box::new(Blind), config, set, query)?;
        search.closed_mut().count_transitions();
        Ok(search)
    }

    /// Breaks ties between states with equal `f` by this heuristic. Called before the search
    /// begins, and without effect unless the configuration says [`TieBreak::Heuristic`].
    #[must_use]
    pub fn with_tie_breaker(mut self, heuristic: Box<dyn Heuristic + 'a>) -> Self {
        self.closed_mut().set_tie_breaker(heuristic);
        self
    }
}
