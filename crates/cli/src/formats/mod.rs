//! Answers in the formats of other programs, beside our own words: SARIF for code
//! scanning, JUnit XML for test reports, ITF for viewers of traces.

mod itf;
mod junit;
mod options;
mod place;
mod sarif;

use std::io::{self, ErrorKind};
use std::path::Path;

use beeline_checker::Story;

use crate::check::Outcome;
use crate::exit::Exit;
use crate::file;
use crate::input::ReadError;
use crate::loaded::LoadedModel;
use crate::options::{Check, Replay, Reporting};
use crate::output::CommandOutput;
use crate::trail::Places;

pub(crate) use options::{Reports, Traces};

/// Said when several answers want standard output.
pub(crate) const ONE_OUTPUT: &str =
    "standard output has room for one answer only: name a file for the others";

/// What is wrong with where the answers of a check go.
pub(crate) fn collision(check: &Check) -> Option<&'static str> {
    let on_output = check.reports.on_output()
        + usize::from(check.traces.takes_output())
        + usize::from(check.report.json);
    (on_output > 1).then_some(ONE_OUTPUT)
}

/// Adds the formats that were asked for to the answer of a check.
pub(crate) fn of_check(outcome: &Outcome<'_>, answer: CommandOutput) -> CommandOutput {
    let Check { reports, traces, report, .. } = outcome.options;
    let mut writer = Writer { answer, report };
    if let Some(file) = &reports.sarif {
        let exit = writer.answer.exit;
        writer.put("the SARIF report", file, || sarif::of_check(outcome, exit));
    }
    if let Some(file) = &reports.junit {
        writer.put("the JUnit report", file, || junit::of_check(outcome));
    }
    if let Some(file) = &traces.itf {
        traces_of(outcome, file, &mut writer);
    }
    writer.answer
}

/// Each violation has a trace of its own.
fn traces_of(outcome: &Outcome<'_>, file: &Path, writer: &mut Writer<'_>) {
    let places = Places::new(&outcome.loaded.model, Some(file));
    let checked = outcome.report.properties.iter().zip(&outcome.shown);
    let all: Vec<_> = checked
        .flat_map(|(checked, shown)| shown.iter().map(|one| (&checked.property.name, one)))
        .collect();
    if all.is_empty() {
        writer
            .note(&format!("no property is violated: there is no trace for `{}`", file.display()));
        if options::is_output(file) {
            writer.answer.out.clear();
        }
        return;
    }
    for (at, (property, shown)) in all.into_iter().enumerate() {
        let trace = || itf::trace(outcome.loaded, Some(property), &shown.story);
        match (options::is_output(file), at) {
            (true, 1..) => return,
            (true, 0) => writer.put("the trace", file, trace),
            (false, _) => writer.put("the trace", &places.file(at + 1), trace),
        }
    }
}

/// Adds the formats that were asked for to the answer about a model with errors.
pub(crate) fn of_refused(
    loaded: &LoadedModel,
    options: &Check,
    answer: CommandOutput,
) -> CommandOutput {
    let Check { reports, report, .. } = options;
    let mut writer = Writer { answer, report };
    if let Some(file) = &reports.sarif {
        writer.put("the SARIF report", file, || sarif::of_refused(loaded));
    }
    if let Some(file) = &reports.junit {
        writer.put("the JUnit report", file, || junit::of_refused(loaded));
    }
    // What is wrong with the model matters more than where that is written.
    CommandOutput { exit: loaded.exit(), ..writer.answer }
}

/// Adds the formats that were asked for to the answer of a replay.
pub(crate) fn of_replay(
    loaded: &LoadedModel,
    options: &Replay,
    story: &Story,
    answer: CommandOutput,
) -> CommandOutput {
    let mut writer = Writer { answer, report: &options.report };
    if let Some(file) = &options.traces.itf {
        writer.put("the trace", file, || itf::trace(loaded, None, story));
    }
    writer.answer
}

/// An answer that gets further parts.
struct Writer<'a> {
    answer: CommandOutput,
    report: &'a Reporting,
}

impl Writer<'_> {
    /// Writes a text to a file, or to standard output in place of our words. What cannot be
    /// written takes nothing away from the answer, but someone waits for it: that is an error.
    fn put(&mut self, what: &str, path: &Path, text: impl FnOnce() -> String) {
        if options::is_output(path) {
            self.answer.out = text();
        } else if let Err(error) = file::replace(path, text()) {
            let paint = self.report.color.paint(&io::stderr());
            self.answer.err += &unwritable(what, path, &error).render(paint);
            self.answer.exit = Exit::Usage;
        }
    }

    fn note(&mut self, text: &str) {
        if !self.report.quiet {
            self.answer.err += &format!("note: {text}\n");
        }
    }
}

fn unwritable(what: &str, path: &Path, error: &io::Error) -> ReadError {
    let folder = path.parent().filter(|folder| *folder != Path::new(""));
    let (cause, cure) = match (error.kind(), folder) {
        (ErrorKind::NotFound, Some(folder)) => {
            let folder = folder.display();
            (format!("there is no directory `{folder}`"), format!("make it: mkdir -p {folder}"))
        }
        (ErrorKind::IsADirectory, _) => {
            ("it is a directory".to_owned(), "name a file in it".to_owned())
        }
        (ErrorKind::PermissionDenied, _) => {
            ("permission denied".to_owned(), "check who may write there".to_owned())
        }
        _ => (error.to_string(), "name another file, or `-` for standard output".to_owned()),
    };
    let message = format!("cannot write {what} `{}`: {cause}", path.display());
    ReadError { message, help: format!("{cure}; the verdicts stand") }
}
