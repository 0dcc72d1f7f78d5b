//! Options of `list`.

use clap::{Args, ValueEnum};

const EXAMPLES: &str = "\
Examples:
  beeline list                                     the kinds
  beeline list searches                            all values of --search, with their arguments
  beeline list heuristics --json                   the same for programs";

/// Options of `list`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct List {
    /// What to list [default: the kinds]
    #[arg(value_enum)]
    pub(crate) kind: Option<ListKind>,
    /// Print one JSON object on standard output, and nothing else there
    #[arg(long, conflicts_with = "markdown")]
    pub(crate) json: bool,
    /// Print a page in Markdown
    #[arg(long, requires = "kind")]
    pub(crate) markdown: bool,
}

/// What there are several of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ListKind {
    /// For `--search`
    Searches,
    /// For directed searches
    Heuristics,
    /// For directed searches of process networks
    NetworkHeuristics,
    /// For searches of `plan`
    PlanningHeuristics,
    /// For `--store`
    Stores,
    /// For `--reduce`
    Reductions,
}
