//! Options of `count`.

use beeline_checker::{Strategy, SymbolicStrategy};
use clap::Args;

use crate::args::error::ArgumentError;
use crate::args::exploring::Exploring;
use crate::args::heading;
use crate::args::input::Input;
use crate::args::meaning::Meaning;
use crate::args::number::whole;
use crate::args::report::Reporting;

const EXAMPLES: &str = "\
Examples:
  beeline count mutex.pml                          states and transitions, as SPIN counts them
  beeline count mutex.pml --reduce stubborn        the states that a reduction leaves
  beeline count mutex.pml --store bitstate --time 5m --stats
  beeline count mutex.pml --symbolic               by sets of states: any number of them";

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
    /// Count by sets of states (decision diagrams): the exact number, however large
    #[arg(help_heading = heading::SYMBOLIC, long)]
    #[arg(conflicts_with_all = ["search", "store", "reduce", "engine", "depth"])]
    pub(crate) symbolic: bool,
    /// The order in which steps are applied: auto, bfs, chaining or saturation
    #[arg(help_heading = heading::SYMBOLIC, long, value_name = "NAME", default_value = "auto")]
    #[arg(requires = "symbolic", value_parser = parse_strategy)]
    pub(crate) strategy: SymbolicStrategy,
    /// Limit of the nodes of decision diagrams
    #[arg(help_heading = heading::SYMBOLIC, long, value_name = "N", requires = "symbolic")]
    #[arg(value_parser = whole::<usize>, allow_negative_numbers = true)]
    pub(crate) nodes: Option<usize>,
    #[command(flatten)]
    pub(crate) report: Reporting,
}

impl Count {
    /// A message about an option that would have no effect, if there is one.
    pub(crate) fn misuse(&self) -> Option<&'static str> {
        let search = self.exploring.search()?;
        (!matches!(search.strategy, Strategy::Blind(_))).then_some(
            "`count` visits every state, one after the other: use bfs, dfs or random-dfs, or \
             --symbolic for sets of states",
        )
    }
}

/// The strategies by name.
const STRATEGIES: [(&str, SymbolicStrategy); 4] = [
    ("auto", SymbolicStrategy::Auto),
    ("bfs", SymbolicStrategy::BreadthFirst),
    ("chaining", SymbolicStrategy::Chaining),
    ("saturation", SymbolicStrategy::Saturation),
];

fn parse_strategy(text: &str) -> Result<SymbolicStrategy, ArgumentError> {
    let found = STRATEGIES.into_iter().find(|(name, _)| *name == text);
    let unknown =
        || ArgumentError::Strategy(text.to_owned(), STRATEGIES.map(|(name, _)| name).to_vec());
    found.map(|(_, strategy)| strategy).ok_or_else(unknown)
}
