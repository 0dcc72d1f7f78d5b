//! The options that ask for data in formats of other programs.

use std::path::{Path, PathBuf};

use clap::Args;

/// Formats for what a check found.
#[derive(Debug, Args)]
pub(crate) struct Reports {
    /// Write what is wrong as SARIF 2.1.0, for code scanning; `-` is standard output
    #[arg(long, value_name = "FILE")]
    pub(crate) sarif: Option<PathBuf>,
    /// Write a test case for each property as JUnit XML; `-` is standard output
    #[arg(long, value_name = "FILE")]
    pub(crate) junit: Option<PathBuf>,
}

/// Formats for a trail.
#[derive(Debug, Args)]
pub(crate) struct Traces {
    /// Write the states along the trail in the Informal Trace Format of Apalache; `-` is
    /// standard output; further trails get numbers
    #[arg(long, value_name = "FILE")]
    pub(crate) itf: Option<PathBuf>,
}

impl Traces {
    /// Whether standard output is taken.
    pub(crate) fn takes_output(&self) -> bool {
        self.itf.as_deref().is_some_and(is_output)
    }
}

impl Reports {
    /// How many of them want standard output.
    pub(super) fn on_output(&self) -> usize {
        [&self.sarif, &self.junit].into_iter().flatten().filter(|file| is_output(file)).count()
    }
}

/// Whether a file is standard output.
pub(super) fn is_output(file: &Path) -> bool {
    file.as_os_str() == "-"
}
