//! Relaxation: nothing that was true becomes false. A relaxed state has a set of values for
//! every factor, steps add values and take none away, and a condition is true if it is for some
//! of them.
//!
//! [`Relaxation`] prepares a system in factors; the heuristics differ in what they make of it.
//! It knows no language: a [`Reading`] tells the values of factors in a state.

mod agenda;
mod cells;
mod code;
mod dump;
mod flow;
mod hadd;
mod hff;
mod hmax;
mod hpl;
mod layers;
mod look;
mod needs;
mod path;
mod prepare;
mod program;
mod relaxed;
mod tries;

use std::sync::Arc;

use beeline_factored::{Ranges, Reading, System};
use beeline_kernel::Heuristic;

use code::Compiled;
use layers::Layers;

pub use cells::{Channels, Options, Values};
pub use hadd::Hadd;
pub use hff::Hff;
pub use hmax::Hmax;
pub use hpl::Hpl;

/// A system that is prepared for relaxed states, and how states are read.
#[derive(Clone)]
pub struct Relaxation<'a> {
    compiled: Arc<Compiled>,
    reading: Arc<dyn Reading + 'a>,
}

impl<'a> Relaxation<'a> {
    /// Prepares a system.
    pub fn new(system: &System, reading: Arc<dyn Reading + 'a>, options: Options) -> Self {
        Relaxation::within(system, &Ranges::of(system), reading, options)
    }

    /// Prepares a system of which it is known which values its factors can have.
    pub fn within(
        system: &System,
        ranges: &Ranges,
        reading: Arc<dyn Reading + 'a>,
        options: Options,
    ) -> Self {
        Relaxation { compiled: Arc::new(Compiled::new(system, ranges, options)), reading }
    }

    fn layers(&self) -> Layers {
        Layers::new(self.compiled.clone())
    }
}

/// What is made of relaxed states.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Which {
    /// [`Hpl`]
    Layers,
    /// [`Hmax`]
    Max,
    /// [`Hadd`]
    Add,
    /// [`Hff`]
    Path,
}

impl Which {
    /// All of them.
    pub const ALL: [Which; 4] = [Which::Layers, Which::Max, Which::Add, Which::Path];

    /// The heuristic.
    pub fn build<'a>(self, relaxation: &Relaxation<'a>) -> Box<dyn Heuristic + 'a> {
        match self {
            Which::Layers => Box::new(Hpl::new(relaxation)),
            Which::Max => Box::new(Hmax::new(relaxation)),
            Which::Add => Box::new(Hadd::new(relaxation)),
            Which::Path => Box::new(Hff::new(relaxation)),
        }
    }
}
