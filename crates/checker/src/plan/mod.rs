//! Plans: the options of a check or a count. The registries of searches, stores and reductions are
//! here, with their arguments; nothing is run.

mod auto_config;
mod cycle_algorithm;
mod error;
mod files;
mod heuristic_names;
mod reductions;
mod searches;
mod stores;

use beeline_kernel::{Deadline, Resources};
use beeline_model::{Engine, Fairness, SystemOptions};
use beeline_search::{
    ExplorationOptions, ExplorationOrder, Limits, ParallelOptions, StopCondition,
};

pub use auto_config::{AutoConfig, AutoOptions, GreedyStart};
pub use cycle_algorithm::CycleAlgorithm;
pub use error::PlanError;
pub use files::FileAccess;
pub use heuristic_names::HeuristicNames;
pub use reductions::{CycleProviso, REDUCTIONS, ReductionChoice, ReductionRow, parse_reduction};
pub use searches::{
    DirectedConfig, SEARCHES, SearchConfig, SearchRow, SetAlgorithm, SetSearchConfig, Strategy,
    find_search, parse_search,
};
pub use stores::{STORES, Store, StoreRow, find_store, parse_store};

/// Heuristics may use one in this many parts of the memory.
const SHARE_OF_HEURISTICS: usize = 4;

/// The options of a check or a count.
#[derive(Clone, Debug, Default)]
pub struct Plan {
    /// Each statement is a step and every value is kept: no optimisation that changes states.
    pub plain: bool,
    /// The engine that computes successors.
    pub engine: Engine,
    /// The search.
    pub search: SearchConfig,
    /// The store.
    pub store: Store,
    /// The partial order reduction.
    pub reduce: ReductionChoice,
    /// Depth limit, in moves; in steps for directed searches.
    pub depth: Option<u32>,
    /// Memory limit in bytes.
    pub bytes: Option<usize>,
    /// Options of the automatic strategy.
    pub auto: AutoOptions,
    /// Fairness: which cycles are violations.
    pub fairness: Fairness,
    /// Access to the files that heuristics name.
    pub files: FileAccess,
}

impl Plan {
    /// How the transition system is computed.
    pub(crate) fn system_options(&self) -> SystemOptions {
        let &Plan { plain, engine, fairness, .. } = self;
        SystemOptions { plain, engine, fairness, stepwise: false }
    }

    /// The order of an exploration of all states.
    pub(crate) fn order(&self) -> ExplorationOrder {
        match self.search.strategy {
            Strategy::Blind(order) => order,
            Strategy::Cycles(_) => ExplorationOrder::Depth,
            Strategy::Directed(_) | Strategy::Auto(_) | Strategy::Symbolic(_) => {
                ExplorationOrder::Breadth
            }
        }
    }

    /// The limits of a search.
    pub(crate) fn limits(&self) -> Limits {
        Limits { depth: self.depth, states: None, bytes: self.bytes }
    }

    /// The resources to build heuristics until a deadline. Most memory is for states.
    pub(crate) fn resources(&self, deadline: Deadline) -> Resources<'_> {
        let bytes = self.bytes.map_or(usize::MAX, |bytes| bytes / SHARE_OF_HEURISTICS);
        Resources { files: self.files.files(), bytes, deadline, ..Resources::default() }
    }

    /// The options of a complete exploration in threads, if there are several and the order allows
    /// it.
    pub(crate) fn in_parallel(&self) -> Option<ParallelOptions<'static>> {
        let is_possible = self.order() == ExplorationOrder::Breadth;
        (is_possible && self.auto.jobs > 1).then(|| ParallelOptions {
            threads: self.auto.jobs,
            until: StopCondition::Exhausted,
            limits: self.limits(),
            stop: None,
        })
    }

    /// The options of a complete exploration, with one finding of each kind.
    pub(crate) fn exploration(&self) -> ExplorationOptions<'static> {
        ExplorationOptions {
            order: self.order(),
            until: StopCondition::Exhausted,
            limits: self.limits(),
            keep: 1,
            stop: None,
            any_paths: false,
        }
    }
}
