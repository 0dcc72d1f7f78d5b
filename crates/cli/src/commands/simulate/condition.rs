//! A condition that a user states during a run: whether it holds in the states of the run.

use beeline_model::{Property, Simulation, SimulationError};

use crate::args::property::parse_property;
use crate::args::simulate::{SEED, Simulate};
use crate::commands::load::{self, LoadRequest};
use crate::model::loaded::LoadedModel;

/// A model with a condition: the expression is read together with the model.
pub(super) struct ConditionModel {
    loaded: LoadedModel,
    property: Property,
}

impl ConditionModel {
    /// Reads the model again, with the condition.
    ///
    /// # Errors
    ///
    /// When the condition has mistakes, with messages.
    pub(super) fn read(options: &Simulate, condition: &str) -> Result<ConditionModel, String> {
        let text = format!("invariant: {condition}");
        parse_property(&text).map_err(|error| format!("{error}\n"))?;
        let properties = [text];
        let (loaded, _) = load::read(&LoadRequest {
            properties: &properties,
            semantics: options.meaning.semantics(),
            ..LoadRequest::new(&options.input, &options.report)
        })
        .map_err(|output| output.err)?;
        let selected = loaded.as_model().select(&properties).map_err(|error| format!("{error}\n"));
        let property = selected?.into_iter().next().ok_or("there is no such property\n")?;
        Ok(ConditionModel { loaded, property })
    }

    /// A run that repeats these steps, to judge the states of another one.
    ///
    /// # Errors
    ///
    /// When the model cannot be simulated.
    pub(super) fn follow(&self, taken: &[usize]) -> Result<ConditionRun<'_>, SimulationError> {
        let mut run = self.loaded.as_model().simulation(SEED)?;
        for choice in taken {
            run.take(*choice);
        }
        Ok(ConditionRun { run, property: &self.property })
    }
}

/// A run beside the one of the user.
pub(super) struct ConditionRun<'a> {
    run: Box<dyn Simulation + 'a>,
    property: &'a Property,
}

impl ConditionRun<'_> {
    /// Takes the same step as the run of the user.
    pub(super) fn take(&mut self, choice: usize) {
        self.run.take(choice);
    }

    /// Whether the condition holds. Without a value it does not.
    pub(super) fn holds(&self) -> bool {
        self.run.holds(self.property) == Some(true)
    }
}
