//! Best-first search as an [`Algorithm`]: [`BestFirst`] with a store that keeps all states,
//! [`PartialSearch`] with a set that may overlook some.

use crate::algorithm::{Algorithm, SearchHeuristics, SearchSetup, StartError, StartedSearch};
use crate::best_first::BestFirst;
use crate::best_first_config::BestFirstConfig;
use crate::parallel::rounds::RoundKind;
use crate::partial::PartialSearch;
use crate::store::StateStore;
use crate::visited::{RepeatedSet, Visited};

impl Algorithm for BestFirstConfig {
    fn start<'a, T: StateStore + 'a>(&self, setup: SearchSetup<'a>) -> StartedSearch<'a> {
        let SearchSetup { space, heuristics, query, reduction } = setup;
        let SearchHeuristics { first, others, tie_breaker } = heuristics;
        let mut search = BestFirst::<T>::with_store(space, first, *self, query)?;
        if let Some(tie_breaker) = tie_breaker {
            search = search.with_tie_breaker(tie_breaker);
        }
        if !others.is_empty() {
            search = search.with_heuristics(others);
        }
        if let Some(reduction) = reduction {
            search = search.with_reduction(reduction)?;
        }
        Ok(Box::new(search))
    }

    fn start_lossy<'a, V: Visited + 'a>(
        &self,
        setup: SearchSetup<'a>,
        set: RepeatedSet<V>,
    ) -> StartedSearch<'a> {
        setup.refuse_reduction()?;
        let SearchSetup { space, heuristics, query, .. } = setup;
        let SearchHeuristics { first, others, tie_breaker } = heuristics;
        if !others.is_empty() || !self.diversification.is_none() {
            return Err(StartError::SeveralLists);
        }
        let mut search = PartialSearch::new(space, first, *self, set, query)?;
        if let Some(tie_breaker) = tie_breaker {
            search = search.with_tie_breaker(tie_breaker);
        }
        Ok(Box::new(search))
    }

    fn as_best_first(&self) -> Option<&BestFirstConfig> {
        Some(self)
    }

    fn in_rounds(&self) -> Option<RoundKind> {
        Some(RoundKind::BestFirst(*self))
    }
}
