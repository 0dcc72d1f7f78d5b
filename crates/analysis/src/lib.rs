//! Static analyses of a Promela model: independence of steps for partial order
//! reduction and sleep sets, the factored view for heuristics, and facts as text.
//!
//! The interpreter needs none of these: `beeline_engine` has the model, its automata and its
//! states, and this crate only reads them.
#![forbid(unsafe_code)]

pub mod blocking;
pub mod factored;
pub mod facts;
pub mod faults;
mod operators;
pub mod reduction;
mod stability;
pub mod value_ranges;
