//! Process automata: control flow as a graph, the same graph that SPIN's `pan` traverses, down to
//! the numbers of locations and edges.
//!
//! ```text
//! hir ─lower→ elements ─(merge, dead variables)→ table ─flatten→ automaton
//! ```
//!
//! SPIN numbers an *element* for each statement while it parses, links elements into sequences, and
//! writes a table with one row per element; `pan` then flattens choices and escapes when it starts.
//! The numbers matter: a trail file refers to edges by them. So elements are numbered as in SPIN;
//! the number of an element within its process is its [`Location`].

mod action;
mod atomic;
mod channel_use;
mod coverage;
mod dead_variables;
mod dump;
mod elements;
mod escapes;
mod flatten;
mod flow;
mod globality;
mod graph;
mod lower;
mod merge;
mod optimise;
mod skip_closure;
mod table;

use beeline_promela::hir::Model;

pub use action::{EdgeAction, JumpKind, assigned};
pub use beeline_kernel::EdgeId;
pub use channel_use::{EndUse, each_use, uses_channels};
pub use coverage::EdgeCoverage;
pub use dump::{dot, dump, title};
pub use graph::{
    AutomataOptions, Automaton, DStep, Edge, EdgeStep, Hold, Location, LocationMarks,
    label_location,
};

/// Builds the automata of all processes of a model without errors.
pub fn build(model: &Model, options: AutomataOptions) -> Vec<Automaton> {
    let mut elements = lower::lower(model);
    elements.tie_loose_ends();
    optimise::optimise(&mut elements, model, options);
    table::tabulate(&mut elements, model)
        .into_iter()
        .map(|table| flatten::flatten(table, &elements, model))
        .collect()
}
