//! Options of `compare`.

use std::path::PathBuf;
use std::time::Duration;

use beeline_checker::{Plan, Relation, StepMatching};
use beeline_model::Engine;
use clap::Args;

use crate::args::error::ArgumentError;
use crate::args::exploring::parse_engine;
use crate::args::heading;
use crate::args::input::Input;
use crate::args::meaning::Meaning;
use crate::args::property::{parse_property, trail_file};
use crate::args::report::{ProgressChoice, Reporting};
use crate::base::units;

const HELP: &str = "\
Examples:
  beeline compare protocol.pml abstract.pml --relation simulation --observe 'n > 0'
  beeline compare fast.pml slow.pml --relation trace-inclusion --observe busy --stutter
  beeline compare old.pml new.pml --relation bisimulation --json

States are compared by the observed conditions, which must make sense in both models; without \
--observe, by whether any step is enabled. A state without steps is repeated for ever, and an atomic \
sequence is one step. If B simulates A, each formula about all runs (LTL, ACTL*) on the observed \
conditions that holds in B holds in A, too; the converse is not true.

Exit codes: 0 the models are related; 1 they are not; 2 unknown, because a limit was reached or a \
step fails; 3 a model has errors; 4 the command line has errors.";

/// A condition is observed as the invariant of a state.
const OBSERVED: &str = "invariant: ";

/// Options of `compare`.
#[derive(Debug, Args)]
#[command(after_help = HELP)]
#[command(mut_arg("model", |model| model.index(1).value_name("A").help(
    "The model; `-` reads standard input. Promela, or a process network (.net)"
)))]
pub(crate) struct Compare {
    #[command(flatten)]
    pub(crate) input: Input,
    /// The model that A is compared with, such as an abstraction of A
    #[arg(index = 2, value_name = "B")]
    pub(crate) abstraction: PathBuf,
    #[command(flatten)]
    pub(crate) meaning: Meaning,
    /// simulation (B can match each step of A), bisimulation (each model can match each step of the
    /// other), or trace-inclusion (each sequence of observations of A is one of B)
    #[arg(long, value_name = "RELATION", value_parser = parse_relation)]
    pub(crate) relation: Relation,
    /// A condition that is observed in each state of both models, such as 'x > 0'; repeatable
    #[arg(long = "observe", value_name = "COND", value_parser = parse_observed)]
    pub(crate) observed: Vec<String>,
    /// Steps that keep the observation are silent: one step may match none or several of them. A
    /// cycle of silent steps need not be matched (divergence-blind)
    #[arg(long)]
    pub(crate) stutter: bool,
    /// Write the run of A that shows the difference to this file, in SPIN's format
    #[arg(long, value_name = "FILE", value_parser = trail_file())]
    pub(crate) trail: Option<PathBuf>,
    /// Engine that computes successors: jit (native code; the interpreter where there is none) or
    /// interp
    #[arg(long, value_name = "ENGINE", default_value = "jit", value_parser = parse_engine)]
    pub(crate) engine: Engine,
    /// Stop after this time, as in 60s or 5m
    #[arg(help_heading = heading::LIMITS)]
    #[arg(long, value_name = "TIME", value_parser = units::duration)]
    pub(crate) time: Option<Duration>,
    /// Memory limit, as in 4G [default: half of the main memory]
    #[arg(help_heading = heading::LIMITS, long, value_name = "SIZE", value_parser = units::bytes)]
    pub(crate) memory: Option<usize>,
    /// When to show progress, on standard error
    #[arg(help_heading = heading::OUTPUT, long, value_enum, default_value_t, value_name = "WHEN")]
    pub(crate) progress: ProgressChoice,
    #[command(flatten)]
    pub(crate) report: Reporting,
}

impl Compare {
    /// The input of the abstraction, with the macros and directories of both.
    pub(crate) fn abstraction(&self) -> Input {
        let Input { defines, include, .. } = &self.input;
        let model = self.abstraction.clone();
        Input { model, defines: defines.clone(), include: include.clone() }
    }

    /// The observed conditions, as they were written.
    pub(crate) fn conditions(&self) -> Vec<&str> {
        self.observed.iter().map(|name| name.strip_prefix(OBSERVED).unwrap_or(name)).collect()
    }

    /// The steps that match a step.
    pub(crate) fn matching(&self) -> StepMatching {
        if self.stutter { StepMatching::Stuttering } else { StepMatching::Strong }
    }

    /// The memory limit, in bytes.
    pub(crate) fn memory_limit(&self) -> usize {
        self.memory.unwrap_or_else(units::half_of_memory)
    }

    /// The plan that the options describe.
    pub(crate) fn plan(&self) -> Plan {
        let bytes = Some(self.memory_limit());
        Plan { plain: true, engine: self.engine, bytes, ..Plan::default() }
    }

    /// A message if both models would come from standard input.
    pub(crate) fn misuse(&self) -> Option<&'static str> {
        let all = [&self.input.model, &self.abstraction];
        all.iter()
            .all(|model| model.as_os_str() == "-")
            .then_some("only one of the two models can be read from standard input")
    }
}

fn parse_relation(text: &str) -> Result<Relation, ArgumentError> {
    let found = Relation::ALL.into_iter().find(|relation| relation.name() == text);
    found.ok_or_else(|| ArgumentError::Relation(text.to_owned()))
}

/// A condition, as a property that the front-ends read.
fn parse_observed(text: &str) -> Result<String, ArgumentError> {
    parse_property(&format!("{OBSERVED}{text}"))
}
