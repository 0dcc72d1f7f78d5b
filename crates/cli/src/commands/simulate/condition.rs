//! A condition that a user states during a run: whether it holds in the states of the run.

use std::fmt;

use beeline_model::{Property, Simulation, SimulationError, UnknownProperty};

use crate::args::error::ArgumentError;
use crate::args::property::parse_property;
use crate::args::simulate::{SEED, Simulate};
use crate::commands::load::{self, LoadRequest};
use crate::model::loaded::LoadedModel;

/// Why a condition cannot be used.
pub(super) enum ConditionError {
    /// Its text is not complete.
    Text(ArgumentError),
    /// The model has errors together with it: these messages.
    Model(String),
    /// The language has no conditions.
    Unknown(UnknownProperty),
}

impl fmt::Display for ConditionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ConditionError::Text(error) => writeln!(f, "{error}"),
            ConditionError::Model(messages) => f.write_str(messages),
            ConditionError::Unknown(error) => writeln!(f, "{error}"),
        }
    }
}

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
    /// When the condition has mistakes, or the model takes none.
    pub(super) fn read(
        options: &Simulate,
        condition: &str,
    ) -> Result<ConditionModel, ConditionError> {
        let text = format!("invariant: {condition}");
        parse_property(&text).map_err(ConditionError::Text)?;
        let properties = [text];
        let (loaded, _) = load::read(&LoadRequest {
            properties: &properties,
            option: "until",
            semantics: options.meaning.semantics(),
            ..LoadRequest::new(&options.input, &options.report)
        })
        .map_err(|output| ConditionError::Model(output.err))?;
        let mut selected =
            loaded.as_model().select(&properties).map_err(ConditionError::Unknown)?;
        let property = selected.pop().expect("each name selects a property");
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
