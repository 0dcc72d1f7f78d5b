//! Search algorithms and stores, independent of Promela.
//!
//! An [`Exploration`] visits all states of a [`Space`](beeline_kernel::Space) and stores each once
//! in a [`StateStore`]; its [`ExplorationOrder`] determines the next state. Directed searches
//! expand the most promising state first; all of them, and the exploration, are a [`Search`]. A
//! [`StackSearch`] keeps the states on its path, and the others in a [`Visited`] set, which may be
//! lossy; so does [`PartialSearch`]. [`CachingSearch`] evicts states and may expand them again.
#![deny(unsafe_code)]

mod algorithm;
mod beam;
mod best_first;
mod best_first_algorithm;
mod best_first_config;
mod caching;
mod cycles;
mod depth_first;
mod diversification;
mod explore;
mod fault_queue;
mod finding;
mod frontier;
mod frontier_layers;
mod frontier_search;
mod hash_index;
mod hill_climbing;
mod hit;
mod ida;
mod improve;
mod known_path;
mod limits;
mod nodes;
mod novelty;
mod open_list;
mod parallel;
mod partial;
mod query;
mod ranking;
mod reduction;
mod search;
mod search_core;
mod search_tree;
mod sleep_set_trial;
mod stack_search;
mod state_bits;
mod stats;
pub mod store;
mod sync;
mod target;
mod visited;

pub use algorithm::{
    Algorithm, DirectedAlgorithm, SearchHeuristics, SearchSetup, SearchStore, StartError,
    StartedSearch,
};
pub use beam::{Beam, BeamConfig};
pub use best_first::{BestFirst, BestFirstLoop};
pub use best_first_config::{
    BestFirstConfig, Evaluation, GoalTest, Reopening, SuccessorOrder, TieBreak,
};
pub use caching::CachingSearch;
pub use cycles::{
    CycleRule, CycleSearch, CycleThreads, Degeneralized, DirectedLasso, Lasso, LassoImprovement,
    LassoLength, NestedDfs, Nesting, PersistenceSearch, SccSearch, ShortestLasso,
    search_cycles_in_parallel,
};
pub use depth_first::{Branching, DepthFirst, DfsConfig, DfsGoal, Revisit};
pub use diversification::{Diversification, NoveltyWidth, UselessSteps};
pub use explore::{Exploration, ExplorationOptions, MigrationStatus, StoreMigration};
pub use finding::{Finding, FindingKind, StopCondition};
pub use frontier::ExplorationOrder;
pub use frontier_search::{FrontierConfig, FrontierSearch};
pub use hill_climbing::{ClimbKind, HillClimbing};
pub use hit::Hit;
pub use ida::{
    ExactTable, IdaConfig, IdaMemory, IdaStar, LossyTable, TableAnswer, TranspositionTable,
};
pub use improve::{GoalHeuristics, Neighbourhood, Portfolio, SegmentSearch};
pub use known_path::KnownPath;
pub use limits::{Limits, Outcome, Progress, SliceBudget};
pub use open_list::{BucketOpenList, QueueOrder, Rank};
pub use parallel::{
    NoSetSearch, ParallelOptions, RoundKind, RoundSetup, SharedSetKind, explore_in_parallel,
    explore_reduced_in_parallel, explore_with_shared_set, search_in_rounds,
};
pub use partial::PartialSearch;
pub use query::{AfterHit, SearchQuery};
pub use ranking::{Ranking, Weight};
pub use reduction::{
    Backoff, CycleCondition, PathCompression, Reduced, Reduction, Refusal, SuccessorStatus,
};
pub use search::{GuidedSearch, PathImprover, Search};
pub use stack_search::StackSearch;
pub use stats::Stats;
pub use store::{
    CompactStore, CoveringStore, ExactStore, Inserted, Prefetch, ProbeBatch, StateSet, StateStore,
    StoreChoice, StoreLimits, bounds_suffix,
};
pub use target::{Invariants, SearchTarget};
pub use visited::{Bitstate, HashCompact, Omissions, RepeatedSet, Restarts, Seen, Visited};
