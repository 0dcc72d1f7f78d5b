//! Options of the semantics of a model.

use beeline_promela::hir::MOST_PROCESSES;
use beeline_promela_model::SemanticsOptions;
use clap::Args;

use crate::args::error::ArgumentError;
use crate::args::heading;

/// How to understand a model, where the language leaves it to its user.
#[derive(Debug, Args)]
pub(crate) struct Meaning {
    /// Lose messages that are sent to a full channel, instead of waiting, as `spin -m`
    #[arg(help_heading = heading::MODEL, long)]
    pub(crate) lossy: bool,
    /// Accept the end of a run only if all channels are empty, as `pan -q`
    #[arg(help_heading = heading::MODEL, long)]
    pub(crate) strict_ends: bool,
    /// Maximum number of processes at a time [default: 255, as in SPIN, or as many as the model
    /// starts with]. Variables of type pid stay bytes
    #[arg(help_heading = heading::MODEL)]
    #[arg(long, value_name = "N", value_parser = parse_processes)]
    pub(crate) max_processes: Option<usize>,
}

impl Meaning {
    pub(crate) fn semantics(&self) -> SemanticsOptions {
        let processes = self.max_processes;
        SemanticsOptions { lossy: self.lossy, strict_ends: self.strict_ends, processes }
    }
}

fn parse_processes(text: &str) -> Result<usize, ArgumentError> {
    match text.parse() {
        Ok(count) if (1..=MOST_PROCESSES).contains(&count) => Ok(count),
        _ => Err(ArgumentError::Processes(MOST_PROCESSES)),
    }
}
