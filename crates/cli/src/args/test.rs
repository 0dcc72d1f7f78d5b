//! Options of `test`.

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;

use crate::args::error::ArgumentError;
use crate::args::exploring::parse_jobs;
use crate::args::formats::{ONE_OUTPUT, is_output};
use crate::args::heading;
use crate::args::input::parse_define;
use crate::args::report::{ProgressChoice, Reporting};
use crate::base::units;

const HELP: &str = "\
Examples:
  beeline test models                              every model in a folder and its subfolders
  beeline test models specs/mutex.pml --time 5m --junit results.xml
  beeline test models --changed=origin/main        models that differ from a revision of Git

Each model states the expected verdicts in its first line, as in \
/* expect: deadlock; ltl served holds */. A model without such a line is not checked. \
`beeline check MODEL --expect-from-source` shows a model that failed, with its trails.

Exit codes: 0 all verdicts are as expected; 1 one is not, or a model has errors; 2 one is \
unknown unexpectedly, or you stopped the run; 4 a path cannot be read, no model is there, or none \
states expectations.";

/// Options of `test`.
#[derive(Debug, Args)]
#[command(after_help = HELP)]
pub(crate) struct Test {
    /// Models, and folders with models (.pml, .promela, .prom, .net) at any depth
    #[arg(value_name = "PATH", required = true)]
    pub(crate) paths: Vec<PathBuf>,
    /// Define a macro for the preprocessor, for every model; without a value, as 1
    #[arg(help_heading = heading::MODEL)]
    #[arg(short = 'D', value_name = "NAME[=VALUE]", value_parser = define_text)]
    pub(crate) defines: Vec<String>,
    /// Look for included files in this directory too
    #[arg(help_heading = heading::MODEL, short = 'I', value_name = "DIR")]
    pub(crate) include: Vec<PathBuf>,
    /// Test only models that differ from a revision of Git, or that include a file that does
    #[arg(help_heading = heading::MODEL, long, value_name = "REVISION", num_args = 0..=1)]
    #[arg(require_equals = true, default_missing_value = "HEAD")]
    pub(crate) changed: Option<String>,
    /// How many models are checked at a time [default: as many as the machine has cores]
    #[arg(help_heading = heading::SEARCH, long, value_name = "N", value_parser = parse_jobs)]
    pub(crate) jobs: Option<usize>,
    /// No statement merging, no dead-variable reset; `at depth N` is then compared, too
    #[arg(help_heading = heading::SEARCH, long)]
    pub(crate) plain: bool,
    /// Time limit of each model, as in 60s or 5m
    #[arg(help_heading = heading::LIMITS, long, value_name = "TIME", default_value = "60s")]
    #[arg(value_parser = units::duration)]
    pub(crate) time: Duration,
    /// Memory limit of each model, as in 4G [default: half of the main memory, divided by the
    /// number
    /// of models at a time]
    #[arg(help_heading = heading::LIMITS, long, value_name = "SIZE", value_parser = units::bytes)]
    pub(crate) memory: Option<usize>,
    /// Write a test suite for each model as JUnit XML; `-` is standard output
    #[arg(help_heading = heading::REPORTS, long, value_name = "FILE")]
    pub(crate) junit: Option<PathBuf>,
    /// When to show progress, on standard error
    #[arg(help_heading = heading::OUTPUT, long, value_enum, default_value_t, value_name = "WHEN")]
    pub(crate) progress: ProgressChoice,
    #[command(flatten)]
    pub(crate) report: Reporting,
}

impl Test {
    /// The number of models at a time.
    pub(crate) fn jobs(&self) -> usize {
        let cores = || std::thread::available_parallelism().map_or(1, usize::from);
        self.jobs.unwrap_or_else(cores)
    }

    /// The memory limit of each model, in bytes.
    pub(crate) fn memory_limit(&self) -> usize {
        self.memory.unwrap_or_else(|| units::half_of_memory() / self.jobs())
    }

    /// A message if two outputs use standard output.
    pub(crate) fn misuse(&self) -> Option<&'static str> {
        let on_output = self.junit.as_deref().is_some_and(is_output);
        (on_output && self.report.json).then_some(ONE_OUTPUT)
    }
}

/// A macro, as it is passed on.
fn define_text(text: &str) -> Result<String, ArgumentError> {
    parse_define(text).map(|_| text.to_owned())
}
