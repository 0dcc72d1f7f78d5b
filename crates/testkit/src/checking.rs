//! The inputs of a check besides a plan: a Promela model for the checker, and the names of
//! heuristics for parsing searches.

use beeline_checker::HeuristicNames;
use beeline_heuristics::HEURISTICS;
use beeline_model::Model;
use beeline_promela::Frontend;
use beeline_promela_model::{PromelaModel, SemanticsOptions};

/// A model without errors, with the default semantics.
pub fn promela(front: &Frontend) -> impl Model {
    PromelaModel::new("model.pml", front, SemanticsOptions::default())
}

/// The names of all heuristics for Promela.
pub fn heuristic_names() -> HeuristicNames {
    let listed = HEURISTICS.iter().map(|row| row.name).collect();
    let others = HEURISTICS.iter().flat_map(|row| row.aliases).copied().collect();
    HeuristicNames { listed, others }
}
