//! Options of `import-plan`.

use std::path::PathBuf;

use clap::Args;

use crate::args::export::ExchangeGoals;
use crate::args::heading;
use crate::args::input::Input;
use crate::args::meaning::Meaning;
use crate::args::property::trail_file;
use crate::args::report::Reporting;

const HELP: &str = "\
Examples:
  beeline import-plan model.pml task/plan
  beeline import-plan model.pml sas_plan --property deadlock --trail model.pml.trail

The model, its options and the properties must be those of the export; nothing else is needed, since \
the names of the actions say which steps they are.

Exit codes: 1 the plan violates a property; 3 the model has errors; 4 the command line has errors, \
the plan cannot be executed, or it leads to no error.";

/// Options of `import-plan`.
#[derive(Debug, Args)]
#[command(after_help = HELP)]
pub(crate) struct ImportPlan {
    #[command(flatten)]
    pub(crate) input: Input,
    /// The plan: an action in parentheses on each line
    #[arg(value_name = "PLAN")]
    pub(crate) plan: PathBuf,
    #[command(flatten)]
    pub(crate) meaning: Meaning,
    /// Where to write the trail, in SPIN's format [default: MODEL.trail]
    #[arg(help_heading = heading::TRAILS)]
    #[arg(long, value_name = "FILE", conflicts_with = "no_trail", value_parser = trail_file())]
    pub(crate) trail: Option<PathBuf>,
    /// Write no trail
    #[arg(help_heading = heading::TRAILS, long)]
    pub(crate) no_trail: bool,
    #[command(flatten)]
    pub(crate) goals: ExchangeGoals,
    #[command(flatten)]
    pub(crate) report: Reporting,
}
