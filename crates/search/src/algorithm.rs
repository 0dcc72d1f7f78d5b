//! Directed search algorithms as values: a configuration that starts its search.
//!
//! An algorithm implements [`Algorithm`] for its configuration, in its own file. A row of the
//! registry of searches builds the configuration, and nothing else names the algorithm:
//! [`DirectedAlgorithm`] is the same as an object, with the store as a value.

use std::fmt;

use beeline_kernel::{BoxedHeuristic, Fault, Space};

use crate::best_first_config::BestFirstConfig;
use crate::parallel::rounds::{RoundKind, RoundSetup, StartedAlone, search_in_rounds};
use crate::query::{AfterHit, SearchQuery};
use crate::reduction::{CycleCondition, Reduction, Refusal};
use crate::search::Search;
use crate::store::{CompactStore, CoveringStore, ExactStore, StateStore};
use crate::visited::{Bitstate, HashCompact, RepeatedSet, Visited};

/// The heuristics of a directed search.
pub struct SearchHeuristics<'a> {
    /// The heuristic that the search follows.
    pub first: BoxedHeuristic<'a>,
    /// Further heuristics, each with an open list of its own.
    pub others: Vec<BoxedHeuristic<'a>>,
    /// The heuristic that breaks ties.
    pub tie_breaker: Option<BoxedHeuristic<'a>>,
}

impl<'a> SearchHeuristics<'a> {
    /// A single heuristic.
    pub fn only(first: BoxedHeuristic<'a>) -> SearchHeuristics<'a> {
        SearchHeuristics { first, others: Vec::new(), tie_breaker: None }
    }

    /// The names of the heuristics that the search follows.
    pub fn names(&self) -> String {
        let others = self.others.iter().map(|other| other.name());
        std::iter::once(self.first.name()).chain(others).collect::<Vec<_>>().join(", ")
    }
}

/// What a directed search is started with.
pub struct SearchSetup<'a> {
    /// The states and their successors.
    pub space: &'a dyn Space,
    /// The heuristics.
    pub heuristics: SearchHeuristics<'a>,
    /// The target and the limits.
    pub query: SearchQuery<'a>,
    /// Partial order reduction.
    pub reduction: Option<Reduction<'a>>,
}

/// The store of a directed search.
pub enum SearchStore {
    /// [`ExactStore`].
    Exact,
    /// [`CompactStore`].
    Compact,
    /// [`CoveringStore`].
    Covering,
    /// [`HashCompact`], which may overlook states.
    HashCompact(RepeatedSet<HashCompact>),
    /// [`Bitstate`], which may overlook states.
    Bitstate(RepeatedSet<Bitstate>),
}

/// Why a search does not start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StartError {
    /// The model fails before its first step.
    Fault(Fault),
    /// The search does not take the reduction.
    Reduction(Refusal),
    /// The search needs a store that keeps all states.
    LossyStore,
    /// The search has several open lists, and a store that may overlook states has one.
    SeveralLists,
    /// The transposition table of the search keeps states in full.
    ExactTable,
}

impl From<Fault> for StartError {
    fn from(fault: Fault) -> StartError {
        StartError::Fault(fault)
    }
}

impl From<Refusal> for StartError {
    fn from(refusal: Refusal) -> StartError {
        StartError::Reduction(refusal)
    }
}

/// A search that has started.
pub type StartedSearch<'a> = Result<Box<dyn Search + 'a>, StartError>;

/// A directed search algorithm, as its configuration.
pub trait Algorithm: fmt::Debug + Send + Sync {
    /// Starts the search with a store of type `T`.
    ///
    /// # Errors
    ///
    /// When the model fails before its first step, or the search does not take the reduction.
    fn start<'a, T: StateStore + 'a>(&self, setup: SearchSetup<'a>) -> StartedSearch<'a>;

    /// Starts the search with a set that may overlook states, where there is such a variant.
    ///
    /// # Errors
    ///
    /// As for [`start`](Algorithm::start), or when there is no such variant.
    fn start_lossy<'a, V: Visited + 'a>(
        &self,
        setup: SearchSetup<'a>,
        set: RepeatedSet<V>,
    ) -> StartedSearch<'a> {
        let _ = (setup, set);
        Err(StartError::LossyStore)
    }

