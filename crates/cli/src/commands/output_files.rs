//! Files in formats of other programs, beside the output of a command.

use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use beeline_model::Story;

use crate::args::check::Check;
use crate::args::formats::{FormatFile, is_output};
use crate::args::replay::Replay;
use crate::args::report::Reporting;
use crate::base::exit::Exit;
use crate::base::failure::Failure;
use crate::base::file;
use crate::base::output::CommandOutput;
use crate::model::loaded::LoadedModel;
use crate::model::trail_paths::numbered;
use crate::render::check::CheckOutcome;
use crate::render::formats::Writer;

/// The name of a trace in messages.
const TRACE: &str = "the trace";

/// Writes the requested formats of a check.
pub(crate) fn of_check(
    outcome: &CheckOutcome<'_>,
    options: &Check,
    output: CommandOutput,
) -> CommandOutput {
    let mut files = OutputFiles { output, report: &options.report };
    for file in options.reports.iter() {
        if let Writer::Report(writer) = &file.row.build {
            let exit = files.output.exit;
            files.put(writer.title, &file.path, || (writer.of_check)(outcome, exit));
        }
    }
    for file in options.traces.iter() {
        traces_of(outcome, file, &mut files);
    }
    files.output
}

/// Writes a trace for each violation.
fn traces_of(outcome: &CheckOutcome<'_>, file: &FormatFile, files: &mut OutputFiles<'_>) {
    let Writer::Trace(trace) = &file.row.build else { return };
    let checked = outcome.report.properties.iter().zip(&outcome.shown);
    let all: Vec<_> = checked
        .flat_map(|(checked, shown)| shown.iter().map(|one| (&checked.property.name, one)))
        .collect();
    if all.is_empty() {
        let name = file.path.display();
        files.note(&format!("no property is violated: there is no trace for `{name}`"));
        if file.is_output() {
            files.output.out.clear();
        }
        return;
    }
    for (at, (property, shown)) in all.into_iter().enumerate() {
        if let Some(stop) = shown.not_told {
            files.output.err +=
                &format!("warning: the trace of {property} is not written: {stop}\n");
            continue;
        }
        let trace = || trace(outcome.loaded, Some(property), &shown.story);
        match (file.is_output(), at) {
            (true, 1..) => return,
            (true, 0) => files.put(TRACE, &file.path, trace),
            (false, _) => files.put(TRACE, &numbered(&file.path, at + 1), trace),
        }
    }
}

/// Writes the requested formats for a model with errors.
pub(crate) fn of_refused(
    loaded: &LoadedModel,
    options: &Check,
    output: CommandOutput,
) -> CommandOutput {
    let mut files = OutputFiles { output, report: &options.report };
    for file in options.reports.iter() {
        if let Writer::Report(writer) = &file.row.build {
            files.put(writer.title, &file.path, || (writer.of_refused)(loaded));
        }
    }
    // Errors in the model take precedence over a file that cannot be written.
    CommandOutput { exit: loaded.exit(), ..files.output }
}

/// Writes the requested formats of a replay.
pub(crate) fn of_replay(
    loaded: &LoadedModel,
    options: &Replay,
    story: &Story,
    output: CommandOutput,
) -> CommandOutput {
    let mut files = OutputFiles { output, report: &options.report };
    for file in options.traces.iter() {
        if let Writer::Trace(trace) = &file.row.build {
            files.put(TRACE, &file.path, || trace(loaded, None, story));
        }
    }
    files.output
}

/// The output of a command, and the files beside it.
pub(crate) struct OutputFiles<'a> {
    pub(crate) output: CommandOutput,
    pub(crate) report: &'a Reporting,
}

impl OutputFiles<'_> {
    /// Writes a text to a file, or to standard output in place of the output for people. If the
    /// file cannot be written, the output stays, with an error.
    pub(crate) fn put(&mut self, what: &'static str, path: &Path, text: impl FnOnce() -> String) {
        if is_output(path) {
            self.output.out = text();
        } else if let Err(error) = file::replace(path, text()) {
            let paint = self.report.color.paint(&io::stderr());
            let failure = Failure::from(OutputFileError { what, path: path.to_owned(), error });
            self.output.err += &failure.render(paint);
            self.output.exit = Exit::Usage;
        }
    }

    fn note(&mut self, text: &str) {
        if !self.report.quiet {
            self.output.err += &format!("note: {text}\n");
        }
    }
}

/// A file that cannot be written.
#[derive(Debug)]
struct OutputFileError {
    what: &'static str,
    path: PathBuf,
    error: io::Error,
}

impl From<OutputFileError> for Failure {
    fn from(OutputFileError { what, path, error }: OutputFileError) -> Failure {
        let folder = path.parent().filter(|folder| *folder != Path::new(""));
        let (cause, cure) = match (error.kind(), folder) {
            (ErrorKind::NotFound, Some(folder)) => {
                let folder = folder.display();
                (format!("there is no directory `{folder}`"), format!("make it: mkdir -p {folder}"))
            }
            (ErrorKind::IsADirectory, _) => {
                ("it is a directory".to_owned(), "name a file in it".to_owned())
            }
            (ErrorKind::PermissionDenied, _) => (
                "permission denied".to_owned(),
                "check the permissions of the directory".to_owned(),
            ),
            _ => (error.to_string(), "name another file, or `-` for standard output".to_owned()),
        };
        let message = format!("cannot write {what} `{}`: {cause}", path.display());
        Failure::new(message, format!("{cure}; the verdicts are valid nevertheless"))
    }
}
