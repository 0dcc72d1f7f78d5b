//! A model that is ready to run, or the answer when there is none.

use beeline_promela::diagnostic::Severity;

use crate::exit::Exit;
use crate::input::ReadError;
use crate::loaded::{LoadedModel, unreadable};
use crate::options::{Input, Reporting};
use crate::output::CommandOutput;
use crate::render::{self, json};

/// Reads a model, which must have no errors, and its warnings as text.
pub(crate) fn read(
    input: &Input,
    report: &Reporting,
) -> Result<(LoadedModel, String), CommandOutput> {
    read_with(input, report, "")
}

/// Reads a model together with some more Promela.
pub(crate) fn read_with(
    input: &Input,
    report: &Reporting,
    more: &str,
) -> Result<(LoadedModel, String), CommandOutput> {
    let loaded = loaded_with(input, report, more)?;
    let warnings = accept(&loaded, report)?;
    Ok((loaded, warnings))
}

/// Reads a model together with some more Promela. It may have errors.
pub(crate) fn loaded_with(
    input: &Input,
    report: &Reporting,
    more: &str,
) -> Result<LoadedModel, CommandOutput> {
    LoadedModel::read_with(input, more).map_err(|error| unreadable(input, report, &error))
}

/// The warnings about a model, which must have no errors, as text.
pub(crate) fn accept(loaded: &LoadedModel, report: &Reporting) -> Result<String, CommandOutput> {
    if loaded.result.diagnostics.has_errors() {
        return Err(refuse(loaded, report));
    }
    let silent = report.quiet || report.json;
    Ok(if silent { String::new() } else { messages(loaded, report) })
}

/// The answer about a model with errors: the same as that of `lint`.
fn refuse(loaded: &LoadedModel, report: &Reporting) -> CommandOutput {
    if report.json {
        let out = json::line(&json::Report::new(loaded));
        return CommandOutput { out, err: String::new(), exit: loaded.exit() };
    }
    let mut err = messages(loaded, report);
    if !report.quiet {
        err += &render::summary(&loaded.model, &loaded.result.diagnostics);
    }
    CommandOutput { out: String::new(), err, exit: loaded.exit() }
}

fn messages(loaded: &LoadedModel, report: &Reporting) -> String {
    let paint = report.color.paint(&std::io::stderr());
    let all = loaded.result.diagnostics.iter();
    let wanted = all.filter(|message| message.severity == Severity::Error || !report.quiet);
    wanted.map(|message| render::render(message, &loaded.result.sources, paint) + "\n").collect()
}

/// The answer when something else that was asked for cannot be done.
pub(crate) fn failure(
    loaded: &LoadedModel,
    report: &Reporting,
    message: String,
    help: String,
) -> CommandOutput {
    usage(&loaded.model, report, message, help)
}

/// Where to look when a reduction cannot be had as it was asked for.
pub(crate) const REDUCTIONS: &str = "`beeline list reductions` tells what each is made for";

/// The answer when that is known before the model has been read.
pub(crate) fn usage(
    model: &str,
    report: &Reporting,
    message: String,
    help: String,
) -> CommandOutput {
    let error = ReadError { message, help };
    let out =
        if report.json { json::line(&json::Failure::new(model, &error)) } else { String::new() };
    let err = error.render(report.color.paint(&std::io::stderr()));
    CommandOutput { out, err, exit: Exit::Usage }
}
