//! [`BestFirst`]: best-first search with all states in a store.

use beeline_kernel::{Cost, Expander, Fault, Heuristic, Space, StateId, StatePath};

use super::evaluators::Evaluators;
use super::{BestFirstLoop, ClosedList, StoredStates};
use crate::best_first_config::{BestFirstConfig, Reopening};
use crate::known_path::KnownPath;
use crate::open_list::{AnyOpenList, OpenList};
use crate::query::SearchQuery;
use crate::reduction::{CycleCondition, Reduction, Refusal};
use crate::search::{GuidedSearch, PathImprover};
use crate::search_core::SearchCore;
use crate::store::{ExactStore, StateStore};

/// Best-first search, with the states in a store of type `T`.
pub type BestFirst<'a, T = ExactStore> = BestFirstLoop<'a, StoredStates<'a, T>, AnyOpenList>;

impl<'a> BestFirst<'a> {
    /// Stores and estimates the initial state, in an exact store.
    ///
    /// # Errors
    ///
    /// When the model fails before its first step: there is nothing to search.
    pub fn new<S: Space + ?Sized>(
        space: &'a S,
        heuristic: Box<dyn Heuristic + 'a>,
        config: BestFirstConfig,
        query: SearchQuery<'a>,
    ) -> Result<Self, Fault> {
        Self::with_store(space, heuristic, config, query)
    }
}

impl<'a, T: StateStore> BestFirst<'a, T> {
    /// Stores and estimates the initial state, in a store of any type.
    ///
    /// # Errors
    ///
    /// When the model fails before its first step: there is nothing to search.
    pub fn with_store<S: Space + ?Sized>(
        space: &'a S,
        heuristic: Box<dyn Heuristic + 'a>,
        config: BestFirstConfig,
        query: SearchQuery<'a>,
    ) -> Result<Self, Fault> {
        let mut initial = Vec::new();
        let core = SearchCore::new(space, heuristic, query, &mut initial)?;
        Ok(Self::with_core(core, config, &initial))
    }

    /// Stores and estimates another initial state, with an expander for it and its descendants.
    pub fn from_state(
        expander: Box<dyn Expander + 'a>,
        state: &[u8],
        heuristic: Box<dyn Heuristic + 'a>,
        config: BestFirstConfig,
        query: SearchQuery<'a>,
    ) -> Self {
        Self::with_core(SearchCore::from_state(expander, state, heuristic, query), config, state)
    }

    fn with_core(mut core: SearchCore<'a>, config: BestFirstConfig, initial: &[u8]) -> Self {
        let store: T = core.store_with(initial);
        let has_room = !store.is_empty();
        let open = AnyOpenList::single(&config);
        let keeps_cheaper = !config.ranking.is_greedy() || config.reopening != Reopening::Never;
        let closed = StoredStates::new(store, keeps_cheaper);
        let mut search = Self::with_lists(core, config, closed, open);
        if has_room {
            search.open_initial();
        }
        if config.diversification.is_none() { search } else { search.with_heuristics(Vec::new()) }
    }

    /// Breaks ties between states with equal `f` by this heuristic. Called before the search
    /// begins, and without effect unless the configuration says [`TieBreak::Heuristic`](crate::TieBreak).
    #[must_use]
    pub fn with_tie_breaker(mut self, heuristic: Box<dyn Heuristic + 'a>) -> Self {
        if self.closed.is_fresh() {
            self.closed.set_tie_breaker(heuristic);
            // The initial state has another rank with the tie breaker.
            if let AnyOpenList::Buckets(_) = self.open {
                self.open = AnyOpenList::single(&self.config);
                self.push_unless_cut(root());
            }
        }
        self
    }

    /// Uses these heuristics, too, each with an open list of its own. Called before the search
    /// begins.
    #[must_use]
    pub fn with_heuristics(mut self, others: Vec<Box<dyn Heuristic + 'a>>) -> Self {
        if self.closed.is_fresh() {
            self.core.stats.evaluated += others.len() as u64;
            self.open = AnyOpenList::diversified(&self.config, 1 + others.len());
            let (node, initial) = (self.closed.node(root()), self.closed.initial());
            self.evaluators = Evaluators::new(self.config.diversification, others, initial, node);
            self.push_unless_cut(root());
        }
        self
    }

    /// Prunes transitions from now on. Called before the search begins.
    ///
    /// # Errors
    ///
    /// When it has begun, or the condition needs a stack: there is none.
    pub fn with_reduction(mut self, reduction: Reduction<'a>) -> Result<Self, Refusal> {
        let expanded = self.core.stats.expanded;
        let reduction = reduction.suited(&CycleCondition::WITHOUT_STACK, expanded)?;
        self.core.reduction = Some(Box::new(reduction));
        Ok(self)
    }

    /// The path to a state, if it was generated.
    pub(crate) fn path_to(&mut self, state: &[u8]) -> Option<StatePath> {
        self.closed.path_to_state(state)
    }
}

fn root() -> StateId {
    StateId::new(0).expect("there is a first number")
}

impl<C: ClosedList, O: OpenList> GuidedSearch for BestFirstLoop<'_, C, O> {
    fn nearest(&self) -> Option<(Cost, StatePath)> {
        self.closed.nearest()
    }
}

impl<T: StateStore> PathImprover for BestFirst<'_, T> {
    fn follow(&mut self, known: &KnownPath) {
        self.core.query.tighten(known.cost());
    }
}
