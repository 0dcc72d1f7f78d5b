//! What tests need: SPIN as an oracle, the corpus, fixtures, random programs, and comparisons that
//! several tests make. For development only: no crate imports this one outside of its tests.
#![forbid(unsafe_code)]

pub mod agreement;
pub mod branching;
pub mod checking;
pub mod chosen;
pub mod compare;
pub mod corpus;
pub mod counting;
pub mod cycle_verdicts;
pub mod delayed;
pub mod estimates;
pub mod exact_view;
pub mod exercise;
pub mod factored;
pub mod fixture;
pub mod improvement;
pub mod limits;
pub mod model;
pub mod more_steps;
pub mod mutate;
pub mod native;
pub mod need;
pub mod parallel;
pub mod pathological;
pub mod reduced_checks;
pub mod reduction;
pub mod rounds;
pub mod roundtrip;
pub mod sleep_sets;
pub mod spin;
pub mod symbolic;
pub mod symbolic_search;
pub mod threads;
pub mod value_ranges;

pub mod generate;
pub mod rng;
