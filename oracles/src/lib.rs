//! Sets of vectors of integers as binary decision diagrams of [OxiDD](https://oxidd.net): the
//! oracle of the list decision diagrams of `beeline-symbolic`.
//!
//! Each value has a fixed number of bits. The bits of a value and those of the value after a step
//! are next to each other.
#![forbid(unsafe_code)]

mod bdd_sets;
mod local_step;

pub use bdd_sets::{BddSets, BitRelation};
pub use local_step::{LocalStep, NewValue, system_of};
