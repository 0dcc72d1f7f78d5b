//! The command line. The names are a contract; see `beeline --help`.

use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

use beeline_checker::{
    AutoOptions, Engine, Fairness, ReductionChoice, SearchConfig, SemanticsOptions, Store, Strategy,
};
use beeline_promela::hir::MOST_PROCESSES;
use beeline_promela::preprocess::Define;
use clap::error::ErrorKind;
use clap::{Args, CommandFactory, FromArgMatches, Parser, Subcommand, ValueEnum};

use crate::chart::Drawing;
use crate::color::ColorChoice;
use crate::dump::Pictures;
use crate::exit::Exit;
use crate::expect::Expecting;
use crate::formats::{self, Reports, Traces};
use crate::hsf::Hsf;
use crate::improve::Improve;
use crate::input::ReadError;
use crate::network::Generate;
use crate::output::CommandOutput;
use crate::render::json;
use crate::simulate::Simulate;
use crate::trail;
use crate::units;

/// A directed model checker for Promela: it heads straight for the bug.
#[derive(Debug, Parser)]
#[command(name = "beeline", version, max_term_width = 100, after_help = EXIT_CODES)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
}

const EXIT_CODES: &str = "Exit codes: 0 nothing to complain about, every property holds; \
    1 a property is violated; 2 something is unknown, as a limit was hit; 3 the model has errors; \
    4 the command line has errors or a file cannot be read; 5 a bug of ours.";

const REPLAY_HELP: &str = "\
Each step has a line: the process, the place, the statement, and in braces what it changes. What \
it prints stands below it, behind `|`. The last lines say what is wrong, where each process is, \
and every value that is not 0 or empty.

Exit codes: 0 the trail leads to an error; 3 the model has errors; 4 the trail does not fit the \
model, or leads to no error, or a chart cannot be written.";

/// What to do.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Check every property of a model
    Check(Check),
    /// Count the reachable states of a model
    Count(Count),
    /// Run a model once: at random, step by step as you choose, or along a trail
    Simulate(Simulate),
    /// Execute a trail, ours or SPIN's, and show what happens
    Replay(Replay),
    /// Find a shorter trail to the same error, or to one like it
    Improve(Box<Improve>),
    /// Say what is wrong with a model, and how to mend it
    Lint(Lint),
    /// Print a model in one of the forms it passes through
    Dump(Dump),
    /// Search with HSF-SPIN's options, and print its statistics
    Hsf(Box<Hsf>),
    /// Print a process network of a family: arbiter, hanoi or random
    Generate(Generate),
    /// Say what can be asked for by name: searches, heuristics, stores, reductions
    List(List),
}

/// Options of `list`.
#[derive(Debug, Args)]
pub(crate) struct List {
    /// What to list
    #[arg(value_enum)]
    pub(crate) kind: ListKind,
    /// Print one JSON object on standard output, and nothing else there
    #[arg(long, conflicts_with = "markdown")]
    pub(crate) json: bool,
    /// Print a page in Markdown
    #[arg(long)]
    pub(crate) markdown: bool,
}

/// What there are several of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ListKind {
    /// For `--search`
    Searches,
    /// What directed searches are directed by
    Heuristics,
    /// The same for process networks
    NetworkHeuristics,
    /// For `--store`
    Stores,
    /// For `--reduce`
    Reductions,
}

/// Options of `check`.
#[derive(Debug, Args)]
pub(crate) struct Check {
    #[command(flatten)]
    pub(crate) input: Input,
    #[command(flatten)]
    pub(crate) meaning: Meaning,
    /// Check this property only: deadlock, assertions, trace, never, progress, acceptance, the
    /// name of an ltl block, 'ltl: FORMULA' or 'invariant: EXPR'; repeatable
    #[arg(long = "property", value_name = "P", value_parser = parse_property)]
    pub(crate) properties: Vec<String>,
    /// Weak fairness: only cycles count in which every process that could always move does
    #[arg(long)]
    pub(crate) fair: bool,
    /// Keep going after the first error and report distinct ones
    #[arg(long)]
    pub(crate) all: bool,
    /// How many threads the automatic search may use; with 1, every run is the same [default: as
    /// many as the machine has cores]
    #[arg(long, value_name = "N", value_parser = parse_jobs)]
    pub(crate) jobs: Option<usize>,
    /// List the statements that no run reaches; looks at every state once more
    #[arg(long)]
    pub(crate) coverage: bool,
    /// Where nothing was found: write the trail to the state that seemed nearest to an error
    #[arg(long, value_name = "FILE")]
    pub(crate) nearest: Option<PathBuf>,
    /// Report trails as they are found: the automatic search does not look for shorter ones
    #[arg(long)]
    pub(crate) no_improve: bool,
    /// Where to write a trail, in SPIN's format [default: MODEL.trail]
    #[arg(long, value_name = "FILE", conflicts_with = "no_trail", value_parser = trail::place())]
    pub(crate) trail: Option<PathBuf>,
    /// Write no trail
    #[arg(long)]
    pub(crate) no_trail: bool,
    #[command(flatten)]
    pub(crate) drawing: Drawing,
    #[command(flatten)]
    pub(crate) expecting: Expecting,
    #[command(flatten)]
    pub(crate) reports: Reports,
    #[command(flatten)]
    pub(crate) traces: Traces,
    #[command(flatten)]
    pub(crate) exploring: Exploring,
    #[command(flatten)]
    pub(crate) report: Reporting,
}

