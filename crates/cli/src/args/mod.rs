//! The command line. The names are a contract; see `beeline --help`.

pub(crate) mod chart;
pub(crate) mod check;
pub(crate) mod compare;
pub(crate) mod count;
mod default_command;
pub(crate) mod dump;
pub(crate) mod error;
pub(crate) mod expecting;
pub(crate) mod explain;
pub(crate) mod exploring;
pub(crate) mod export;
pub(crate) mod formats;
pub(crate) mod generate;
pub(crate) mod heading;
pub(crate) mod hsf;
pub(crate) mod import_plan;
pub(crate) mod import_trail;
pub(crate) mod improve;
pub(crate) mod input;
pub(crate) mod lint;
pub(crate) mod list;
pub(crate) mod meaning;
mod number;
pub(crate) mod plan;
pub(crate) mod property;
pub(crate) mod replay;
pub(crate) mod report;
pub(crate) mod simulate;
pub(crate) mod spin_options;
pub(crate) mod test;

use std::error::Error as _;
use std::ffi::OsString;

use clap::error::ErrorKind;
use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};

use crate::base::exit::Exit;
use crate::base::failure::Failure;
use crate::base::json;
use crate::base::output::CommandOutput;
use check::Check;
use compare::Compare;
use count::Count;
use dump::Dump;
use error::ArgumentError;
use explain::Explain;
use export::Export;
use generate::Generate;
use hsf::Hsf;
use import_plan::ImportPlan;
use import_trail::ImportTrail;
use improve::Improve;
use lint::Lint;
use list::List;
use plan::PlanCommand;
use replay::Replay;
use simulate::Simulate;
use test::Test;

/// A directed model checker for Promela: heuristic search for short counterexamples.
#[derive(Debug, Parser)]
#[command(name = "beeline", version, max_term_width = 100, after_help = EXIT_CODES)]
#[command(override_usage = "beeline MODEL [OPTIONS]\n       beeline <COMMAND> [ARGUMENTS]")]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
}

const EXIT_CODES: &str = "Exit codes: 0 success, every property holds; 1 a property is violated; \
    2 a verdict is unknown, because a limit was reached; 3 the model has errors; 4 the command line \
    has errors or a file cannot be read; 5 an internal error of Beeline.";

/// What to do.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Check every property of a model; `beeline MODEL` is short for it
    Check(Check),
    /// Count the reachable states of a model
    Count(Count),
    /// Check many models against the verdicts that they state, and report the differences
    Test(Test),
    /// Execute one run of a model: random, interactive, or along a trail
    Simulate(Simulate),
    /// Execute a trail of Beeline or SPIN, and show its steps
    Replay(Replay),
    /// Find a shorter trail to the same kind of error
    Improve(Box<Improve>),
    /// Compare two models: simulation, bisimulation, trace inclusion
    Compare(Box<Compare>),
    /// Find a plan of a planning task in PDDL, or validate one
    Plan(Box<PlanCommand>),
    /// Write a model as a planning task whose plans are trails, or a planning task as a model
    Export(Box<Export>),
    /// Turn a plan for an exported model into a trail, and replay it
    ImportPlan(Box<ImportPlan>),
    /// Turn a trail of an exported planning task into a plan, and validate it
    ImportTrail(Box<ImportTrail>),
    /// Report mistakes in a model, with fixes
    Lint(Lint),
    /// Explain the code of a message, with an example and the fix
    Explain(Explain),
    /// Print an intermediate form of a model: tokens, syntax tree, automata, states, …
    Dump(Dump),
    /// Search with HSF-SPIN's options, and print its statistics
    Hsf(Box<Hsf>),
    /// Print a model of a family: a process network, or timed automata such as Fischer's protocol
    Generate(Generate),
    /// List the searches, heuristics, stores and reductions that options can name
    List(List),
}

/// Parses the command line. For errors and `--help`, prints the message and returns the exit code.
pub(crate) fn parse(args: &[OsString]) -> Result<Cli, Exit> {
    let mut command = Cli::command().color(color_of_messages(args));
    let line = default_command::with_command(&command, args);
    let parsed = command.try_get_matches_from_mut(&line).and_then(|matches| {
        let cli = Cli::from_arg_matches(&matches)?;
        check(&cli)?;
        Ok(cli)
    });
    parsed.map_err(|error| {
        let error = match spin_options::refusal(&line, &error) {
            Some(refusal) => refusal.with_cmd(&command),
            None => error,
        };
        // Nothing can be done about a closed terminal here.
        let _ = error.print();
        match error.kind() {
            ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => Exit::Success,
            _ if wants_json(args) => {
                let out = json::line(&json::FailureObject::new("", &failure(&error)));
                CommandOutput { out, err: String::new(), exit: Exit::Usage }.give()
            }
            _ => Exit::Usage,
        }
    })
}

/// Whether the output is for a program.
fn wants_json(args: &[OsString]) -> bool {
    args.iter().take_while(|arg| *arg != "--").any(|arg| arg == "--json")
}

/// The problem with the command line in a sentence, and the rest of clap's message.
fn failure(error: &clap::Error) -> Failure {
    let mut text = error.render().to_string();
    let cause = error.source().and_then(|cause| cause.downcast_ref::<ArgumentError>());
    if let Some(excerpt) = cause.and_then(ArgumentError::excerpt) {
        text = text.replace(&excerpt, "");
    }
    let text = text.strip_prefix("error: ").unwrap_or(&text);
    let (message, help) = text.split_once("\n\n").unwrap_or((text, ""));
    let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    Failure { message: words(message), help: words(help) }
}

/// Refuses options that would have no effect.
fn check(cli: &Cli) -> Result<(), clap::Error> {
    let misuse = match &cli.command {
        Command::Dump(options) => options.misuse(),
        Command::Count(options) => options.misuse(),
        Command::Check(options) => options.misuse(),
        Command::Compare(options) => options.misuse(),
        Command::Export(options) => options.misuse(),
        Command::Replay(options) => options.misuse(),
        Command::Test(options) => options.misuse(),
        _ => None,
    };
    match misuse {
        Some(text) => Err(Cli::command().error(ErrorKind::ArgumentConflict, text)),
        None => Ok(()),
    }
}

/// Colors for messages about the command line itself, which has not been read
/// at that point.
fn color_of_messages(args: &[OsString]) -> clap::ColorChoice {
    let args: Vec<_> = args.iter().map(|arg| arg.to_string_lossy()).collect();
    let spaced = args.windows(2).filter(|pair| pair[0] == "--color").map(|pair| &*pair[1]);
    let joined = args.iter().filter_map(|arg| arg.strip_prefix("--color="));
    match spaced.chain(joined).last() {
        Some("always") => clap::ColorChoice::Always,
        Some("never") => clap::ColorChoice::Never,
        _ => clap::ColorChoice::Auto,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_is_consistent() {
        Cli::command().debug_assert();
    }
}
