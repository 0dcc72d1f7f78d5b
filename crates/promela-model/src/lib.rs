//! Promela's implementation of the [`Model`](beeline_model::Model) contract.
//!
//! [`PromelaModel`] is a model without syntax or semantic errors, with the [`SemanticsOptions`]
//! that the language leaves to its user. Its transition system is the interpreter's machine or
//! native code; witnesses are replayed on the interpreter. [`route`] and [`state_graph`] are for
//! pictures that only Promela has: automata, and all states of a small model.
#![forbid(unsafe_code)]

mod blocked_sequence;
mod branching;
mod chronicle;
mod claims;
mod coverage;
mod describer;
mod editor;
mod ended_channels;
mod error_selector;
mod explanation;
mod failing_part;
mod graph;
mod invariant;
mod messages;
mod model;
mod names;
mod obstacle;
mod one_line;
mod property;
mod route;
mod semantics;
mod simulate;
mod space;
mod statement_text;
mod states;
mod story;
mod story_recorder;
mod symbolic;
mod system;
mod trace_violation;
mod view;
mod witness;
mod written_property;

pub use graph::{GraphStep, StateEdge, StateGraph, StateNode, TooManyStates, state_graph};
pub use model::PromelaModel;
pub use route::route;
pub use semantics::SemanticsOptions;
pub use written_property::{
    COMMAND_LINE_SOURCE, WrittenError, WrittenMistake, check_written, formulas,
    is_written_property, place_at_end,
};
