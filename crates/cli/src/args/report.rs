//! Options of what a command prints, which all commands share.

use clap::{Args, ValueEnum};

use crate::args::heading;
use crate::base::color::ColorChoice;

/// How to print.
#[derive(Debug, Args)]
pub(crate) struct Reporting {
    /// Print one JSON object on standard output, and nothing else there
    #[arg(help_heading = heading::OUTPUT, long)]
    pub(crate) json: bool,
    /// When to use colors
    #[arg(help_heading = heading::OUTPUT, long, value_enum, default_value_t, value_name = "WHEN")]
    pub(crate) color: ColorChoice,
    /// Print the result and errors only: no summary, no warnings
    #[arg(help_heading = heading::OUTPUT, long, short)]
    pub(crate) quiet: bool,
}

/// What `--progress` says.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum ProgressChoice {
    /// Show it when standard error is a terminal
    #[default]
    Auto,
    /// Show it in any case
    Always,
    /// Do not show it
    Never,
}
