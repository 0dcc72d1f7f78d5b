//! A factored system prepared for relaxed states, with the reader of its states.

use std::sync::Arc;

use beeline_factored::{FactorReader, FactoredView, Ranges, System};
use beeline_kernel::registry::{ArgumentRow, Arguments};

use super::cells::{ChannelModel, RelaxationOptions, ValueSets};
use super::compiled::Compiled;
use super::layers::Layers;
use crate::error::BuildError;
use crate::request::{Request, argument};

/// The arguments of relaxed heuristics.
pub(crate) const ARGUMENTS: &[ArgumentRow] = &[
    argument("values", "sets or intervals (default: sets)"),
    argument("channels", "slots, or pooled: channels as sets of messages (default: slots)"),
];

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

    /// The relaxation of a requested heuristic.
    pub(super) fn requested(of: &Request<'_, '_>) -> Result<Self, BuildError> {
        Relaxation::of_view(&of.view()?, &of.arguments)
    }

    /// The relaxation of a factored view.
    pub(crate) fn of_view(
        view: &FactoredView,
        arguments: &Arguments<'_>,
    ) -> Result<Self, BuildError> {
        let values = [("sets", ValueSets::Sets), ("intervals", ValueSets::Intervals)];
        let channels = [("slots", ChannelModel::Slots), ("pooled", ChannelModel::Pooled)];
        let options = RelaxationOptions {
            values: arguments.choice("values", &values)?,
            channels: arguments.choice("channels", &channels)?,
        };
        let FactoredView { system, ranges, reading } = view;
        Ok(Relaxation::within(system, ranges, reading.clone(), options))
    }

    pub(super) fn layers(&self) -> Layers {
        Layers::new(self.compiled.clone())
    }
}
