//! Explorations of toy spaces, through the public doors only.

mod best_first;
mod counts;
mod findings;
mod ida;
mod limits;
mod paths;
mod roads;
mod slices;
mod stores;
mod ties;
mod toys;
