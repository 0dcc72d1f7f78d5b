//! Options for output in formats of other programs: one for each row of the table.

use std::path::{Path, PathBuf};

use clap::{Arg, ArgMatches, Args, Command, FromArgMatches, value_parser};

use crate::args::heading;
use crate::render::formats::{self, FormatRow};

/// The message if several outputs use standard output.
pub(crate) const ONE_OUTPUT: &str =
    "only one output can go to standard output: name a file for the others";

/// A file, and the format that is written to it.
#[derive(Clone, Debug)]
pub(crate) struct FormatFile {
    pub(crate) row: &'static FormatRow,
    pub(crate) path: PathBuf,
}

impl FormatFile {
    /// Whether the file is standard output.
    pub(crate) fn is_output(&self) -> bool {
        is_output(&self.path)
    }
}

/// Whether a path stands for standard output.
pub(crate) fn is_output(path: &Path) -> bool {
    path.as_os_str() == "-"
}

/// Files for reports of a check.
#[derive(Clone, Debug, Default)]
pub(crate) struct ReportFiles(Vec<FormatFile>);

/// Files for the states along a trail.
#[derive(Clone, Debug, Default)]
pub(crate) struct TraceFiles(Vec<FormatFile>);

/// Adds an option for each format.
fn with_options(command: Command, rows: impl Iterator<Item = &'static FormatRow>) -> Command {
    let option = |row: &'static FormatRow| {
        let option = Arg::new(row.name).long(row.name).value_name("FILE").help(row.about);
        option.help_heading(heading::REPORTS).value_parser(value_parser!(PathBuf))
    };
    command.args(rows.map(option))
}

/// The files that the options name.
fn files(matches: &ArgMatches, rows: impl Iterator<Item = &'static FormatRow>) -> Vec<FormatFile> {
    let file = |row: &'static FormatRow| {
        let path = matches.get_one::<PathBuf>(row.name)?.clone();
        Some(FormatFile { row, path })
    };
    rows.filter_map(file).collect()
}

macro_rules! format_options {
    ($files:ident, $rows:path) => {
        impl $files {
            /// The files, in the order of the table.
            pub(crate) fn iter(&self) -> impl Iterator<Item = &FormatFile> {
                self.0.iter()
            }

            /// The number of files that are standard output.
            pub(crate) fn on_output(&self) -> usize {
                self.iter().filter(|file| file.is_output()).count()
            }
        }

        impl Args for $files {
            fn augment_args(command: Command) -> Command {
                with_options(command, $rows())
            }

            fn augment_args_for_update(command: Command) -> Command {
                with_options(command, $rows())
            }
        }

        impl FromArgMatches for $files {
            fn from_arg_matches(matches: &ArgMatches) -> Result<$files, clap::Error> {
                Ok($files(files(matches, $rows())))
            }

            fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
                *self = $files::from_arg_matches(matches)?;
                Ok(())
            }
        }
    };
}

format_options!(ReportFiles, formats::reports);
format_options!(TraceFiles, formats::traces);
