//! Searches on sets of states: shortest paths to errors.
//!
//! Source: [EMJ05], "Symbolic Search", §§5-7. Breadth-first search forwards (`breadth_first.rs`),
//! backwards (`backward.rs`) and in both directions (`bidirectional.rs`) counts steps of the model.
//! Dijkstra's algorithm, BDD-A\*, gh-search, weighted and greedy search are rankings
//! (`ranking.rs`) of one loop (`best_first.rs`) and count the costs of the system
//! ([`StepCosts`](crate::StepCosts)). Paths are found by going back through the sets of a search.

mod backward;
mod best_first;
mod bidirectional;
mod breadth_first;
mod distances;
mod estimate;
mod expanded_sets;
mod goal;
mod layer_path;
mod open_sets;
mod outcome;
mod ranking;

pub use backward::BackwardLayers;
pub use estimate::{
    BuildAbstraction, ComponentSum, EstimateKind, EstimateRelation, EstimatedErrors,
    FactorDistances, LargestEstimate, PatternDistances, PatternGoal, SymbolicEstimate,
    TruthDistances, ZeroEstimate, applicable_condition, deadlock_condition,
};
pub use goal::SymbolicGoal;
pub use outcome::{SymbolicOutcome, SymbolicPath, SymbolicSearchStatistics};
pub use ranking::{BucketChoice, SymbolicRanking};