/// Options of `count`.
#[derive(Debug, Args)]
pub(crate) struct Count {
    #[command(flatten)]
    pub(crate) input: Input,
    #[command(flatten)]
    pub(crate) meaning: Meaning,
    #[command(flatten)]
    pub(crate) exploring: Exploring,
    #[command(flatten)]
    pub(crate) report: Reporting,
}

/// Options of `replay`.
#[derive(Debug, Args)]
#[command(after_help = REPLAY_HELP)]
pub(crate) struct Replay {
    #[command(flatten)]
    pub(crate) input: Input,
    #[command(flatten)]
    pub(crate) meaning: Meaning,
    /// The trail, as `beeline check` or SPIN's `pan` wrote it
    #[arg(value_name = "TRAIL")]
    pub(crate) trail: PathBuf,
    /// What the trail violates, of all that may be wrong at its end: a property as in `check`,
    /// also one that the model does not state, as 'ltl: FORMULA' or progress; repeatable
    #[arg(long = "property", value_name = "P", value_parser = parse_property)]
    pub(crate) properties: Vec<String>,
    /// Only the first so many steps, counted as in the file
    #[arg(long, value_name = "N")]
    pub(crate) steps: Option<usize>,
    /// Draw a column for each process, with what channels hold on the right
    #[arg(long, conflicts_with = "json")]
    pub(crate) columns: bool,
    #[command(flatten)]
    pub(crate) drawing: Drawing,
    #[command(flatten)]
    pub(crate) traces: Traces,
    #[command(flatten)]
    pub(crate) report: Reporting,
}

/// How to understand a model, where the language leaves it to its user.
#[derive(Debug, Args)]
pub(crate) struct Meaning {
    /// Lose messages that are sent to a full channel, instead of waiting, as `spin -m`
    #[arg(long)]
    pub(crate) lossy: bool,
    /// Accept the end of a run only if all channels are empty, as `pan -q`
    #[arg(long)]
    pub(crate) strict_ends: bool,
    /// How many processes may run at once; SPIN allows 255. Variables of type pid stay bytes
    #[arg(long, value_name = "N", default_value_t = 255, value_parser = parse_processes)]
    pub(crate) max_processes: usize,
}

impl Meaning {
    pub(crate) fn semantics(&self) -> SemanticsOptions {
        let processes = self.max_processes;
        SemanticsOptions { lossy: self.lossy, strict_ends: self.strict_ends, processes }
    }
}

pub(crate) fn parse_property(text: &str) -> Result<String, String> {
    beeline_checker::check_written(text).map(|()| text.to_owned())
}

fn parse_jobs(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(jobs) if jobs > 0 => Ok(jobs),
        _ => Err("expected a number of threads, 1 or more".to_owned()),
    }
}

fn parse_processes(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(count) if (1..=MOST_PROCESSES).contains(&count) => Ok(count),
        _ => Err(format!("expected a number from 1 to {MOST_PROCESSES}")),
    }
}

