//! Options of `plan`.

use std::path::PathBuf;
use std::time::Duration;

use beeline_checker::{AutoOptions, Plan, ReductionChoice, SearchConfig, Store, SymmetryChoice};
use beeline_pddl::NumberRange;
use clap::{Args, ValueEnum};

use crate::args::error::ArgumentError;
use crate::args::exploring::parse_search;
use crate::args::heading;
use crate::args::report::{ProgressChoice, Reporting};
use crate::base::{file, units};
use crate::model::languages::heuristic_names;

const HELP: &str = "\
Examples:
  beeline plan domain.pddl problem.pddl
  beeline plan domain.pddl problem.pddl --optimal --time 60s
  beeline plan domain.pddl problem.pddl --search 'astar(lmcut)' --out plan.txt
  beeline plan domain.pddl problem.pddl --validate plan.txt
  beeline plan output.sas --from sas

Each plan is executed on the task as it is written before it is printed.

Exit codes: 0 a plan was found, or the given plan is valid; 1 there is no plan, or the given plan is \
not valid; 2 unknown, because a limit was reached; 3 the domain or the problem has errors; 4 the \
command line has errors.";

/// The format of a planning task.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum TaskFormat {
    /// A domain and a problem in the planning domain definition language
    Pddl,
    /// The output of Fast Downward's translator, a single file
    Sas,
}

/// When symmetries are used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum SymmetryUse {
    /// In the searches for cheaper plans and for proofs, unless --search names one
    #[default]
    Auto,
    /// Never
    Off,
    /// In the search of --search, too
    On,
}

impl From<SymmetryUse> for SymmetryChoice {
    fn from(used: SymmetryUse) -> SymmetryChoice {
        match used {
            SymmetryUse::Auto => SymmetryChoice::Auto,
            SymmetryUse::Off => SymmetryChoice::Off,
            SymmetryUse::On => SymmetryChoice::On,
        }
    }
}

/// The numbers from one to another.
fn parse_range(text: &str) -> Result<NumberRange, ArgumentError> {
    let ends = text.split_once("..");
    let ends = ends.and_then(|(least, most)| Some((least.parse().ok()?, most.parse().ok()?)));
    match ends {
        Some((least, greatest)) if least <= greatest => Ok(NumberRange { least, greatest }),
        _ => Err(ArgumentError::Range),
    }
}

/// Options of `plan`.
#[derive(Debug, Args)]
#[command(after_help = HELP)]
pub(crate) struct PlanCommand {
    /// The domain, in PDDL; with --from sas the whole task
    pub(crate) domain: PathBuf,
    /// The problem, in PDDL
    #[arg(required_unless_present = "from")]
    pub(crate) problem: Option<PathBuf>,
    /// The format of the task
    #[arg(long, value_enum, value_name = "FORMAT")]
    pub(crate) from: Option<TaskFormat>,
    /// The numbers that numeric fluents may be, as in 0..100: an action that leaves them is not
    /// applicable [default: all of 32 bits]
    #[arg(long, value_name = "LEAST..GREATEST", allow_hyphen_values = true)]
    #[arg(value_parser = parse_range, conflicts_with_all = ["from", "validate"])]
    pub(crate) range: Option<NumberRange>,
    /// Prove that the plan is optimal, however long that takes
    #[arg(long)]
    pub(crate) optimal: bool,
    /// Write the plan to this file
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
    /// Execute the plan in this file instead of searching for one
    #[arg(long, value_name = "FILE", conflicts_with_all = ["optimal", "search", "out"])]
    pub(crate) validate: Option<PathBuf>,
    /// Ground the task and print its size, without a search
    #[arg(long, conflicts_with_all = ["optimal", "search", "out", "validate"])]
    pub(crate) ground: bool,
    /// The search, as in `astar(lmcut)` or `gbfs(hff, preferred=yes)` [default: several searches]
    #[arg(help_heading = heading::SEARCH, long, value_name = "SPEC", value_parser = parse_search)]
    pub(crate) search: Option<String>,
    /// State store: exact or compact; see `beeline list stores`
    #[arg(help_heading = heading::SEARCH, long, value_name = "STORE", default_value = "auto")]
    #[arg(value_parser = beeline_checker::parse_store)]
    pub(crate) store: Store,
    /// Partial order reduction, which keeps optimal plans: auto, off or stubborn; see `beeline list
    /// reductions`
    #[arg(help_heading = heading::SEARCH, long, value_name = "SPEC", default_value = "auto")]
    #[arg(value_parser = beeline_checker::parse_reduction)]
    pub(crate) reduce: ReductionChoice,
    /// One state for several symmetric ones, which keeps optimal plans
    #[arg(help_heading = heading::SEARCH, long, value_enum, default_value_t, value_name = "WHEN")]
    pub(crate) symmetry: SymmetryUse,
    /// Seed of the random choices of a search
    #[arg(help_heading = heading::SEARCH, long, value_name = "N", default_value_t = 1)]
    pub(crate) seed: u64,
    /// Stop after this time, as in 60s or 5m
    #[arg(help_heading = heading::LIMITS)]
    #[arg(long, value_name = "TIME", value_parser = units::duration)]
    pub(crate) time: Option<Duration>,
    /// Memory limit, as in 4G [default: half of the machine's]
    #[arg(help_heading = heading::LIMITS, long, value_name = "SIZE", value_parser = units::bytes)]
    pub(crate) memory: Option<usize>,
    /// Print the size of the grounded task and the statistics of the search
    #[arg(help_heading = heading::OUTPUT, long, short = 'v')]
    pub(crate) stats: bool,
    /// When to show progress, on standard error
    #[arg(help_heading = heading::OUTPUT, long, value_enum, default_value_t, value_name = "WHEN")]
    pub(crate) progress: ProgressChoice,
    #[command(flatten)]
    pub(crate) report: Reporting,
}

impl PlanCommand {
    /// The memory limit, in bytes.
    pub(crate) fn memory_limit(&self) -> usize {
        self.memory.unwrap_or_else(units::half_of_memory)
    }

    /// The requested search.
    fn search(&self) -> Option<SearchConfig> {
        let text = self.search.as_ref()?;
        let search = beeline_checker::parse_search(text, self.seed, &heuristic_names());
        Some(search.expect("it was read before, and the seed is no reason to refuse it"))
    }

    /// The plan of the search that the options describe.
    pub(crate) fn plan(&self) -> Plan {
        Plan {
            search: self.search().unwrap_or_default(),
            store: self.store,
            reduce: self.reduce,
            bytes: Some(self.memory_limit()),
            auto: AutoOptions { seed: self.seed, ..AutoOptions::default() },
            files: file::access(),
            ..Plan::default()
        }
    }
}
