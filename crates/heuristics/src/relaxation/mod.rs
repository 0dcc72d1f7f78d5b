//! Delete relaxation: a relaxed state has a set of values for every factor; operators add values
//! and remove none; a condition holds if it holds for some of the values.
//!
//! [`Relaxation`] compiles a factored system; the heuristics differ in what they extract from
//! relaxed states. It is independent of the language: a
//! [`FactorReader`](beeline_factored::FactorReader) decodes states.

mod bit_table;
mod cells;
mod code;
mod compile;
mod compiled;
mod compiled_relaxation;
mod dump;
mod enumerate;
mod flow;
mod hadd;
mod hff;
mod hmax;
mod hpl;
mod layers;
mod program;
mod relaxed_apply;
mod relaxed_plan;
mod relaxed_state;
mod triggers;
mod worklist;

use beeline_kernel::Heuristic;

use crate::request::HeuristicRow;

pub use cells::{ChannelModel, RelaxationOptions, ValueSets};
pub(crate) use compiled_relaxation::ARGUMENTS;
pub use compiled_relaxation::Relaxation;
pub use hadd::Hadd;
pub use hff::Hff;
pub use hmax::Hmax;
pub use hpl::Hpl;

/// The heuristics of the delete relaxation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RelaxedHeuristic {
    /// [`Hpl`]
    Layers,
    /// [`Hmax`]
    Max,
    /// [`Hadd`]
    Add,
    /// [`Hff`]
    Path,
}

impl RelaxedHeuristic {
    /// All heuristics.
    pub const ALL: [RelaxedHeuristic; 4] = [
        RelaxedHeuristic::Layers,
        RelaxedHeuristic::Max,
        RelaxedHeuristic::Add,
        RelaxedHeuristic::Path,
    ];

    /// The heuristic.
    pub fn build<'a>(self, relaxation: &Relaxation<'a>) -> Box<dyn Heuristic + 'a> {
        match self {
            RelaxedHeuristic::Layers => Box::new(Hpl::new(relaxation)),
            RelaxedHeuristic::Max => Box::new(Hmax::new(relaxation)),
            RelaxedHeuristic::Add => Box::new(Hadd::new(relaxation)),
            RelaxedHeuristic::Path => Box::new(Hff::new(relaxation)),
        }
    }
}

/// The heuristics of this module.
pub(crate) const ROWS: &[HeuristicRow] = &[hpl::ROW, hmax::ROW, hadd::ROW, hff::ROW];
