//! Planning tasks: what is read, what mistakes are reported, and what plans and estimates are right.

mod claims;
mod exact_views;
mod graph;
mod mistakes;
mod plans;
mod ranges;
mod sas;
mod tasks;
