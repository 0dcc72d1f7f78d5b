//! `beeline check` for networks: the verdict, and the trail as steps in words.

use beeline_checker::{
    CheckError, NetworkReport, NetworkTrail, NetworkVerdict, Plan, check_network,
};
use beeline_kernel::Stop;

use crate::args::check::Check;
use crate::args::formats::FormatFile;
use crate::base::exit::Exit;
use crate::base::failure::Failure;
use crate::base::json;
use crate::base::output::CommandOutput;
use crate::base::text::push;
use crate::commands::load;
use crate::commands::network::file::parse;
use crate::model::file::ModelFile;
use crate::render::check::of_network;
use crate::run::ProgressObserver;

/// Of a longer trail, only the last steps are shown.
const LONG: usize = 200;
/// How many steps are shown then.
const TAIL: usize = 50;

/// Answers `check` for a network.
pub(crate) fn check(file: &ModelFile, options: &Check) -> Result<CommandOutput, CommandOutput> {
    let (name, network) = (&file.name, parse(file, &options.report)?);
    let fail = |failure: Failure| load::fail(name, &options.report, failure);
    if let Some(option) = without_effect(options) {
        let message = format!("{option} is for Promela models, and `{name}` is a process network");
        let help = format!("leave out {option}");
        return Err(fail(Failure { message, help }));
    }
    let mut observer = ProgressObserver::start(&options.exploring, options.report.quiet);
    let plan = Plan {
        search: options.search(),
        auto: options.auto(),
        ..options.exploring.plan(options.meaning.semantics())
    };
    let report = check_network(&network, &plan, &mut observer);
    observer.finish();
    let report = match report {
        Ok(report) => report,
        Err(CheckError::Heuristic(why)) => {
            let help = "`beeline list network-heuristics` tells what each of them takes";
            return Err(fail(Failure::new(why, help)));
        }
        Err(CheckError::Reduction(why)) => {
            return Err(fail(Failure::new(why, load::REDUCTIONS)));
        }
        // A finding that cannot be confirmed is a bug of ours, and reported as one.
        Err(error @ (CheckError::Unconfirmed { .. } | CheckError::Claim(_))) => panic!("{error}"),
    };
    let seconds = observer.seconds();
    let out = if options.report.json {
        json::line(&of_network(name, &report, options.search().name, seconds))
    } else {
        text(&report, seconds, options)
    };
    let exit = match report.verdict {
        NetworkVerdict::Holds => Exit::Success,
        NetworkVerdict::Violated(_) => Exit::Violated,
        NetworkVerdict::Unknown(_) => Exit::Unknown,
    };
    Ok(CommandOutput { out, err: String::new(), exit })
}

/// An option without an effect on networks, if one is given.
fn without_effect(options: &Check) -> Option<String> {
    let is_chart = !matches!(options.drawing.request(true), Ok(None));
    let own = [
        (!options.properties.is_empty(), "--property"),
        (options.fair, "--fair"),
        (options.all, "--all"),
        (options.coverage, "--coverage"),
        (options.nearest.is_some(), "--nearest"),
        (options.trail.is_some(), "--trail"),
        (is_chart, "--chart"),
        (options.expecting.is_asked(), "--expect"),
    ];
    let others = [
        (options.meaning.lossy, "--lossy"),
        (options.meaning.strict_ends, "--strict-ends"),
        (options.exploring.plain, "--plain"),
        (!options.input.defines.is_empty(), "-D"),
        (!options.input.include.is_empty(), "-I"),
    ];
    let given = |(is_given, option): (bool, &str)| is_given.then(|| option.to_owned());
    let format = |file: &FormatFile| format!("--{}", file.row.name);
    let mut formats = options.reports.iter().chain(options.traces.iter()).map(format);
    own.into_iter().find_map(given).or(formats.next()).or(others.into_iter().find_map(given))
}

fn text(report: &NetworkReport, seconds: f64, options: &Check) -> String {
    let verdict = match &report.verdict {
        NetworkVerdict::Holds => "holds".to_owned(),
        NetworkVerdict::Violated(trail) => format!("violated  {}", length(trail)),
        NetworkVerdict::Unknown(reason) => format!("unknown   {reason}"),
    };
    let remarks: String = report.remarks.iter().map(|one| format!("; {one}")).collect();
    let mut out = format!("error  {verdict}{remarks}\n");
    if options.report.quiet {
        return out;
    }
    let stored = report.stats.stored;
    let plural = if stored == 1 { "" } else { "s" };
    push(&mut out, format_args!("\n{stored} state{plural} in {seconds:.2} s\n"));
    match &report.verdict {
        NetworkVerdict::Violated(trail) => out += &steps(trail),
        NetworkVerdict::Unknown(reason) => out += advice(reason),
        NetworkVerdict::Holds => {}
    }
    out
}

fn length(trail: &NetworkTrail) -> String {
    let NetworkTrail { steps, lower_bound, .. } = trail;
    let plural = if *steps == 1 { "" } else { "s" };
    let bound = if trail.is_shortest() {
        "there is no shorter trail".to_owned()
    } else if *lower_bound <= 1 {
        "there may be a shorter trail".to_owned()
    } else {
        format!("no trail has fewer than {lower_bound}")
    };
    format!("error reached after {steps} step{plural} ({bound})")
}

fn steps(trail: &NetworkTrail) -> String {
    let mut out = "\nerror: all processes are in error states\n".to_owned();
    let from = if trail.lines.len() > LONG { trail.lines.len() - TAIL } else { 0 };
    if from > 0 {
        push(&mut out, format_args!("… the first {from} steps: see --json\n"));
    }
    let width = trail.lines.len().to_string().len();
    for (at, line) in trail.lines.iter().enumerate().skip(from) {
        push(&mut out, format_args!("{:>width$}  {line}\n", at + 1));
    }
    out
}

/// What to try next.
fn advice(reason: &str) -> &'static str {
    let is = |stop: Stop| stop.to_string() == reason;
    if is(Stop::Time) {
        "\ntry: more time (--time), or a larger abstraction (--search 'gbfs(dpa(n=500))')\n"
    } else if is(Stop::Memory) {
        "\ntry: more memory (--memory), smaller states (--store compact), bits of them (--store \
         bitstate), or a larger abstraction (--search 'gbfs(dpa(n=500))')\n"
    } else if is(Stop::Depth) {
        "\ntry: a greater --depth, or none\n"
    } else if is(Stop::IncompleteMethod) {
        "\ntry: a search that is complete, as auto, bfs or astar\n"
    } else {
        ""
    }
}
