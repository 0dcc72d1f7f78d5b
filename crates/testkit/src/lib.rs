//! testkit
#![forbid(unsafe_code)]

pub mod agreement;
pub mod chart;
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