    /// The cycle condition that suits the search if it is reduced.
    fn cycle_condition(&self) -> CycleCondition {
        CycleCondition::Open
    }

    /// The configuration of best-first search, if the algorithm is one: with it,
    /// [`DirectedLasso`](crate::DirectedLasso) searches for cycles.
    fn as_best_first(&self) -> Option<&BestFirstConfig> {
        None
    }

    /// The search by several threads, if there is one.
    fn in_rounds(&self) -> Option<RoundKind> {
        None
    }
}

/// A directed search algorithm as an object. Every [`Algorithm`] is one.
pub trait DirectedAlgorithm: fmt::Debug + Send + Sync {
    /// Starts the search with this store.
    ///
    /// # Errors
    ///
    /// When the model fails before its first step, or the search does not take the reduction or
    /// the store.
    fn start_with<'a>(&self, setup: SearchSetup<'a>, store: SearchStore) -> StartedSearch<'a>;

    /// Runs the search with this store in this many threads, if it has such a variant; otherwise in
    /// one. `body` is called once, and advances the search.
    ///
    /// # Errors
    ///
    /// As for [`start_with`](DirectedAlgorithm::start_with); then `body` is not called.
    fn run_with(
        &self,
        setup: SearchSetup<'_>,
        store: SearchStore,
        threads: usize,
        body: &mut dyn FnMut(&mut dyn Search),
    ) -> Result<(), StartError>;

    /// [`Algorithm::cycle_condition`].
    fn suited_condition(&self) -> CycleCondition;

    /// [`Algorithm::as_best_first`].
    fn best_first(&self) -> Option<&BestFirstConfig>;
}

impl<A: Algorithm> DirectedAlgorithm for A {
    fn start_with<'a>(&self, setup: SearchSetup<'a>, store: SearchStore) -> StartedSearch<'a> {
        match store {
            SearchStore::Exact => self.start::<ExactStore>(setup),
            SearchStore::Compact => self.start::<CompactStore>(setup),
            SearchStore::Covering => self.start::<CoveringStore>(setup),
            SearchStore::HashCompact(set) => self.start_lossy(setup, set),
            SearchStore::Bitstate(set) => self.start_lossy(setup, set),
        }
    }

    fn run_with(
        &self,
        setup: SearchSetup<'_>,
        store: SearchStore,
        threads: usize,
        body: &mut dyn FnMut(&mut dyn Search),
    ) -> Result<(), StartError> {
        let is_possible =
            threads > 1 && matches!(store, SearchStore::Exact) && setup.suits_rounds();
        let kind = self.in_rounds().filter(|kind| is_possible && kind.is_possible());
        let Some(kind) = kind else {
            body(&mut *self.start_with(setup, store)?);
            return Ok(());
        };
        let heuristics = SearchHeuristics::only(setup.heuristics.first.clone());
        let alone = SearchSetup { heuristics, reduction: None, ..setup };
        let mut alone = Some(self.start_with(alone, store)?);
        let SearchSetup { space, heuristics, query, .. } = setup;
        let setup = RoundSetup { space, heuristic: heuristics.first, query, threads };
        search_in_rounds(kind, setup, &mut |in_rounds| {
            if let Some(alone) = alone.take() {
                body(&mut StartedAlone::new(alone, in_rounds));
            }
        })?;
        Ok(())
    }

    fn suited_condition(&self) -> CycleCondition {
        self.cycle_condition()
    }

    fn best_first(&self) -> Option<&BestFirstConfig> {
        self.as_best_first()
    }
}

impl SearchSetup<'_> {
    /// Whether a search in rounds is possible: with one heuristic, without a reduction, and not for
    /// ever cheaper hits.
    fn suits_rounds(&self) -> bool {
        let SearchHeuristics { others, tie_breaker, .. } = &self.heuristics;
        self.reduction.is_none()
            && others.is_empty()
            && tie_breaker.is_none()
            && self.query.after_hit != AfterHit::Shorten
    }

    /// Refuses a reduction, for searches that take none.
    pub(crate) fn refuse_reduction(&self) -> Result<(), Refusal> {
        self.reduction.as_ref().map_or(Ok(()), |_| Err(Refusal::NoReduction))
    }
}
