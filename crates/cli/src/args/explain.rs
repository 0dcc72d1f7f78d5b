//! Options of `explain`.

use clap::Args;

use crate::args::heading;

const EXAMPLES: &str = "\
Examples:
  beeline explain undeclared-variable              the code of error[undeclared-variable]
  beeline explain                                  all codes, a line each";

/// Options of `explain`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Explain {
    /// The code, as it stands in the brackets of a message [default: list all codes]
    #[arg(value_name = "CODE")]
    pub(crate) code: Option<String>,
    /// Print one JSON object on standard output, and nothing else there
    #[arg(help_heading = heading::OUTPUT, long)]
    pub(crate) json: bool,
}
