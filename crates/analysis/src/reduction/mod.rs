//! Partial order reduction: one order of independent steps is enough.
//!
//! In each state the reducer searches a *stubborn set*: edges of processes, at their current and at
//! later locations, such that no step outside the set interferes with its enabled edges or enables
//! its disabled ones. Then the transitions of the set's processes suffice. These are strong
//! stubborn sets, computed from access sets (`footprint.rs`) and necessary enabling sets
//! (`necessary_enabling.rs`) for each process instance with its constants (`instance.rs`).
//!
//! Sources: \[EMJ05\], "Partial Order Reduction" (C0 to C2, and C3 by static means); \[Val91\] for
//! stubborn sets; \[LPPH16\] for guards and necessary enabling sets. Deviations (ours): the enabling
//! set is chosen once, by an estimate of its cost; where a condition reads variables of its own
//! process, a cycle of the process may make it true as well.

mod access_set;
mod alias;
mod assignments;
mod closure;
mod commutativity;
mod control_signature;
mod edge_set;
mod exclusivity;
mod expressions;
pub mod filter;
mod footprint;
mod footprint_context;
mod independence;
mod instance;
mod instance_edge;
mod interner;
mod local_state;
mod necessary_enabling;
mod objects;
mod options;
mod query_tables;
mod relations;
mod rule;
mod stubborn;
mod visible;

pub use commutativity::{ActiveProcesses, Commutativity};
pub use exclusivity::Exclusivity;
pub use independence::Independence;
pub use options::{Obstacle, Preserve, Proposals};
pub use rule::Rule;
pub use stubborn::StubbornSets;
