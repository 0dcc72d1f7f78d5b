//! Options of `hsf`, with HSF-SPIN's letters.

use std::path::PathBuf;
use std::time::Duration;

use beeline_checker::Store;
use beeline_checker::hsf::{CountingConvention, SuccessorOrder, Weight};
use beeline_promela::preprocess::Define;
use clap::Args;

use crate::args::error::ArgumentError;
use crate::args::input::{Input, parse_define};
use crate::args::meaning::Meaning;
use crate::args::number::whole;
use crate::args::property::trail_file;
use crate::args::report::{ProgressChoice, Reporting};
use crate::base::units;

const HELP: &str = "\
Examples:
  beeline hsf philosophers.pml -Ed -AA -Ha         A* to a deadlock, by active processes
  beeline hsf philosophers.pml -Ea -Ag -Hf         greedy best-first search to a failing assertion

As in HSF-SPIN, an option and its letter are one word, and an option without a letter lists its \
letters: `beeline hsf -A`. In place of a letter, -H takes the name of any heuristic, with its \
arguments, as in -H 'max(active, dangerous)'.

  -Ad depth-first, -AA A*, -Ai IDA*, -Ag best-first, -Ab breadth-first, -Ah hill climbing
  -Ed deadlocks, -Ea assertions, -El the never claim
  -Ha active processes, -Hf formula-based, -Hq non-empty queues, -H0 to -H8 as in the first tables

Exit codes: 0 no such error; 1 an error was found; 2 unknown, because a limit was reached; 3 the \
model has errors; 4 the command line has errors.";

/// Options of `hsf`.
#[derive(Debug, Args)]
#[command(after_help = HELP, arg_required_else_help = true)]
pub(crate) struct Hsf {
    /// The model; `-` reads standard input
    #[arg(value_name = "MODEL", required_unless_present_any = ["algorithm", "error", "heuristic"])]
    model: Option<PathBuf>,
    /// Define a macro for the preprocessor; without a value, as 1
    #[arg(short = 'D', value_name = "NAME[=VALUE]", value_parser = parse_define)]
    defines: Vec<Define>,
    /// Also look for included files in this directory
    #[arg(short = 'I', value_name = "DIR")]
    include: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) meaning: Meaning,
    /// The search [default: d]
    #[arg(short = 'A', value_name = "X", num_args = 0..=1, default_missing_value = "")]
    pub(crate) algorithm: Option<String>,
    /// The error to look for [default: d]
    #[arg(short = 'E', value_name = "X", num_args = 0..=1, default_missing_value = "")]
    pub(crate) error: Option<String>,
    /// The heuristic [default: 0]
    #[arg(short = 'H', value_name = "X", num_args = 0..=1, default_missing_value = "")]
    pub(crate) heuristic: Option<String>,
    /// Weight of the estimates in A*, as in -W2 or -W1.5
    #[arg(short = 'W', value_name = "W", value_parser = parse_weight)]
    pub(crate) weight: Option<(Weight, String)>,
    /// Count as the papers of this year: 2000 (states inside atomic sequences count, the error does
    /// not) or 2001 (the reverse)
    #[arg(long, value_name = "YEAR", default_value = "2001", value_parser = parse_counting)]
    pub(crate) counting: CountingConvention,
    /// The order of successors: forward, or reversed as in two of the first tables
    #[arg(long, value_name = "ORDER", default_value = "forward", value_parser = parse_successors)]
    pub(crate) successors: SuccessorOrder,
    /// State store: exact or compact, or as in bit-state searches
    /// `bitstate(bits=1, bytes=1250000)`, which may overlook states. See `beeline list stores`
    #[arg(long, value_name = "STORE", default_value = "exact")]
    #[arg(value_parser = beeline_checker::parse_store)]
    pub(crate) store: Store,
    /// The seed of the hash functions of a store that may overlook states
    #[arg(long, value_name = "N", default_value_t = 1)]
    #[arg(value_parser = whole::<u64>, allow_negative_numbers = true)]
    pub(crate) seed: u64,
    /// Where to write a trail, in SPIN's format [default: MODEL.trail]
    #[arg(long, value_name = "FILE", conflicts_with = "no_trail", value_parser = trail_file())]
    pub(crate) trail: Option<PathBuf>,
    /// Write no trail
    #[arg(long)]
    pub(crate) no_trail: bool,
    /// Stop after this time, as in 60s or 5m
    #[arg(long, value_name = "TIME", value_parser = units::duration)]
    pub(crate) time: Option<Duration>,
    /// Memory limit, as in 4G [default: half of the main memory]
    #[arg(long, value_name = "SIZE", value_parser = units::bytes)]
    pub(crate) memory: Option<usize>,
    /// When to show progress, on standard error
    #[arg(long, value_enum, default_value_t, value_name = "WHEN")]
    pub(crate) progress: ProgressChoice,
    #[command(flatten)]
    pub(crate) report: Reporting,
}

impl Hsf {
    /// The model to read, if one is given.
    pub(crate) fn input(&self) -> Option<Input> {
        let model = self.model.clone()?;
        Some(Input { model, defines: self.defines.clone(), include: self.include.clone() })
    }

    /// The name of the model, for messages.
    pub(crate) fn shown(&self) -> String {
        self.model.as_ref().map_or_else(String::new, |model| model.display().to_string())
    }
}

fn parse_weight(text: &str) -> Result<(Weight, String), ArgumentError> {
    let refuse = || ArgumentError::Weight(text.to_owned());
    let (whole, part) = text.split_once('.').unwrap_or((text, ""));
    let is_number = |digits: &str| digits.bytes().all(|digit| digit.is_ascii_digit());
    if whole.is_empty() || !is_number(whole) || !is_number(part) || part.len() > 4 {
        return Err(refuse());
    }
    let under = 10_u16.pow(part.len() as u32);
    let over = format!("{whole}{part}").parse().map_err(|_| refuse())?;
    Ok((Weight { over, under }, text.to_owned()))
}

fn parse_counting(text: &str) -> Result<CountingConvention, ArgumentError> {
    let found = CountingConvention::ALL.into_iter().find(|counting| counting.name() == text);
    found.ok_or_else(|| ArgumentError::Counting(text.to_owned()))
}

fn parse_successors(text: &str) -> Result<SuccessorOrder, ArgumentError> {
    match text {
        "forward" => Ok(SuccessorOrder::Forward),
        "reversed" => Ok(SuccessorOrder::Reversed),
        _ => Err(ArgumentError::SuccessorOrder(text.to_owned())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_are_numbers_with_a_few_digits() {
        for (text, over, under) in [("2", 2, 1), ("1.5", 15, 10), ("10.25", 1025, 100)] {
            let (weight, _) = parse_weight(text).expect("it is a weight");
            assert_eq!((weight.over, weight.under), (over, under));
        }
        for text in ["", "-1", "two", ".5", "1.23456", "70000"] {
            assert!(parse_weight(text).is_err(), "{text}");
        }
    }
}
