//! Pattern databases: a few factors of a system are kept, all others may have any value that they
//! can have. What is left is small enough to be explored, and the distance of every abstract state
//! to an error is written down.
//!
//! Source: \[EMJ05\] Abstraction Databases.
//!
//! `task` is the system and what is looked for, prepared once. `projection` is what is left of
//! it with a pattern, `exploration` goes through that forwards, then backwards from the errors,
//! and `database` is the table that comes of it. `refinement` chooses patterns: it follows a
//! way to an error in the abstract system until it is not possible any more, and keeps the factor
//! that is to blame. [`Pdb`] looks up states.
//!
//! A table is complete or is not used: a pattern with too many abstract states is given up.

mod database;
mod exploration;
mod pdb;
mod projection;
mod refinement;
mod task;

pub use database::Database;
pub use exploration::{Budget, TooLarge};
pub use pdb::{NoPattern, Pdb};
pub use refinement::Settings;
pub use task::{Target, Task};
