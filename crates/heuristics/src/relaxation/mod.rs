//! Relaxation: nothing that was true becomes false. A relaxed state has a set of values for
//! every factor, steps add values and take none away, and a condition is true if it is for some
//! of them.
//!
//! [`Relaxation`] prepares a system in factors; the heuristics differ in what they make of it.
//! It knows no language: a [`FactorReader`] tells the values of factors in a state.

mod bit_table;
mod cells;
mod code;
mod compile;
mod compiled;
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

use std::sync::Arc;

use beeline_factored::{FactorReader, Ranges, System};
use beeline_kernel::Heuristic;

use compiled::Compiled;
use layers::Layers;

pub use cells::{ChannelModel, RelaxationOptions, ValueSets};
pub use hadd::Hadd;
pub use hff::Hff;
pub use hmax::Hmax;
pub use hpl::Hpl;

/// A system that is prepared for relaxed states, and how states are read.
#[derive(Clone)]
pub struct Relaxation<'a> {
    compiled: Arc<Compiled>,
    reading: Arc<dyn FactorReader + 'a>,
}

impl<'a> Relaxation<'a> {
    /// Prepares a system.
    pub fn new(
        system: &System,
        reading: Arc<dyn FactorReader + 'a>,
        options: RelaxationOptions,
    ) -> Self {
        Relaxation::within(system, &Ranges::of(system), reading, options)
    }

    /// Prepares a system of which it is known which values its factors can have.
    pub fn within(
        system: &System,
        ranges: &Ranges,
        reading: Arc<dyn FactorReader + 'a>,
        options: RelaxationOptions,
    ) -> Self {
        Relaxation { compiled: Arc::new(Compiled::new(system, ranges, options)), reading }
    }

    fn layers(&self) -> Layers {
        Layers::new(self.compiled.clone())
    }
}

/// What is made of relaxed states.
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
    /// All of them.
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
