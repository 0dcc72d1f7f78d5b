//! Options of `simulate`.

use std::path::PathBuf;

use clap::Args;

use crate::args::input::Input;
use crate::args::meaning::Meaning;
use crate::args::number::whole;
use crate::args::property::trail_file;
use crate::args::report::Reporting;

/// The default seed.
pub(crate) const SEED: u64 = 1;
/// The default length of a random run.
pub(crate) const STEPS: u64 = 10_000;

const HELP: &str = "\
Examples:
  beeline simulate mutex.pml                       a random run
  beeline simulate mutex.pml --seed 7 --steps 50   another one, of 50 steps at most
  beeline simulate mutex.pml --interactive         choose each step

Output of the model follows the step that prints it, after `|`; with --quiet, only this output is \
printed. Never claims and ltl formulas are ignored.

Exit codes: 0 the run ended without an error, or you quit; 1 it ended in an error; 2 the step \
limit was reached; 3 the model has errors; 4 the command line or the trail has errors.";

/// Options of `simulate`.
#[derive(Debug, Args)]
#[command(after_help = HELP)]
pub(crate) struct Simulate {
    #[command(flatten)]
    pub(crate) input: Input,
    #[command(flatten)]
    pub(crate) meaning: Meaning,
    /// Seed of a random run: the same seed gives the same run [default: 1]
    #[arg(long, value_name = "N")]
    #[arg(value_parser = whole::<u64>, allow_negative_numbers = true)]
    pub(crate) seed: Option<u64>,
    /// Stop a random run after N steps [default: 10000]
    #[arg(long, value_name = "N")]
    #[arg(value_parser = whole::<u64>, allow_negative_numbers = true)]
    pub(crate) steps: Option<u64>,
    /// Choose each step yourself: reads commands from standard input, `help` lists them
    #[arg(long, short, conflicts_with_all = ["steps", "json"])]
    pub(crate) interactive: bool,
    /// Follow a trail of Beeline or SPIN
    #[arg(long, value_name = "FILE", conflicts_with_all = ["seed", "steps", "interactive"])]
    pub(crate) trail: Option<PathBuf>,
    /// Write the run to this file, as a trail for `replay` and `improve`
    #[arg(long, value_name = "FILE", conflicts_with = "trail", value_parser = trail_file())]
    pub(crate) save: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) report: Reporting,
}
