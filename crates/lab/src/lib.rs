//! Measurements: benches that write the tables and pages of `bench/` and `docs/book/`, and their
//! shared code. For development only: no crate imports this one.
#![forbid(unsafe_code)]

pub mod ask;
pub mod chart;
pub mod place;
pub mod published;
pub mod resident;
pub mod speed_models;
pub mod tool;
