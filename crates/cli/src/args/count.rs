//! Options of `count`.

use beeline_checker::Strategy;
use clap::Args;

use crate::args::exploring::Exploring;
use crate::args::input::Input;
use crate::args::meaning::Meaning;
use crate::args::report::Reporting;

const EXAMPLES: &str = "\
Examples:
  beeline count mutex.pml                          states and transitions, as SPIN counts them
  beeline count mutex.pml --reduce stubborn        the states that a reduction leaves
  beeline count mutex.pml --store bitstate --time 5m --stats";

/// Options of `count`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Count {
    #[command(flatten)]
    pub(crate) input: Input,
    #[command(flatten)]
    pub(crate) meaning: Meaning,
    #[command(flatten)]
    pub(crate) exploring: Exploring,
    #[command(flatten)]
    pub(crate) report: Reporting,
}

impl Count {
    /// A message about an option that would have no effect, if there is one.
    pub(crate) fn misuse(&self) -> Option<&'static str> {
        let search = self.exploring.search()?;
        (!matches!(search.strategy, Strategy::Blind(_))).then_some(
            "`count` visits every state, so it takes no directed search: use bfs, dfs or \
             random-dfs",
        )
    }
}
