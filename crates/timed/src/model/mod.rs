//! A network of timed automata as a [`Model`](beeline_model::Model): queries as properties, symbolic
//! states as its system, trails with time stamps as stories.

mod dump;
mod guides;
mod narrator;
mod product;
mod shared_spaces;
mod simulation;
mod system;
mod time_costs;
mod timed_model;
mod timed_run;
mod trail;

pub use timed_model::TimedModel;
