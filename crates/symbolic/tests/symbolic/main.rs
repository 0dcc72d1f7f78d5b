//! Sets against explicit sets, and symbolic reachability against explicit enumeration.

mod counts;
mod explicit;
mod generator;
mod limits;
mod philosophers;
mod sets;
mod systems;
