//! What a search that was asked for is: how it goes about it, with all its options.

use beeline_kernel::CostModel;
use beeline_kernel::spec::Spec;
use beeline_search::{BestFirstConfig, ClimbKind, DfsConfig, ExplorationOrder, IdaConfig};

use crate::plan::auto_config::AutoConfig;
use crate::plan::cycle_algorithm::CycleAlgorithm;

/// A search, ready to be run.
#[derive(Clone, Debug, PartialEq)]
pub struct SearchConfig {
    /// As it was asked for.
    pub name: String,
    /// How it goes about it.
    pub strategy: Strategy,
}

/// How a search goes about it.
#[derive(Clone, Debug, PartialEq)]
pub enum Strategy {
    /// As seems best: several searches, one after the other and side by side.
    Auto(AutoConfig),
    /// In this order, without looking where it goes, for all properties at once.
    Blind(ExplorationOrder),
    /// Depth-first, and for cycles like this.
    Cycles(CycleAlgorithm),
    /// Towards an error, for each property on its own.
    Directed(DirectedConfig),
}

/// A directed search.
#[derive(Clone, Debug, PartialEq)]
pub struct DirectedConfig {
    /// The algorithm with its options.
    pub algorithm: DirectedAlgorithm,
    /// What tells it where to go: `None` for the usual one for the property.
    pub heuristic: Option<Spec>,
    /// More of them, each with a list of its own.
    pub others: Vec<Option<Spec>>,
    /// What decides between equals.
    pub second: Option<Spec>,
    /// What a trail costs, if not its steps.
    pub price: Option<CostModel>,
}

/// A directed search algorithm with its options.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum DirectedAlgorithm {
    /// [`BestFirst`](beeline_search::BestFirst)
    BestFirst(BestFirstConfig),
    /// [`IdaStar`](beeline_search::IdaStar)
    Ida(IdaConfig),
    /// [`DepthFirst`](beeline_search::DepthFirst)
    DepthFirst(DfsConfig),
    /// [`Beam`](beeline_search::Beam), so many states wide.
    Beam(usize),
    /// [`HillClimbing`](beeline_search::HillClimbing)
    HillClimbing(ClimbKind),
    /// [`FrontierSearch`](beeline_search::FrontierSearch)
    Frontier,
}

impl SearchConfig {
    /// The search that does everything by itself.
    pub fn auto() -> SearchConfig {
        SearchConfig { name: "auto".to_owned(), strategy: Strategy::Auto(AutoConfig::DEFAULT) }
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
    /// The heuristics that it names.
    pub(super) fn heuristics(&self) -> impl Iterator<Item = &Spec> {
        let directed = match self {
            Strategy::Directed(directed) => Some(directed),
            _ => None,
        };
        directed.into_iter().flat_map(|one| {
            one.heuristic.iter().chain(one.others.iter().flatten()).chain(&one.second)
        })
    }

    /// The same at another price.
    pub(super) fn at(self, price: Option<CostModel>) -> Strategy {
        match self {
            Strategy::Directed(directed) => {
                Strategy::Directed(DirectedConfig { price, ..directed })
            }
            blind => blind,
        }
    }
}

/// A directed search at the usual price.
pub(super) fn directed(algorithm: DirectedAlgorithm, heuristic: Option<Spec>) -> Strategy {
    Strategy::Directed(DirectedConfig {
        algorithm,
        heuristic,
        others: Vec::new(),
        second: None,
        price: None,
    })
}
