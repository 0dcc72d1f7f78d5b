//! Explorations of toy spaces, through the public doors only.

mod counts;
mod findings;
mod limits;
mod paths;
mod slices;
mod stores;
mod toys;
