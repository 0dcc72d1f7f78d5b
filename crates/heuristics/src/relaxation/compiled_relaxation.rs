//! A factored system prepared for relaxed states, with the reader of its states.

use std::sync::Arc;

use beeline_factored::{FactorReader, Ranges, System};

use super::cells::RelaxationOptions;
use super::compiled::Compiled;
use super::layers::Layers;

/// A compiled system with the reader of its states.
#[derive(Clone)]
pub struct Relaxation<'a> {
    pub(super) compiled: Arc<Compiled>,
    pub(super) reading: Arc<dyn FactorReader + 'a>,
}

impl<'a> Relaxation<'a> {
    /// Compiles a system.
    pub fn new(
        system: &System,
        reading: Arc<dyn FactorReader + 'a>,
        options: RelaxationOptions,
    ) -> Self {
        Relaxation::within(system, &Ranges::of(system), reading, options)
    }

    /// Compiles a system with known ranges.
    pub fn within(
        system: &System,
        ranges: &Ranges,
        reading: Arc<dyn FactorReader + 'a>,
        options: RelaxationOptions,
    ) -> Self {
        Relaxation { compiled: Arc::new(Compiled::new(system, ranges, options)), reading }
    }

    pub(super) fn layers(&self) -> Layers {
        Layers::new(self.compiled.clone())
    }
}
