//! Sets against explicit sets, and symbolic reachability against explicit enumeration.

mod counts;
mod explicit;
mod generator;
mod limits;
mod paper;
mod philosophers;
mod search;
mod search_estimates;
mod sets;
mod systems;
