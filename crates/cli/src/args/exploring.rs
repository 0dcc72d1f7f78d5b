//! Options of searches, stores and limits, which `check` and `count` share.

use std::time::Duration;

use beeline_checker::{AutoOptions, Plan, ReductionChoice, SearchConfig, Store};
use beeline_model::Engine;
use beeline_promela::hir::MOST_PROCESSES;
use clap::Args;

use crate::args::error::ArgumentError;
use crate::args::heading;
use crate::args::number::whole;
use crate::args::report::ProgressChoice;
use crate::base::{file, units};
use crate::model::languages::heuristic_names;

/// How to go through a state space.
#[derive(Debug, Args)]
pub(crate) struct Exploring {
    /// The search, as in bfs, dfs, `astar(active)` or `gbfs(formula, ties=fifo)`; see
    /// `beeline list searches` [default: auto; of count: bfs]
    #[arg(help_heading = heading::SEARCH, long, value_name = "SPEC", value_parser = parse_search)]
    search: Option<String>,
    /// State store: exact (the fastest) or compact (smaller), which lose no state; hash-compact or
    /// bitstate, which may overlook states; cache, which forgets states and may explore them again;
    /// auto, which is exact, or compact where states are long. See `beeline list stores`
    #[arg(help_heading = heading::SEARCH, long, value_name = "STORE", default_value = "auto")]
    #[arg(value_parser = beeline_checker::parse_store)]
    pub(crate) store: Store,
    /// Partial order reduction: auto, off or stubborn, as in `stubborn(c3=stack-)`; see
    /// `beeline list reductions`
    #[arg(help_heading = heading::SEARCH, long, value_name = "SPEC", default_value = "auto")]
    #[arg(value_parser = beeline_checker::parse_reduction)]
    pub(crate) reduce: ReductionChoice,
    /// No statement merging, no dead-variable reset
    #[arg(help_heading = heading::SEARCH, long)]
    pub(crate) plain: bool,
    /// Engine that computes successors: jit (native code; the interpreter where there is none) or
    /// interp
    #[arg(help_heading = heading::SEARCH)]
    #[arg(long, value_name = "ENGINE", default_value = "jit", value_parser = parse_engine)]
    pub(crate) engine: Engine,
    /// Number of threads of the automatic search, of breadth-first, best-first and beam search, and
    /// of cndfs; others have one. With 1, every run of the automatic search is the same [default:
    /// the number of cores]
    #[arg(help_heading = heading::SEARCH, long, value_name = "N", value_parser = parse_jobs)]
    pub(crate) jobs: Option<usize>,
    /// Seed of the random choices of a search
    #[arg(help_heading = heading::SEARCH, long, value_name = "N", default_value_t = 1)]
    #[arg(value_parser = whole::<u64>, allow_negative_numbers = true)]
    pub(crate) seed: u64,
    /// For searches, counts and formulas on sets of states: room for N processes of a type at a
    /// time, where the model does not tell how many it starts; repeatable
    #[arg(help_heading = heading::SYMBOLIC, long = "instances", value_name = "TYPE=N")]
    #[arg(value_parser = parse_instances)]
    pub(crate) instances: Vec<(String, usize)>,
    /// Stop after this time, as in 60s or 5m
    #[arg(help_heading = heading::LIMITS)]
    #[arg(long, value_name = "TIME", value_parser = units::duration)]
    pub(crate) time: Option<Duration>,
    /// Memory limit, as in 4G [default: half of the main memory]
    #[arg(help_heading = heading::LIMITS, long, value_name = "SIZE", value_parser = units::bytes)]
    pub(crate) memory: Option<usize>,
    /// Depth limit: do not expand states more than N moves from the initial state
    #[arg(help_heading = heading::LIMITS, long, value_name = "N")]
    #[arg(value_parser = whole::<u32>, allow_negative_numbers = true)]
    pub(crate) depth: Option<u32>,
    /// Print the statistics of the search: states, transitions, depth, rate, memory, and which
    /// search found what
    #[arg(help_heading = heading::OUTPUT, long, short = 'v')]
    pub(crate) stats: bool,
    /// When to show progress, on standard error
    #[arg(help_heading = heading::OUTPUT, long, value_enum, default_value_t, value_name = "WHEN")]
    pub(crate) progress: ProgressChoice,
}

impl Exploring {
    /// The requested search.
    pub(crate) fn search(&self) -> Option<SearchConfig> {
        let search =
            beeline_checker::parse_search(self.search.as_ref()?, self.seed, &heuristic_names());
        Some(search.expect("it was read before, and the seed is no reason to refuse it"))
    }

    /// The memory limit, in bytes.
    pub(crate) fn memory_limit(&self) -> usize {
        self.memory.unwrap_or_else(units::half_of_memory)
    }

    /// Seed and threads.
    pub(crate) fn auto(&self) -> AutoOptions {
        let cores = || std::thread::available_parallelism().map_or(1, usize::from);
        let jobs = self.jobs.unwrap_or_else(cores);
        AutoOptions { seed: self.seed, jobs, ..AutoOptions::default() }
    }

    /// The plan that the options describe.
    pub(crate) fn plan(&self) -> Plan {
        Plan {
            plain: self.plain,
            engine: self.engine,
            search: self.search().unwrap_or_default(),
            store: self.store,
            reduce: self.reduce,
            depth: self.depth,
            bytes: Some(self.memory_limit()),
            auto: self.auto(),
            files: file::access(),
            ..Plan::default()
        }
    }
}

/// A search that can be parsed. It is built when the seed is known.
pub(crate) fn parse_search(text: &str) -> Result<String, ArgumentError> {
    let search = beeline_checker::parse_search(text, 0, &heuristic_names());
    search.map(|_| text.to_owned()).map_err(ArgumentError::Plan)
}

/// A process type and a number.
pub(crate) fn parse_instances(text: &str) -> Result<(String, usize), ArgumentError> {
    let parsed = text.split_once('=').and_then(|(name, most)| {
        let most = most.trim().parse().ok().filter(|most| (1..=MOST_PROCESSES).contains(most))?;
        let name = name.trim();
        (!name.is_empty()).then(|| (name.to_owned(), most))
    });
    parsed.ok_or(ArgumentError::Instances(MOST_PROCESSES))
}

/// A number of threads.
pub(crate) fn parse_jobs(text: &str) -> Result<usize, ArgumentError> {
    match text.parse() {
        Ok(jobs) if jobs > 0 => Ok(jobs),
        _ => Err(ArgumentError::Threads),
    }
}

/// An engine by name.
pub(crate) fn parse_engine(text: &str) -> Result<Engine, ArgumentError> {
    let found = Engine::ALL.into_iter().find(|engine| engine.name() == text);
    found.ok_or_else(|| ArgumentError::Engine(text.to_owned()))
}
