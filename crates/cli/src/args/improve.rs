//! Options of `improve`.

use std::path::{Path, PathBuf};
use std::time::Duration;

use beeline_checker::{ImproveMethod, Plan};
use beeline_model::{Engine, Fairness};
use clap::Args;

use crate::args::error::ArgumentError;
use crate::args::exploring::parse_engine;
use crate::args::input::Input;
use crate::args::meaning::Meaning;
use crate::args::property::{parse_property, trail_file};
use crate::args::report::{ProgressChoice, Reporting};
use crate::base::{file, units};
use crate::model::languages::heuristic_names;

const HELP: &str = "\
Examples:
  beeline improve mutex.pml                        the first trail of the last check, by all methods
  beeline improve mutex.pml run.trail --time 5m --trail short.trail
  beeline improve mutex.pml mutex.pml.trail --by elimination --switches

A shorter trail leads to the same kind of error: to some deadlock, to the same failing statement, \
to a state that violates the same invariant, to the end of the same claim, or to a cycle that \
violates the same claim. Each improvement is written to the file at once, so that nothing is lost when you stop it with Ctrl-C.

Exit codes: 0 there is a trail, improved or not; 3 the model has errors; 4 the trail does not fit \
the model, or leads to no error.";

/// Options of `improve`.
#[derive(Debug, Args)]
#[command(after_help = HELP)]
pub(crate) struct Improve {
    #[command(flatten)]
    pub(crate) input: Input,
    #[command(flatten)]
    pub(crate) meaning: Meaning,
    /// The trail, as `beeline check`, `beeline simulate` or SPIN's `pan` wrote it [default:
    /// MODEL.trail in the current directory or beside the model; with one --property, the trail of
    /// that property first]
    #[arg(value_name = "TRAIL")]
    pub(crate) given: Option<PathBuf>,
    /// A further property that the trail may violate: 'ltl: FORMULA' or 'invariant: EXPR';
    /// repeatable
    #[arg(long = "property", value_name = "P", value_parser = parse_property)]
    pub(crate) properties: Vec<String>,
    /// Where to write the shorter trail [default: the name of TRAIL with `short.` before its end]
    #[arg(long, value_name = "FILE", value_parser = trail_file())]
    pub(crate) trail: Option<PathBuf>,
    /// Shorten it by this method only: elimination, filter, neighbourhood, segments,
    /// astar(hamming), astar(fsm-state), or astar or gbfs with another heuristic; repeatable
    /// [default: all but filter]
    #[arg(long, value_name = "METHOD", value_parser = parse_method)]
    pub(crate) by: Vec<ImproveMethod>,
    /// Weak fairness: only cycles count in which every process that is always enabled moves
    #[arg(long)]
    pub(crate) fair: bool,
    /// Among the shortest trails found, prefer one with few context switches
    #[arg(long)]
    pub(crate) switches: bool,
    /// Engine that computes successors: jit (native code; the interpreter where there is none) or
    /// interp
    #[arg(long, value_name = "ENGINE", default_value = "jit", value_parser = parse_engine)]
    pub(crate) engine: Engine,
    /// Stop after this time, as in 60s or 5m
    #[arg(long, value_name = "TIME", default_value = "60s", value_parser = units::duration)]
    pub(crate) time: Duration,
    /// Memory limit, as in 4G [default: half of the main memory]
    #[arg(long, value_name = "SIZE", value_parser = units::bytes)]
    pub(crate) memory: Option<usize>,
    /// When to show progress, on standard error
    #[arg(long, value_enum, default_value_t, value_name = "WHEN")]
    pub(crate) progress: ProgressChoice,
    #[command(flatten)]
    pub(crate) report: Reporting,
}

impl Improve {
    pub(crate) fn plan(&self) -> Plan {
        Plan {
            engine: self.engine,
            fairness: if self.fair { Fairness::Weak } else { Fairness::None },
            bytes: Some(self.memory.unwrap_or_else(units::half_of_memory)),
            files: file::access(),
            ..Plan::default()
        }
    }

    /// Where the shorter form of a trail goes.
    pub(crate) fn place(&self, given: &Path) -> PathBuf {
        self.trail.clone().unwrap_or_else(|| {
            let extension = given.extension().map_or_else(
                || "short".to_owned(),
                |extension| format!("short.{}", extension.to_string_lossy()),
            );
            given.with_extension(extension)
        })
    }
}

/// A method with a heuristic of any language.
fn parse_method(text: &str) -> Result<ImproveMethod, ArgumentError> {
    ImproveMethod::parse(text, &heuristic_names()).map_err(ArgumentError::Plan)
}
