//! Options of `import-trail`.

use std::path::PathBuf;

use clap::Args;

use crate::args::report::Reporting;

const HELP: &str = "\
Examples:
  beeline export domain.pddl problem.pddl --to promela --out model
  spin -run -bfs model/model.pml
  beeline import-trail domain.pddl problem.pddl model.pml.trail
  beeline import-trail domain.pddl problem.pddl model.pml.trail --out plan

The trail is one of the model that `export --to promela` writes, by Beeline or by SPIN. The model is \
derived from the task again.

Exit codes: 0 the plan is valid; 1 the trail ends before the goal; 3 the domain or the problem has \
errors; 4 the command line has errors, or the trail does not fit.";

/// Options of `import-trail`.
#[derive(Debug, Args)]
#[command(after_help = HELP)]
pub(crate) struct ImportTrail {
    /// The domain, in PDDL
    pub(crate) domain: PathBuf,
    /// The problem, in PDDL
    pub(crate) problem: PathBuf,
    /// The trail
    pub(crate) trail: PathBuf,
    /// Write the plan to this file
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) report: Reporting,
}
