//! Options of `export`.

use std::path::PathBuf;

use beeline_checker::Plan;
use beeline_translation::ActionForm;
use clap::{Args, ValueEnum};

use crate::args::exploring::parse_instances;
use crate::args::heading;
use crate::args::input::Input;
use crate::args::meaning::Meaning;
use crate::args::property::parse_property;
use crate::args::report::Reporting;

const HELP: &str = "\
Examples:
  beeline export model.pml --to pddl --out task       task/domain.pddl and task/problem.pddl
  beeline plan task/domain.pddl task/problem.pddl --out task/plan
  beeline import-plan model.pml task/plan             the plan as a trail, replayed
  beeline export domain.pddl problem.pddl --to promela --out model

The goal of the task is an error of one of the properties: a plan is a trail, and without a plan the \
properties hold. Steps of the model cost 1, bookkeeping costs nothing, so that the cost of an optimal \
plan is the length of the shortest trail.

Exit codes: 0 the files were written; 3 the model has errors; 4 the command line has errors, or the \
model does not fit the format.";

/// The formats.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ExportFormat {
    /// The planning domain definition language: domain.pddl and problem.pddl
    Pddl,
    /// The format of Fast Downward's translator, for its search and `beeline plan`: output.sas
    Sas,
    /// Of a planning task, a model whose assertion fails where the goal is reached: model.pml
    Promela,
}

/// How a model becomes a planning task.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Encoding {
    /// One action for each step
    #[default]
    Compact,
    /// Processes, queues and transitions are objects, as in the fourth planning competition, and a
    /// step is four actions; for models whose processes only send and receive, and for deadlocks
    Ipc4,
}

/// Options of `export`.
#[derive(Debug, Args)]
#[command(after_help = HELP)]
pub(crate) struct Export {
    #[command(flatten)]
    pub(crate) input: Input,
    /// With --to promela, MODEL is the domain of a planning task, and this its problem
    #[arg(value_name = "PROBLEM")]
    pub(crate) problem: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) meaning: Meaning,
    /// The format
    #[arg(long, value_enum, value_name = "FORMAT")]
    pub(crate) to: ExportFormat,
    /// The directory for the files; it is made if it does not exist
    #[arg(long, value_name = "DIR")]
    pub(crate) out: PathBuf,
    /// How steps become actions
    #[arg(long, value_enum, value_name = "ENCODING", default_value_t)]
    pub(crate) encoding: Encoding,
    /// Actions are conjunctions of facts: the values that an assignment copies are enumerated
    /// [default: if the task does not become too large]
    #[arg(long)]
    pub(crate) strips: bool,
    /// Actions have conditional effects: one for each value that an assignment copies
    #[arg(long, conflicts_with = "strips")]
    pub(crate) adl: bool,
    #[command(flatten)]
    pub(crate) goals: ExchangeGoals,
    #[command(flatten)]
    pub(crate) report: Reporting,
}

/// What a planning task is about.
#[derive(Debug, Args)]
pub(crate) struct ExchangeGoals {
    /// The error that is the goal: deadlock, assertions, runtime-errors, the name of an invariant
    /// or 'invariant: EXPR'; repeatable [default: any error]
    #[arg(help_heading = heading::PROPERTIES)]
    #[arg(long = "property", value_name = "P", value_parser = parse_property)]
    pub(crate) properties: Vec<String>,
    /// Room for N processes of a type at a time, where the model does not tell how many it starts;
    /// repeatable
    #[arg(help_heading = heading::MODEL, long = "instances", value_name = "TYPE=N")]
    #[arg(value_parser = parse_instances)]
    pub(crate) instances: Vec<(String, usize)>,
}

impl Export {
    /// A message if the files do not fit the format.
    pub(crate) fn misuse(&self) -> Option<&'static str> {
        if self.encoding == Encoding::Ipc4 && (self.to != ExportFormat::Pddl || self.strips) {
            return Some("--encoding ipc4 is for --to pddl, with ADL");
        }
        match (self.to, &self.problem) {
            (ExportFormat::Promela, None) => {
                Some("--to promela needs two files: the domain and the problem of a planning task")
            }
            (ExportFormat::Pddl | ExportFormat::Sas, Some(_)) => {
                Some("--to pddl and --to sas need one file: a model")
            }
            _ => None,
        }
    }

    /// The requested form of actions.
    pub(crate) fn form(&self) -> Option<ActionForm> {
        match (self.strips, self.adl) {
            (true, _) => Some(ActionForm::Strips),
            (_, true) => Some(ActionForm::Conditional),
            _ => None,
        }
    }
}

impl ExchangeGoals {
    /// The plan whose systems are exported.
    pub(crate) fn plan() -> Plan {
        Plan::default()
    }
}
