//! Pattern databases: a few numbers of each state are kept, everything else may have any value that
//! it can have. What is left is small enough to be explored, and the distance of every abstract
//! state to an error is written down.
//!
//! Source: \[EMJ05\] Abstraction Databases.
//!
//! `task` is the system and what is looked for, prepared once. A `lens` is one number that is kept:
//! a value, a class of values (`classes`), or whether something is true. `projection` is what is
//! left of the system then, with the values of `trials` and the outcomes of `ways`; `exploration`
//! goes through that forwards, then backwards from the errors, and `database` is the table that
//! comes of it. Several of them are `tables`, whose distances may be added up where each step has
//! its `share` in one of them. `refinement` chooses patterns: it follows a way to an error in the
//! abstract system until it is not possible any more, and keeps the factor that is to blame.
//! Someone else may choose by a `recipe`. `saved` makes bytes of tables. [`Pdb`] looks up states.
//!
//! A table is complete or is not used: a pattern with too many abstract states is given up.

mod abstract_effects;
pub(crate) mod budget;
pub(crate) mod cache_file;
mod classes;
mod combination;
mod cost_partitioning;
mod database;
mod enumerate;
mod exploration;
mod feature;
pub(crate) mod pdb;
mod projection;
pub(crate) mod recipe;
pub(crate) mod refinement;
pub(crate) mod tables;
pub(crate) mod task;

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
