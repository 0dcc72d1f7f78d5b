//! The requested search with all its options.

use std::sync::Arc;

use beeline_kernel::CostModel;
use beeline_kernel::spec::Spec;
use beeline_search::{Algorithm, DirectedAlgorithm, ExplorationOrder};

use crate::plan::auto_config::AutoConfig;
use crate::plan::cycle_algorithm::CycleAlgorithm;
use crate::plan::searches::symbolic::SetSearchConfig;

/// A search, ready to be run.
#[derive(Clone, Debug)]
pub struct SearchConfig {
    /// Its spec, as text.
    pub name: String,
    /// The kind of search.
    pub strategy: Strategy,
}

/// The kinds of searches.
#[derive(Clone, Debug)]
pub enum Strategy {
    /// The automatic strategy: several searches, one after the other and side by side.
    Auto(AutoConfig),
    /// Exploration in this order, for all properties together.
    Blind(ExplorationOrder),
    /// Depth-first exploration, and this algorithm for cycles.
    Cycles(CycleAlgorithm),
    /// Directed search, for each property on its own.
    Directed(DirectedConfig),
    /// Search on sets of states, for each property on its own.
    Symbolic(SetSearchConfig),
}

/// A directed search.
#[derive(Clone, Debug)]
pub struct DirectedConfig {
    /// The algorithm with its options.
    pub algorithm: Arc<dyn DirectedAlgorithm>,
    /// The heuristic; `None` for the usual one for the property.
    pub heuristic: Option<Spec>,
    /// Further heuristics, each with an open list of its own.
    pub others: Vec<Option<Spec>>,
    /// The heuristic that breaks ties.
    pub tie_breaker: Option<Spec>,
    /// The cost of a trail, if it is not the number of steps.
    pub cost: Option<CostModel>,
}

impl SearchConfig {
    /// The automatic strategy without arguments.
    pub fn auto() -> SearchConfig {
        SearchConfig { name: "auto".to_owned(), strategy: Strategy::Auto(AutoConfig::DEFAULT) }
    }

    /// The arguments of `auto`.
    pub(crate) fn auto_config(&self) -> AutoConfig {
        match self.strategy {
            Strategy::Auto(config) => config,
            _ => AutoConfig::DEFAULT,
        }
    }
}

impl Default for SearchConfig {
    fn default() -> SearchConfig {
        SearchConfig {
            name: "bfs".to_owned(),
            strategy: Strategy::Blind(ExplorationOrder::Breadth),
        }
    }
}

impl Strategy {
    /// The heuristics that the arguments name.
    pub(super) fn heuristics(&self) -> impl Iterator<Item = &Spec> {
        let directed = match self {
            Strategy::Directed(directed) => Some(directed),
            _ => None,
        };
        directed.into_iter().flat_map(|one| {
            one.heuristic.iter().chain(one.others.iter().flatten()).chain(&one.tie_breaker)
        })
    }

    /// The same search with this cost of trails.
    pub(super) fn with_cost(self, cost: Option<CostModel>) -> Strategy {
        match self {
            Strategy::Directed(directed) => Strategy::Directed(DirectedConfig { cost, ..directed }),
            blind => blind,
        }
    }

    /// A directed search by one heuristic, `None` for the usual one.
    pub(super) fn directed(
        algorithm: impl Algorithm + 'static,
        heuristic: Option<Spec>,
    ) -> Strategy {
        Strategy::Directed(DirectedConfig {
            algorithm: Arc::new(algorithm),
            heuristic,
            others: Vec::new(),
            tie_breaker: None,
            cost: None,
        })
    }
}
