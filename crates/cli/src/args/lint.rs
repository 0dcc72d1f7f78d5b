//! Options of `lint`.

use clap::Args;

use crate::args::input::Input;
use crate::args::report::Reporting;

const EXAMPLES: &str = "\
Examples:
  beeline lint mutex.pml                           errors and warnings, with fixes
  beeline lint mutex.pml --json                    the same for programs
  beeline explain undeclared-variable              what a code in brackets means";

/// Options of `lint`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Lint {
    #[command(flatten)]
    pub(crate) input: Input,
    #[command(flatten)]
    pub(crate) report: Reporting,
}
