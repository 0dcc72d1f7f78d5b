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

mod classes;
mod database;
mod exploration;
mod lens;
mod pdb;
mod projection;
mod recipe;
mod refinement;
mod request;
mod saved;
mod share;
mod tables;
mod task;
mod trials;
mod ways;

pub use classes::Classes;
pub use database::Database;
pub use exploration::{Budget, Short, TooLarge};
pub use lens::{Lens, Truth};
pub use pdb::{NoPattern, Pdb};
pub use recipe::{Constants, Mistake, Recipe, TableRecipe};
pub use refinement::Settings;
pub use saved::{Fingerprint, NotSaved, VERSION};
pub use tables::Together;
pub use task::{Target, Task};