/// How to go through a state space.
#[derive(Debug, Args)]
pub(crate) struct Exploring {
    /// The search, as in bfs, dfs, `astar(active)` or `gbfs(formula, ties=fifo)`; see
    /// `beeline list searches` [default: auto; of count: bfs]
    #[arg(long, value_name = "SPEC", value_parser = parse_search)]
    search: Option<String>,
    /// What to keep states in: exact (the fastest) or compact (smaller), which lose none;
    /// hash-compact or bitstate, which may overlook some; cache, which forgets and meets again;
    /// auto takes exact, or compact where states are long. See `beeline list stores`
    #[arg(long, value_name = "STORE", default_value = "auto")]
    #[arg(value_parser = beeline_checker::parse_store)]
    pub(crate) store: Store,
    /// Whether to leave out steps that others stand for: auto, off or stubborn, as in
    /// `stubborn(c3=stack-)`; see `beeline list reductions`
    #[arg(long, value_name = "SPEC", default_value = "auto")]
    #[arg(value_parser = beeline_checker::parse_reduction)]
    pub(crate) reduce: ReductionChoice,
    /// No statement merging, no dead-variable reset
    #[arg(long)]
    pub(crate) plain: bool,
    /// Who computes successors: jit (native code; the interpreter where there is none) or interp
    #[arg(long, value_name = "ENGINE", default_value = "jit", value_parser = parse_engine)]
    pub(crate) engine: Engine,
    /// The seed of what is random in a search
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) seed: u64,
    /// Stop after this time, as in 60s or 5m
    #[arg(long, value_name = "TIME", value_parser = units::duration)]
    pub(crate) time: Option<Duration>,
    /// Stop at so much memory, as in 4G [default: half of the machine's]
    #[arg(long, value_name = "SIZE", value_parser = units::bytes)]
    pub(crate) memory: Option<usize>,
    /// Look at no state behind more than so many moves: the steps from there are the last
    #[arg(long, value_name = "N")]
    pub(crate) depth: Option<u32>,
    /// When to show progress, on standard error
    #[arg(long, value_enum, default_value_t, value_name = "WHEN")]
    pub(crate) progress: ProgressChoice,
}

impl Exploring {
    /// The search that was asked for.
    pub(crate) fn search(&self) -> Option<SearchConfig> {
        let search = beeline_checker::parse_search(self.search.as_ref()?, self.seed);
        Some(search.expect("it was read before, and the seed is no reason to refuse it"))
    }
}

impl Check {
    /// The search that was asked for, or the automatic one.
    pub(crate) fn search(&self) -> SearchConfig {
        self.exploring.search().unwrap_or_else(SearchConfig::auto)
    }

    /// Which cycles count.
    pub(crate) fn fairness(&self) -> Fairness {
        if self.fair { Fairness::Weak } else { Fairness::None }
    }

    /// What the automatic search is left to decide.
    pub(crate) fn auto(&self) -> AutoOptions {
        let cores = || std::thread::available_parallelism().map_or(1, usize::from);
        AutoOptions {
            seed: self.exploring.seed,
            jobs: self.jobs.unwrap_or_else(cores),
            shorten: !self.no_improve,
        }
    }
}

/// What `--progress` says.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum ProgressChoice {
    /// Show it when a person reads along
    #[default]
    Auto,
    /// Show it in any case
    Always,
    /// Do not show it
    Never,
}

/// Options of `lint`.
#[derive(Debug, Args)]
pub(crate) struct Lint {
    #[command(flatten)]
    pub(crate) input: Input,
    #[command(flatten)]
    pub(crate) report: Reporting,
}

/// Options of `dump`.
#[derive(Debug, Args)]
pub(crate) struct Dump {
    #[command(flatten)]
    pub(crate) input: Input,
    /// The form to print
    #[arg(long, value_enum)]
    pub(crate) form: Form,
    #[command(flatten)]
    pub(crate) pictures: Pictures,
    /// No statement merging, no dead-variable reset
    #[arg(long)]
    pub(crate) plain: bool,
    #[command(flatten)]
    pub(crate) report: Reporting,
}

/// The forms of a model, in the order of the pipeline.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Form {
    /// Tokens after preprocessing, one per line, with the macros they came from
    Tokens,
    /// The syntax tree, printed as Promela
    Ast,
    /// The model with every name resolved and every type known
    Hir,
    /// The automata of the processes
    Automata,
    /// All reachable states of a small model, and the steps between them
    States,
    /// The automata of the ltl formulas: never claims that SPIN reads, of what violates them
    Claim,
    /// The factored view: factors with the values they can have, and steps that ask and set them
    #[value(alias = "model")]
    Factored,
    /// What each step waits for, reads and writes, and which variables never change
    Facts,
}

/// What to read.
#[derive(Debug, Args)]
pub(crate) struct Input {
    /// The model; `-` reads standard input. `check` and `count` take process networks (.net), too
    #[arg(value_name = "MODEL")]
    pub(crate) model: PathBuf,
    /// Define a macro for the preprocessor; without a value, as 1
    #[arg(short = 'D', value_name = "NAME[=VALUE]", value_parser = parse_define)]
    pub(crate) defines: Vec<Define>,
    /// Look for included files in this directory too
    #[arg(short = 'I', value_name = "DIR")]
    pub(crate) include: Vec<PathBuf>,
}

