//! From the command line to a model that has been read.

use beeline_checker::COMMAND_LINE_SOURCE;
use beeline_promela::Frontend;
use beeline_promela::diagnostic::Severity;
use beeline_promela::preprocess::PreprocessOptions;

use crate::exit::Exit;
use crate::input::{Include, Model, ReadError};
use crate::network::{self, Text};
use crate::options::{Input, Reporting};
use crate::output::CommandOutput;
use crate::render::json;

/// A model, and all that the front-end makes of it.
pub(crate) struct LoadedModel {
    /// The name messages use.
    pub(crate) model: String,
    pub(crate) result: Frontend,
}

impl LoadedModel {
    /// Reads the model and everything it includes.
    ///
    /// # Errors
    ///
    /// When the model itself cannot be read. A missing include is a diagnostic.
    pub(crate) fn read(input: &Input) -> Result<LoadedModel, ReadError> {
        LoadedModel::read_with(input, "")
    }

    /// Reads the model, everything it includes, and some more Promela behind it.
    ///
    /// # Errors
    ///
    /// When the model itself cannot be read. A missing include is a diagnostic.
    pub(crate) fn read_with(input: &Input, more: &str) -> Result<LoadedModel, ReadError> {
        let Model { name, text } = match Text::read(&input.model)? {
            Text::Promela(model) => model,
            Text::Network(model) => return Err(network::refused(&model.name)),
        };
        let text = text + more;
        let options = PreprocessOptions { defines: input.defines.clone() };
        let mut include = Include::new(&input.include);
        let result = beeline_promela::read(&name, &text, &mut include, &options);
        Ok(LoadedModel { model: name, result })
    }

    /// How the process ends when there is nothing more to say than diagnostics.
    pub(crate) fn exit(&self) -> Exit {
        let Frontend { diagnostics, sources, .. } = &self.result;
        let errors = diagnostics.iter().filter(|message| message.severity == Severity::Error);
        let mut places = errors.map(|error| sources.location(error.span).file);
        if !diagnostics.has_errors() {
            Exit::Success
        } else if places.all(|place| *place == *COMMAND_LINE_SOURCE) {
            Exit::Usage
        } else {
            Exit::Model
        }
    }
}

/// The answer when a model cannot be read.
pub(crate) fn unreadable(input: &Input, report: &Reporting, error: &ReadError) -> CommandOutput {
    let out = if report.json {
        json::line(&json::Failure::new(&input.model.to_string_lossy(), error))
    } else {
        String::new()
    };
    let paint = report.color.paint(&std::io::stderr());
    CommandOutput { out, err: error.render(paint), exit: Exit::Usage }
}
