//! Options of `replay`.

use std::path::PathBuf;

use clap::Args;

use crate::args::chart::ChartArgs;
use crate::args::formats::{ONE_OUTPUT, TraceFiles};
use crate::args::input::Input;
use crate::args::meaning::Meaning;
use crate::args::number::whole;
use crate::args::property::parse_property;
use crate::args::report::Reporting;

const HELP: &str = "\
Examples:
  beeline replay mutex.pml                         the first trail of the last check
  beeline replay mutex.pml --property deadlock     the trail of that property
  beeline replay mutex.pml mutex.pml.trail --chart error.html

Each step has a line: the process, the source location, the statement, and in braces the changed \
variables. Output of the model follows its step, after `|`. The last lines show the error, the \
location of each process, and every variable that is not 0 or empty: a dozen lines at most, and \
all of them with --full. On a terminal, $PAGER or `less` shows a long trail.

Exit codes: 0 the trail leads to an error; 3 the model has errors; 4 the trail does not fit the \
model, or leads to no error, or a chart cannot be written.";

/// Options of `replay`.
#[derive(Debug, Args)]
#[command(after_help = HELP)]
pub(crate) struct Replay {
    #[command(flatten)]
    pub(crate) input: Input,
    #[command(flatten)]
    pub(crate) meaning: Meaning,
    /// The trail, as `beeline check` or SPIN's `pan` wrote it [default: MODEL.trail in the current
    /// directory or beside the model; with one --property, the trail of that property first]
    #[arg(value_name = "TRAIL")]
    pub(crate) trail: Option<PathBuf>,
    /// The violated property to report, if there are several errors: as in `check`, also one that
    /// is not in the model, as 'ltl: FORMULA' or progress; repeatable
    #[arg(long = "property", value_name = "P", value_parser = parse_property)]
    pub(crate) properties: Vec<String>,
    /// Only the first N steps, counted as in the file
    #[arg(long, value_name = "N")]
    #[arg(value_parser = whole::<usize>, allow_negative_numbers = true)]
    pub(crate) steps: Option<usize>,
    /// Draw a column for each process, and the contents of channels on the right
    #[arg(long, conflicts_with = "json")]
    pub(crate) columns: bool,
    /// Show the whole last state: every process and every value in a line of its own
    #[arg(long)]
    pub(crate) full: bool,
    /// Print a long trail as it is, without a pager
    #[arg(long)]
    pub(crate) no_pager: bool,
    #[command(flatten)]
    pub(crate) drawing: ChartArgs,
    #[command(flatten)]
    pub(crate) traces: TraceFiles,
    #[command(flatten)]
    pub(crate) report: Reporting,
}

impl Replay {
    /// A message if two outputs use standard output.
    pub(crate) fn misuse(&self) -> Option<&'static str> {
        let collides = self.report.json && self.traces.on_output() > 0;
        collides.then_some(ONE_OUTPUT)
    }
}
