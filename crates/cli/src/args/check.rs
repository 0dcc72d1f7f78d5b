//! Options of `check`.

use std::path::PathBuf;

use beeline_checker::{AutoOptions, Plan, SearchConfig};
use beeline_model::Fairness;
use clap::Args;

use crate::args::chart::ChartArgs;
use crate::args::expecting::Expecting;
use crate::args::exploring::Exploring;
use crate::args::formats::{ONE_OUTPUT, ReportFiles, TraceFiles};
use crate::args::heading;
use crate::args::input::Input;
use crate::args::meaning::Meaning;
use crate::args::property::{parse_property, trail_file};
use crate::args::report::Reporting;

const EXAMPLES: &str = "\
Examples:
  beeline check mutex.pml                          every property, by the automatic strategy
  beeline check mutex.pml --property 'ltl: [] !(p && q)' -D N=3
  beeline check mutex.pml --property 'ctl: AG EF (p == 0)'
  beeline check fischer.xml --query 'E<> P(1).cs and P(2).cs'
  beeline check mutex.pml --search 'astar(hmax)' --time 60s --memory 4G --stats

A violated property has a trail, which `beeline replay mutex.pml` shows again. The exit code is 0 if \
every property holds, 1 if one is violated, 2 if one is unknown.";

/// Options of `check`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Check {
    #[command(flatten)]
    pub(crate) input: Input,
    #[command(flatten)]
    pub(crate) meaning: Meaning,
    /// Check this property only: deadlock, assertions, runtime-errors, overflow, trace, never,
    /// progress, acceptance, the name of a formula, 'ltl: FORMULA', 'ctl: FORMULA', 'mu: FORMULA'
    /// or 'invariant: EXPR'; repeatable
    #[arg(help_heading = heading::PROPERTIES)]
    #[arg(long = "property", value_name = "P", value_parser = parse_property)]
    pub(crate) properties: Vec<String>,
    /// Ask this query of a timed model, instead of those of its file: 'E<> P.l and x < 3';
    /// repeatable
    #[arg(help_heading = heading::PROPERTIES)]
    #[arg(long = "query", value_name = "Q")]
    pub(crate) queries: Vec<String>,
    /// Weak fairness: only cycles count in which every process that is always enabled moves
    #[arg(help_heading = heading::PROPERTIES, long)]
    pub(crate) fair: bool,
    /// Continue after the first error, and report each distinct one
    #[arg(help_heading = heading::PROPERTIES, long)]
    pub(crate) all: bool,
    /// Continue after a violation until every property is settled. Without it, and without --time,
    /// --memory and --all, the search stops when a property is violated and nothing new was found
    /// for as long as the search took so far, at least 10 s
    #[arg(long)]
    pub(crate) exhaustive: bool,
    #[command(flatten)]
    pub(crate) exploring: Exploring,
    /// Check again whenever the model or a file that it includes changes, until Ctrl-C
    #[arg(help_heading = heading::OUTPUT, long)]
    pub(crate) watch: bool,
    /// Print a long report as it is, without a pager
    #[arg(help_heading = heading::OUTPUT, long)]
    pub(crate) no_pager: bool,
    /// List the statements that no run reaches; explores every state once more
    #[arg(help_heading = heading::OUTPUT, long)]
    pub(crate) coverage: bool,
    /// If a property is unknown, write the trail to the state with the least estimate
    #[arg(help_heading = heading::TRAILS, long, value_name = "FILE")]
    pub(crate) nearest: Option<PathBuf>,
    /// Report trails as they are found: the automatic search does not look for shorter ones
    #[arg(help_heading = heading::TRAILS, long)]
    pub(crate) no_improve: bool,
    /// Where to write the first trail, in SPIN's format; further ones go to the same directory,
    /// with the property in the name [default: MODEL.trail]
    #[arg(help_heading = heading::TRAILS)]
    #[arg(long, value_name = "FILE", conflicts_with = "no_trail", value_parser = trail_file())]
    pub(crate) trail: Option<PathBuf>,
    /// Write no trail, and leave those of earlier checks
    #[arg(help_heading = heading::TRAILS, long)]
    pub(crate) no_trail: bool,
    #[command(flatten)]
    pub(crate) drawing: ChartArgs,
    #[command(flatten)]
    pub(crate) expecting: Expecting,
    #[command(flatten)]
    pub(crate) reports: ReportFiles,
    #[command(flatten)]
    pub(crate) traces: TraceFiles,
    #[command(flatten)]
    pub(crate) report: Reporting,
}

impl Check {
    /// The requested search, or the automatic one.
    pub(crate) fn search(&self) -> SearchConfig {
        self.exploring.search().unwrap_or_else(SearchConfig::auto)
    }

    /// The fairness assumption.
    pub(crate) fn fairness(&self) -> Fairness {
        if self.fair { Fairness::Weak } else { Fairness::None }
    }

    /// The options of the automatic search.
    pub(crate) fn auto(&self) -> AutoOptions {
        AutoOptions { shorten: !self.no_improve, ..self.exploring.auto() }
    }

    /// Whether the search stops some time after a violation.
    pub(crate) fn stops_after_violation(&self) -> bool {
        let Exploring { time, memory, .. } = &self.exploring;
        !self.exhaustive && !self.all && time.is_none() && memory.is_none()
    }

    /// The plan that the options describe.
    pub(crate) fn plan(&self) -> Plan {
        Plan {
            search: self.search(),
            auto: self.auto(),
            fairness: self.fairness(),
            ..self.exploring.plan()
        }
    }

    /// The given options that not every language supports.
    pub(crate) fn for_some_languages(&self) -> impl Iterator<Item = &'static str> {
        let all = [
            (self.fair, "--fair"),
            (self.coverage, "--coverage"),
            (self.exploring.plain, "--plain"),
        ];
        all.into_iter().filter(|(is_given, _)| *is_given).map(|(_, option)| option)
    }

    /// A message if two outputs use standard output, or if there is no file to watch.
    pub(crate) fn misuse(&self) -> Option<&'static str> {
        let on_output =
            self.reports.on_output() + self.traces.on_output() + usize::from(self.report.json);
        if self.watch && self.input.model.as_os_str() == "-" {
            return Some("--watch looks at files, and standard input is none");
        }
        (on_output > 1).then_some(ONE_OUTPUT)
    }
}
