//! `beeline check` for networks: the verdict, and the trail as steps in words.

use std::fmt::Write as _;

use beeline_checker::{
    CheckError, NetworkReport, NetworkTrail, NetworkVerdict, Plan, check_network,
};
use beeline_kernel::Stop;
use beeline_network::Network;

use crate::check::of_network;
use crate::exit::Exit;
use crate::load;
use crate::options::Check;
use crate::output::CommandOutput;
use crate::progress::{self, ProgressObserver};
use crate::render::json;

/// Of a longer trail, only the last steps are shown.
const LONG: usize = 200;
/// So many of them.
const TAIL: usize = 50;

/// Answers `check` for a network.
pub(crate) fn check(name: &str, network: &Network, options: &Check) -> CommandOutput {
    if let Some(option) = without_effect(options) {
        let message = format!("{option} is for Promela models, and `{name}` is a process network");
        let help = format!("leave out {option}");
        return load::usage(name, &options.report, message, help);
    }
    let mut observer = ProgressObserver::start(&options.exploring, options.report.quiet);
    let plan = Plan {
        search: options.search(),
        auto: options.auto(),
        ..progress::plan(&options.exploring, options.meaning.semantics())
    };
    let report = check_network(network, &plan, &mut observer);
    observer.finish();
    let report = match report {
        Ok(report) => report,
        Err(CheckError::Heuristic(why)) => {
            let help = "`beeline list network-heuristics` tells what each of them takes";
            return load::usage(name, &options.report, why, help.to_owned());
        }
        Err(CheckError::Reduction(why)) => {
            return load::usage(name, &options.report, why, load::REDUCTIONS.to_owned());
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
    CommandOutput { out, err: String::new(), exit }
}

/// An option that means nothing here, if one is given.
fn without_effect(options: &Check) -> Option<&'static str> {
    let is_chart = !matches!(options.drawing.wanted(true), Ok(None));
    let given = [
        (!options.properties.is_empty(), "--property"),
        (options.fair, "--fair"),
        (options.all, "--all"),
        (options.coverage, "--coverage"),
        (options.nearest.is_some(), "--nearest"),
        (options.trail.is_some(), "--trail"),
        (is_chart, "--chart"),
        (options.expecting.is_asked(), "--expect"),
        (options.reports.sarif.is_some(), "--sarif"),
        (options.reports.junit.is_some(), "--junit"),
        (options.traces.itf.is_some(), "--itf"),
        (options.meaning.lossy, "--lossy"),
        (options.meaning.strict_ends, "--strict-ends"),
        (options.exploring.plain, "--plain"),
        (!options.input.defines.is_empty(), "-D"),
        (!options.input.include.is_empty(), "-I"),
    ];
    given.into_iter().find(|(is_given, _)| *is_given).map(|(_, option)| option)
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

fn push(out: &mut String, args: std::fmt::Arguments<'_>) {
    out.write_fmt(args).expect("writing to a string succeeds");
}
