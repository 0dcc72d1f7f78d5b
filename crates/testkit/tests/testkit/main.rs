//! The crates together, on the models of the project and on random programs; and the rules of the
//! sources. `tests/differential/` has the long tests and those on the corpus.

mod acceptance;
mod activity;
mod asleep;
mod bibliography;
mod branching;
mod counts;
mod estimates;
mod exclusive;
mod exports;
mod factored;
mod fields;
mod filter;
mod improve;
mod layering;
mod liveness;
mod native;
mod parallel;
mod reduced_checks;
mod reduction;
mod robustness;
mod roundtrip;
mod scale;
mod silence;
mod symbolic;
mod value_ranges;