/// How to speak.
#[derive(Debug, Args)]
pub(crate) struct Reporting {
    /// Print one JSON object on standard output, and nothing else there
    #[arg(long)]
    pub(crate) json: bool,
    /// When to use colors
    #[arg(long, value_enum, default_value_t, value_name = "WHEN")]
    pub(crate) color: ColorChoice,
    /// Print what was asked for and errors only: no summary, no asides
    #[arg(long, short)]
    pub(crate) quiet: bool,
}

/// A search, if it can be read. It is built when the seed is known.
fn parse_search(text: &str) -> Result<String, String> {
    beeline_checker::parse_search(text, 0).map(|_| text.to_owned())
}

/// An engine by name.
pub(crate) fn parse_engine(text: &str) -> Result<Engine, String> {
    let found = Engine::ALL.into_iter().find(|engine| engine.name() == text);
    found.ok_or_else(|| {
        let names: Vec<_> = Engine::ALL.iter().map(|engine| engine.name()).collect();
        format!("there is no engine `{text}`; there are: {}", names.join(", "))
    })
}

/// A macro from the command line, which may have parameters: `-D 'MAX(a,b)=…'`.
pub(crate) fn parse_define(text: &str) -> Result<Define, String> {
    let head = text.split_once('=').map_or(text, |(head, _)| head);
    let name = match head.split_once('(') {
        Some((name, parameters)) if parameters.ends_with(')') => name,
        _ => head,
    };
    let mut letters = name.chars();
    let starts_well = letters.next().is_some_and(|c| c.is_ascii_alphabetic() || c == '_');
    if starts_well && letters.all(|c| c.is_ascii_alphanumeric() || c == '_') {
        Ok(Define::set(text))
    } else {
        Err(format!("`{name}` is not a name: use letters, digits and `_`, as in -D N=3"))
    }
}

/// Reads the command line. What it cannot read, and `--help`, it answers itself
/// and tells how to end.
pub(crate) fn parse(args: &[OsString]) -> Result<Cli, Exit> {
    let command = Cli::command().color(color_of_messages(args));
    let parsed = command.try_get_matches_from(args).and_then(|matches| {
        let cli = Cli::from_arg_matches(&matches)?;
        check(&cli)?;
        Ok(cli)
    });
    parsed.map_err(|error| {
        // Nothing can be done about a closed terminal here.
        let _ = error.print();
        match error.kind() {
            ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => Exit::Success,
            _ if wants_json(args) => {
                let out = json::line(&json::Failure::new("", &misuse(&error)));
                CommandOutput { out, err: String::new(), exit: Exit::Usage }.give()
            }
            _ => Exit::Usage,
        }
    })
}

/// Whether a program waits for an answer.
fn wants_json(args: &[OsString]) -> bool {
    args.iter().take_while(|arg| *arg != "--").any(|arg| arg == "--json")
}

/// What is wrong with the command line, in a sentence, and what there is to say beside it.
fn misuse(error: &clap::Error) -> ReadError {
    let text = error.render().to_string();
    let text = text.strip_prefix("error: ").unwrap_or(&text);
    let (message, help) = text.split_once("\n\n").unwrap_or((text, ""));
    let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    ReadError { message: words(message), help: words(help) }
}

/// Refuses options that would have no effect.
fn check(cli: &Cli) -> Result<(), clap::Error> {
    let refuse = |text| Err(Cli::command().error(ErrorKind::ArgumentConflict, text));
    match &cli.command {
        Command::Dump(dump) => dump.misuse().map_or(Ok(()), refuse),
        Command::Count(count)
            if count
                .exploring
                .search()
                .is_some_and(|it| !matches!(it.strategy, Strategy::Blind(_))) =>
        {
            refuse("`count` sees every state, so nothing can direct it: use bfs, dfs or random-dfs")
        }
        Command::Check(check) => match formats::collision(check) {
            Some(text) => refuse(text),
            None => Ok(()),
        },
        Command::Replay(replay) if replay.report.json && replay.traces.takes_output() => {
            refuse(formats::ONE_OUTPUT)
        }
        _ => Ok(()),
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

    #[test]
    fn defines_have_names_and_perhaps_values() {
        for good in ["N", "N=", "N=a = b", "_n1=(2)", "MAX(a, b)=(a > b -> a : b)"] {
            assert_eq!(parse_define(good), Ok(Define::set(good)));
        }
        for bad in ["", "=3", "3N", "a b", "F(x", "-1"] {
            assert!(parse_define(bad).is_err(), "{bad}");
        }
    }
}
