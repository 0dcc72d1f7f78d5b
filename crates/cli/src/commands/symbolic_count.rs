//! `beeline count --symbolic`: the number of reachable states by sets of states.

use std::fmt::Write as _;

use beeline_checker::{CountStop, SymbolicCount, SymbolicOptions};
use beeline_kernel::Stop;
use serde::Serialize;

use crate::args::count::Count;
use crate::base::exit::Exit;
use crate::base::failure::Failure;
use crate::base::json::{self, Header};
use crate::base::numbers::{count as number, elapsed, separated};
use crate::base::output::CommandOutput;
use crate::commands::load;
use crate::model::loaded::LoadedModel;
use crate::run::{ProgressObserver, WatchdogLimits, with_watchdog};

/// The object that `count --symbolic --json` prints. The keys are a contract.
#[derive(Serialize)]
struct SymbolicCountObject<'a> {
    #[serde(flatten)]
    header: Header<'a>,
    complete: bool,
    /// Why the number is not that of the model.
    reason: Option<String>,
    /// A decimal number of any length; null if the count was stopped.
    states: Option<String>,
    precision: PrecisionObject,
    nodes: usize,
    peak_nodes: usize,
    iterations: usize,
    seconds: f64,
}

/// `"exact"`, or the reasons why the view is not.
#[derive(Serialize)]
#[serde(untagged)]
enum PrecisionObject {
    Exact(&'static str),
    Inexact(Vec<String>),
}

/// Executes `count --symbolic`.
pub(crate) fn count(
    options: &Count,
    loaded: &LoadedModel,
    warnings: String,
) -> Result<CommandOutput, CommandOutput> {
    let model = &*loaded.model;
    let mut observer = ProgressObserver::start(&options.exploring, options.report.quiet);
    let plan = options.exploring.plan();
    let give_up = |stop: Stop, seconds: f64| {
        answer(model, options, &SymbolicCount::interrupted(stop), seconds, warnings.clone())
    };
    let exploring = &options.exploring;
    let limits = WatchdogLimits::of_search(exploring.time, exploring.memory_limit());
    let symbolic = SymbolicOptions { strategy: options.strategy, nodes: options.nodes };
    let report = with_watchdog(limits, give_up, || {
        beeline_checker::count_symbolically(loaded.as_model(), &plan, symbolic, &mut observer)
    });
    observer.finish();
    let report = report.map_err(|error| {
        let failure = Failure::new(error.to_string(), HINT);
        load::fail(model, &options.report, failure)
    })?;
    Ok(answer(model, options, &report, observer.seconds(), warnings))
}

const HINT: &str = "`beeline count` without `--symbolic` counts one state after the other";

fn answer(
    model: &str,
    options: &Count,
    report: &SymbolicCount,
    seconds: f64,
    err: String,
) -> CommandOutput {
    let exit = if report.is_complete() { Exit::Success } else { Exit::Unknown };
    let counted = counted(model, report, seconds);
    let out = match options.report.json {
        true => json::line(&counted),
        false => text(&counted),
    };
    CommandOutput { out, err, exit }
}

fn counted<'a>(model: &'a str, report: &SymbolicCount, seconds: f64) -> SymbolicCountObject<'a> {
    let stopped = report.stopped.as_ref().map(|stop| match stop {
        CountStop::Stopped(stop) => stop.to_string(),
        CountStop::Nodes => "node limit reached".to_owned(),
        CountStop::Outcomes(step) => format!("`{step}` has too many outcomes"),
    });
    let inexact = || {
        let reasons = report.imprecisions.join(", ");
        match (&report.excess, reasons.is_empty()) {
            (None, true) => None,
            (None, false) => Some(format!("the symbolic view is not exact: {reasons}")),
            (Some(excess), true) => Some(format!("the symbolic view is not exact: {excess}")),
            (Some(excess), false) => {
                Some(format!("the symbolic view is not exact: {reasons}, {excess}"))
            }
        }
    };
    let fails = || {
        let fault = report.initial_fault?;
        Some(format!("the model fails before its first step: {fault}"))
    };
    SymbolicCountObject {
        header: Header::new(model),
        complete: report.is_complete(),
        reason: stopped.or_else(inexact).or_else(fails),
        states: report.states.as_ref().map(ToString::to_string),
        precision: if report.is_exact() {
            PrecisionObject::Exact("exact")
        } else {
            let reasons = report.imprecisions.iter().map(|&reason| reason.to_owned());
            PrecisionObject::Inexact(reasons.chain(report.excess.clone()).collect())
        },
        nodes: report.statistics.nodes,
        peak_nodes: report.statistics.peak_nodes,
        iterations: report.statistics.iterations,
        seconds,
    }
}

/// The counts, a line each.
fn text(counted: &SymbolicCountObject<'_>) -> String {
    let complete = match (&counted.reason, counted.complete) {
        (Some(reason), false) => format!("no: {reason}"),
        (Some(reason), true) => format!("yes: {reason}"),
        (None, _) => "yes".to_owned(),
    };
    let states = counted.states.as_deref().map_or_else(|| "unknown".to_owned(), separated);
    let rows = [
        ("complete", complete),
        ("states", states),
        ("nodes", number(counted.nodes as u64)),
        ("peak nodes", number(counted.peak_nodes as u64)),
        ("iterations", number(counted.iterations as u64)),
        ("time", elapsed(counted.seconds)),
    ];
    let mut out = String::new();
    for (name, value) in rows {
        writeln!(out, "{name:<20}{value}").expect("writing to a string succeeds");
    }
    out
}
