//! A model that is ready to run, or the output of a command that has none.

use beeline_promela::diagnostic::Severity;

use crate::args::input::Input;
use crate::args::report::Reporting;
use crate::base::exit::Exit;
use crate::base::failure::Failure;
use crate::base::json;
use crate::base::output::CommandOutput;
use crate::model::file::{Language, ModelFile};
use crate::model::loaded::LoadedModel;
use crate::model::read_error::ReadError;
use crate::render::diagnostics::{self, DiagnosticsObject};

/// Reads the file of a model, of whatever language.
pub(crate) fn open(input: &Input, report: &Reporting) -> Result<ModelFile, CommandOutput> {
    ModelFile::read(&input.model).map_err(|error| unreadable(input, report, error))
}

/// Reads a Promela model, which must have no errors, and its warnings as text.
pub(crate) fn read(
    input: &Input,
    report: &Reporting,
) -> Result<(LoadedModel, String), CommandOutput> {
    read_with(input, report, "")
}

/// Reads a Promela model with more Promela appended to it.
pub(crate) fn read_with(
    input: &Input,
    report: &Reporting,
    appended: &str,
) -> Result<(LoadedModel, String), CommandOutput> {
    let loaded = parse(open(input, report)?, input, report, appended)?;
    let warnings = accept(&loaded, report)?;
    Ok((loaded, warnings))
}

/// Parses a Promela model with more Promela appended to it. The model may have errors; a process
/// network is refused.
pub(crate) fn parse(
    file: ModelFile,
    input: &Input,
    report: &Reporting,
    appended: &str,
) -> Result<LoadedModel, CommandOutput> {
    match file.language {
        Language::Promela => Ok(LoadedModel::parse(file, &input.preprocessing(appended))),
        Language::Network => Err(unreadable(input, report, ReadError::NotPromela(file.name))),
    }
}

/// The warnings about a model, which must have no errors, as text.
pub(crate) fn accept(loaded: &LoadedModel, report: &Reporting) -> Result<String, CommandOutput> {
    if loaded.result.diagnostics.has_errors() {
        return Err(refuse(loaded, report));
    }
    let silent = report.quiet || report.json;
    Ok(if silent { String::new() } else { messages(loaded, report) })
}

/// The output for a model with errors: the same as that of `lint`.
fn refuse(loaded: &LoadedModel, report: &Reporting) -> CommandOutput {
    if report.json {
        let out = json::line(&DiagnosticsObject::new(loaded));
        return CommandOutput { out, err: String::new(), exit: loaded.exit() };
    }
    let mut err = messages(loaded, report);
    if !report.quiet {
        err += &diagnostics::summary(&loaded.model, &loaded.result.diagnostics);
    }
    CommandOutput { out: String::new(), err, exit: loaded.exit() }
}

/// Errors, and warnings unless they are unwanted.
pub(crate) fn messages(loaded: &LoadedModel, report: &Reporting) -> String {
    let paint = report.color.paint(&std::io::stderr());
    let all = loaded.result.diagnostics.iter();
    let wanted = all.filter(|message| message.severity == Severity::Error || !report.quiet);
    let sources = &loaded.result.sources;
    wanted.map(|message| diagnostics::render(message, sources, paint) + "\n").collect()
}

/// The output of a command whose model cannot be read.
fn unreadable(input: &Input, report: &Reporting, error: ReadError) -> CommandOutput {
    fail(&input.model.to_string_lossy(), report, error)
}

/// Where to look when a reduction cannot be used as requested.
pub(crate) const REDUCTIONS: &str = "`beeline list reductions` tells what each is made for";

/// The output of a command that cannot do what was asked.
pub(crate) fn fail(model: &str, report: &Reporting, failure: impl Into<Failure>) -> CommandOutput {
    fail_with(model, report, failure, Exit::Usage)
}

/// The output of a command that cannot do what was asked, with another exit code.
pub(crate) fn fail_with(
    model: &str,
    report: &Reporting,
    failure: impl Into<Failure>,
    exit: Exit,
) -> CommandOutput {
    let failure = failure.into();
    let out = if report.json {
        json::line(&json::FailureObject::new(model, &failure))
    } else {
        String::new()
    };
    let err = failure.render(report.color.paint(&std::io::stderr()));
    CommandOutput { out, err, exit }
}
