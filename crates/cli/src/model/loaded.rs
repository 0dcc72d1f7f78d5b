//! A Promela model after the front-end: syntax tree, resolved model and diagnostics.

use std::path::PathBuf;

use beeline_checker::COMMAND_LINE_SOURCE;
use beeline_promela::Frontend;
use beeline_promela::diagnostic::Severity;
use beeline_promela::preprocess::{Define, PreprocessOptions};

use crate::base::exit::Exit;
use crate::model::file::ModelFile;
use crate::model::include::Include;

/// A model with the result of the front-end.
pub(crate) struct LoadedModel {
    /// The name that messages use.
    pub(crate) model: String,
    pub(crate) result: Frontend,
}

/// What the preprocessor works with beside the file.
pub(crate) struct Preprocessing<'a> {
    /// Macros of the command line.
    pub(crate) defines: &'a [Define],
    /// Directories of included files.
    pub(crate) include: &'a [PathBuf],
    /// Promela that is appended to the model.
    pub(crate) appended: &'a str,
}

impl LoadedModel {
    /// Parses a Promela model and everything that it includes. Mistakes, a missing include among
    /// them, are diagnostics.
    pub(crate) fn parse(file: ModelFile, with: &Preprocessing<'_>) -> LoadedModel {
        let ModelFile { name, text, .. } = file;
        let text = text + with.appended;
        let options = PreprocessOptions { defines: with.defines.to_vec() };
        let mut include = Include::new(with.include);
        let result = beeline_promela::read(&name, &text, &mut include, &options);
        LoadedModel { model: name, result }
    }

    /// The exit code when there are only diagnostics to report.
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
