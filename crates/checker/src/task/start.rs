//! Building of directed searches: one algorithm, its heuristics, a store and perhaps a reduction.

use beeline_kernel::{BoxedHeuristic, Fault, Space};
use beeline_search::{
    Beam, BestFirst, DepthFirst, ExactTable, FrontierSearch, HillClimbing, IdaStar, Reduction,
    Refusal, Search, SearchQuery, StateStore,
};

use crate::plan::DirectedAlgorithm;

/// The heuristics of a search.
pub(crate) struct Heuristics<'a> {
    pub(crate) first: BoxedHeuristic<'a>,
    /// More of them, each with a list of its own.
    pub(crate) others: Vec<BoxedHeuristic<'a>>,
    /// What decides between equals.
    pub(crate) second: Option<BoxedHeuristic<'a>>,
}

impl<'a> Heuristics<'a> {
    /// A single one.
    pub(crate) fn only(first: BoxedHeuristic<'a>) -> Heuristics<'a> {
        Heuristics { first, others: Vec::new(), second: None }
    }

    /// What leads the search.
    pub(crate) fn names(&self) -> String {
        let others = self.others.iter().map(|other| other.name());
        std::iter::once(self.first.name()).chain(others).collect::<Vec<_>>().join(", ")
    }
}

/// Why a search does not begin.
#[derive(Debug)]
pub(crate) enum StartError {
    /// The model fails before its first step.
    Fault(Fault),
    /// It does not take the reduction.
    Refusal(Refusal),
}

impl From<Fault> for StartError {
    fn from(fault: Fault) -> StartError {
        StartError::Fault(fault)
    }
}

impl From<Refusal> for StartError {
    fn from(refusal: Refusal) -> StartError {
        StartError::Refusal(refusal)
    }
}

/// A search by an algorithm, about to begin, of all states.
pub(crate) fn start<'a, T: StateStore + 'a>(
    space: &'a dyn Space,
    algorithm: DirectedAlgorithm,
    heuristics: Heuristics<'a>,
    query: SearchQuery<'a>,
) -> Result<Box<dyn Search + 'a>, Fault> {
    start_reduced::<T>(space, algorithm, heuristics, query, None).map_err(|why| match why {
        StartError::Fault(fault) => fault,
        StartError::Refusal(_) => unreachable!("there is no reduction that it could refuse"),
    })
}

/// The same with a reduction, if there is one.
pub(crate) fn start_reduced<'a, T: StateStore + 'a>(
    space: &'a dyn Space,
    algorithm: DirectedAlgorithm,
    heuristics: Heuristics<'a>,
    query: SearchQuery<'a>,
    reduction: Option<Reduction<'a>>,
) -> Result<Box<dyn Search + 'a>, StartError> {
    let Heuristics { first, others, second } = heuristics;
    Ok(match algorithm {
        DirectedAlgorithm::BestFirst(method) => {
            let mut search = BestFirst::<T>::with_store(space, first, method, query)?;
            if let Some(second) = second {
                search = search.with_tie_breaker(second);
            }
            if !others.is_empty() {
                search = search.with_heuristics(others);
            }
            if let Some(reduction) = reduction {
                search = search.with_reduction(reduction)?;
            }
            Box::new(search)
        }
        DirectedAlgorithm::Ida(deepening) => {
            let mut search = IdaStar::<ExactTable<T>>::with_store(space, first, deepening, query)?;
            if let Some(reduction) = reduction {
                search = search.with_reduction(reduction)?;
            }
            Box::new(search)
        }
        DirectedAlgorithm::DepthFirst(dive) => {
            let mut search = DepthFirst::<T>::with_store(space, first, dive, query)?;
            if let Some(reduction) = reduction {
                search = search.with_reduction(reduction)?;
            }
            Box::new(search)
        }
        _ if reduction.is_some() => return Err(Refusal::NoReduction.into()),
        DirectedAlgorithm::Beam(width) => {
            Box::new(Beam::<T>::with_store(space, first, width, query)?)
        }
        DirectedAlgorithm::HillClimbing(climb) => {
            Box::new(HillClimbing::<T>::with_store(space, first, climb, query)?)
        }
        DirectedAlgorithm::Frontier => Box::new(FrontierSearch::<T>::with_store(space, query)?),
    })
}
