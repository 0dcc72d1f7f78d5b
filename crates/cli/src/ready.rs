//! A model that is ready to run, or the answer when there is none.

use beeline_promela::diagnostic::Severity;

use crate::answer::Answer;
use crate::exit::Exit;
use crate::front::{Front, unreadable};
use crate::input::ReadError;
use crate::options::{Input, Reporting};
use crate::render::{self, json};

/// Reads a model, which must have no errors, and its warnings as text.
pub(crate) fn read(input: &Input, report: &Reporting) -> Result<(Front, String), Answer> {
    read_with(input, report, "")
}

/// Reads a model together with some more Promela.
pub(crate) fn read_with(
    input: &Input,
    report: &Reporting,
    more: &str,
) -> Result<(Front, String), Answer> {
    let front = front_with(input, report, more)?;
    let warnings = accept(&front, report)?;
    Ok((front, warnings))
}

/// Reads a model together with some more Promela. It may have errors.
pub(crate) fn front_with(input: &Input, report: &Reporting, more: &str) -> Result<Front, Answer> {
    Front::read_with(input, more).map_err(|error| unreadable(input, report, &error))
}

/// The warnings about a model, which must have no errors, as text.
pub(crate) fn accept(front: &Front, report: &Reporting) -> Result<String, Answer> {
    if front.result.diagnostics.has_errors() {
        return Err(refuse(front, report));
    }
    let silent = report.quiet || report.json;
    Ok(if silent { String::new() } else { messages(front, report) })
}

/// The answer about a model with errors: the same as that of `lint`.
fn refuse(front: &Front, report: &Reporting) -> Answer {
    if report.json {
        let out = json::line(&json::Report::new(front));
        return Answer { out, err: String::new(), exit: front.exit() };
    }
    let mut err = messages(front, report);
    if !report.quiet {
        err += &render::summary(&front.model, &front.result.diagnostics);
    }
    Answer { out: String::new(), err, exit: front.exit() }
}

fn messages(front: &Front, report: &Reporting) -> String {
    let paint = report.color.paint(&std::io::stderr());
    let all = front.result.diagnostics.iter();
    let wanted = all.filter(|message| message.severity == Severity::Error || !report.quiet);
    wanted.map(|message| render::render(message, &front.result.sources, paint) + "\n").collect()
}

/// The answer when something else that was asked for cannot be done.
pub(crate) fn failure(front: &Front, report: &Reporting, message: String, help: String) -> Answer {
    usage(&front.model, report, message, help)
}

/// Where to look when a reduction cannot be had as it was asked for.
pub(crate) const REDUCTIONS: &str = "`beeline list reductions` tells what each is made for";

/// The answer when that is known before the model has been read.
pub(crate) fn usage(model: &str, report: &Reporting, message: String, help: String) -> Answer {
    let error = ReadError { message, help };
    let out =
        if report.json { json::line(&json::Failure::new(model, &error)) } else { String::new() };
    let err = error.render(report.color.paint(&std::io::stderr()));
    Answer { out, err, exit: Exit::Usage }
}
