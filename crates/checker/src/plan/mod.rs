//! Plans: how to go through a state space, as a user asks for it. The tables of searches, stores and
//! reductions are here, with their arguments; nothing is run.

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
use beeline_search::{ExplorationOptions, ExplorationOrder, Limits, StopCondition};

pub use auto_config::{AutoConfig, AutoOptions, GreedyStart};
pub use cycle_algorithm::CycleAlgorithm;
pub use error::PlanError;
pub use files::FileAccess;
pub use heuristic_names::HeuristicNames;
pub use reductions::{CycleProviso, REDUCTIONS, ReductionChoice, ReductionRow, parse_reduction};
pub use searches::{
    DirectedConfig, SEARCHES, SearchConfig, SearchRow, Strategy, find_search, parse_search,
};
pub use stores::{STORES, Store, StoreRow, find_store, parse_store};

/// What part of the memory heuristics may take to be built.
const SHARE_OF_HEURISTICS: usize = 4;

/// How to go through a state space.
#[derive(Clone, Debug, Default)]
pub struct Plan {
    /// Every statement on its own and every value kept, as the language is written.
    pub plain: bool,
    /// Who computes successors.
    pub engine: Engine,
    /// Which state comes next.
    pub search: SearchConfig,
    /// What states are kept in.
    pub store: Store,
    /// Whether ways are left out that others stand for.
    pub reduce: ReductionChoice,
    /// Moves between stored states to go at most.
    pub depth: Option<u32>,
    /// Memory to use at most.
    pub bytes: Option<usize>,
    /// What the automatic strategy leaves open.
    pub auto: AutoOptions,
    /// Which cycles count.
    pub fairness: Fairness,
    /// Files that heuristics name.
    pub files: FileAccess,
}

impl Plan {
    /// How the transition system is computed.
    pub(crate) fn system_options(&self) -> SystemOptions {
        let &Plan { plain, engine, fairness, .. } = self;
        SystemOptions { plain, engine, fairness, stepwise: false }
    }

    /// The order of a blind search; that of any other is of no importance.
    pub(crate) fn order(&self) -> ExplorationOrder {
        match self.search.strategy {
            Strategy::Blind(order) => order,
            Strategy::Cycles(_) => ExplorationOrder::Depth,
            Strategy::Directed(_) | Strategy::Auto(_) => ExplorationOrder::Breadth,
        }
    }

    /// What may be used up.
    pub(crate) fn limits(&self) -> Limits {
        Limits { depth: self.depth, states: None, bytes: self.bytes }
    }

    /// What there is to build heuristics with until a deadline. Most memory is for states.
    pub(crate) fn resources(&self, deadline: Deadline) -> Resources<'_> {
        let bytes = self.bytes.map_or(usize::MAX, |bytes| bytes / SHARE_OF_HEURISTICS);
        Resources { files: self.files.files(), bytes, deadline, ..Resources::default() }
    }

    /// How the states are explored: to the end, with one finding of each kind.
    pub(crate) fn exploration(&self) -> ExplorationOptions<'static> {
        ExplorationOptions {
            order: self.order(),
            until: StopCondition::Exhausted,
            limits: self.limits(),
            keep: 1,
            stop: None,
        }
    }
}
