//! Support for tests: SPIN as an oracle, the corpus, fixtures, and random programs. For development
//! only: no crate imports this one outside its tests.
#![forbid(unsafe_code)]

pub mod agreement;
pub mod checking;
pub mod chosen;
pub mod compare;
pub mod corpus;
pub mod exercise;
pub mod fixture;
pub mod model;
pub mod mutate;
pub mod pathological;
pub mod spin;

pub mod generate;
pub mod rng;
