//! Partial order reduction: of steps that do not get in each other's way, one order is enough.
//!
//! In each state, a *stubborn set* is looked for: edges of processes, where they are and where they
//! may come to, such that nothing else disturbs those of them that are possible, nor makes others
//! of them possible. Then the steps of the processes that can move in this set stand for all. This
//! is strong stubborn sets, computed from what edges touch (`footprint.rs`) and wait for (necessary
//! enabling sets, `necessary_enabling.rs`), for each process in its circumstances (`instance.rs`).
//!
//! Sources: \[EMJ05\], "Partial Order Reduction" (C0 to C2, and C3 by static means);
//! A. Valmari, *Stubborn sets for reduced state space generation*, 1991; A. Laarman, E. Pater,
//! J. van de Pol, H. Hansen, *Guard-based partial-order reduction*, 2016.
//! Deviations: which enabling set is taken is decided once, by a guess at what it costs; where a
//! condition reads variables of its process, going round in the process may make it true as well.

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
