//! Pattern databases: the exact goal distances of an abstract system that keeps a few features of
//! each state and lets everything else have any value.
//!
//! Source: \[CS98\] for pattern databases, \[EMJ05\] Abstraction Databases for their use in model
//! checking.
//!
//! `task` is the system with its targets. A `feature` is a value, a class of values (`classes`) or
//! a predicate. `projection` is the abstract system for some features; it uses `enumerate` and
//! `abstract_effects`. `exploration` builds its reachable space with distances, and `database` is
//! the resulting table. `tables` combines several databases; their distances may be added by
//! `cost_partitioning`. `refinement` chooses patterns by counterexample-guided refinement; a
//! `recipe` is a file in which the user chooses. `cache_file` stores tables. [`Pdb`] looks up
//! states.
//!
//! A table is complete or not used: a pattern with too many abstract states is abandoned.

mod abstract_effects;
mod budget;
mod cache_file;
mod classes;
mod combination;
mod cost_partitioning;
mod database;
mod enumerate;
mod exploration;
mod feature;
mod pdb;
mod projection;
mod recipe;
mod refinement;
pub(crate) mod row;
mod tables;
mod task;

pub use budget::{PatternBudget, PatternShortage, PatternTooLarge};
pub use cache_file::{CacheError, Fingerprint, VERSION};
pub use classes::ValueClasses;
pub use combination::TableCombination;
pub use database::Database;
pub use feature::{Feature, Predicate};
pub use pdb::{NoPattern, Pdb};
pub use recipe::{Recipe, RecipeConstants, RecipeError, TableRecipe};
pub use refinement::RefinementSettings;
pub use task::{AbstractTarget, PatternTask};
