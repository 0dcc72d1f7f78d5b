//! Options of `lint`.

use clap::Args;

use crate::args::input::Input;
use crate::args::report::Reporting;

/// Options of `lint`.
#[derive(Debug, Args)]
pub(crate) struct Lint {
    #[command(flatten)]
    pub(crate) input: Input,
    #[command(flatten)]
    pub(crate) report: Reporting,
}
