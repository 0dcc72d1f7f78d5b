//! `beeline count`: the number of reachable states.

use std::fmt::Write as _;

use beeline_checker::CountReport;
use beeline_kernel::Stop;
use serde::Serialize;

use crate::args::count::Count;
use crate::base::exit::Exit;
use crate::base::failure::Failure;
use crate::base::json::{self, Header};
use crate::base::numbers::{count as number, elapsed, rate, size};
use crate::base::output::CommandOutput;
use crate::commands::load::{self, LoadRequest};
use crate::commands::symbolic_count;
use crate::run::{ProgressObserver, WatchdogLimits, with_watchdog};

/// The object that `count --json` prints. The keys are a contract.
#[derive(Serialize)]
struct CountObject<'a> {
    #[serde(flatten)]
    header: Header<'a>,
    complete: bool,
    /// Why the count is not complete or not reduced, or why there are no states.
    reason: Option<String>,
    search: String,
    engine: &'static str,
    store: &'static str,
    stored: u64,
    matched: u64,
    transitions: u64,
    depth: u64,
    errors: u64,
    reduced: u64,
    cut: u64,
    passed: u64,
    covered: u64,
    skipped: u64,
    atomic_steps: u64,
    state_bytes: u64,
    store_bytes: u64,
    table_bytes: u64,
    peak_bytes: u64,
    seconds: f64,
}

/// Executes `count`.
pub(crate) fn count(options: &Count) -> Result<CommandOutput, CommandOutput> {
    let given: &[_] = if options.exploring.plain { &["--plain"] } else { &[] };
    let semantics = options.meaning.semantics();
    let request = LoadRequest::new(&options.input, &options.report);
    let instances = &options.exploring.instances;
    let request = LoadRequest { semantics, instances, given, ..request };
    let (loaded, warnings) = load::read(&request)?;
    if options.symbolic {
        return symbolic_count::count(options, &loaded, warnings);
    }
    let model = &*loaded.model;
    let mut observer = ProgressObserver::start(&options.exploring, options.report.quiet);
    let plan = options.exploring.plan();
    let latest = observer.latest();
    let give_up = |stop: Stop, seconds: f64| {
        let report = CountReport::interrupted(&plan, stop, latest.stats());
        answer(model, options, &report, seconds, warnings.clone())
    };
    let exploring = &options.exploring;
    let limits = WatchdogLimits::of_search(exploring.time, exploring.memory_limit());
    let report = with_watchdog(limits, give_up, || {
        beeline_checker::count(loaded.as_model(), &plan, &mut observer)
    });
    observer.finish();
    let report = report.map_err(|error| {
        let failure = Failure::new(error.to_string(), load::REDUCTIONS);
        load::fail(model, &options.report, failure)
    })?;
    Ok(answer(model, options, &report, observer.seconds(), warnings))
}

fn answer(
    model: &str,
    options: &Count,
    report: &CountReport,
    seconds: f64,
    err: String,
) -> CommandOutput {
    let exit = if report.stopped.is_none() { Exit::Success } else { Exit::Unknown };
    let counted = counted(model, options, report, seconds);
    let out = match options.report.json {
        true => json::line(&counted),
        false => text(&counted, options.exploring.stats),
    };
    CommandOutput { out, err, exit }
}

fn counted<'a>(
    model: &'a str,
    options: &Count,
    report: &CountReport,
    seconds: f64,
) -> CountObject<'a> {
    let stats = &report.stats;
    let overlooked = report
        .omissions
        .map(|omissions| format!("{}: {omissions}; the counts are lower bounds", Stop::LossyStore));
    let stopped = overlooked.or(report.stopped.map(|stop| stop.to_string()));
    let initial_fault = report.initial_fault;
    let reason = stopped
        .or(initial_fault.map(|kind| format!("the model fails before its first step: {kind}")));
    let reason = reason.or_else(|| report.remark.clone());
    CountObject {
        header: Header::new(model),
        complete: report.stopped.is_none(),
        reason,
        // Stores that evict states are searched depth-first.
        search: match report.store.forgets() {
            true => "dfs".to_owned(),
            false => options.exploring.search().unwrap_or_default().name,
        },
        engine: report.engine.name(),
        store: report.store.name(),
        stored: stats.stored,
        matched: stats.matched,
        transitions: stats.transitions(),
        depth: stats.depth,
        errors: stats.errors,
        reduced: stats.reduced,
        cut: stats.cut,
        passed: stats.passed,
        covered: stats.covered,
        skipped: stats.skipped,
        atomic_steps: stats.atomic_steps,
        state_bytes: stats.state_bytes,
        store_bytes: stats.store_bytes,
        table_bytes: stats.table_bytes,
        peak_bytes: report.peak_bytes,
        seconds,
    }
}

/// The counts, a line each; with `wants_stats`, those of the search, too.
fn text(counted: &CountObject<'_>, wants_stats: bool) -> String {
    let mut out = String::new();
    let complete = match (&counted.reason, counted.complete) {
        (Some(reason), false) => format!("no: {reason}"),
        (Some(reason), true) => format!("yes: {reason}"),
        (None, _) => "yes".to_owned(),
    };
    let rows = [
        ("complete", complete),
        ("states stored", number(counted.stored)),
        ("states matched", number(counted.matched)),
        ("transitions", number(counted.transitions)),
        ("atomic steps", number(counted.atomic_steps)),
        ("depth", number(counted.depth)),
        ("errors", number(counted.errors)),
        ("states reduced", number(counted.reduced)),
        ("transitions pruned", number(counted.cut)),
        ("states passed", number(counted.passed)),
        ("bytes per state", number(counted.state_bytes)),
        ("bytes of the store", number(counted.store_bytes)),
        ("time", elapsed(counted.seconds)),
    ];
    let more = [
        ("search", counted.search.clone()),
        ("engine", counted.engine.to_owned()),
        ("store", counted.store.to_owned()),
        ("states per second", rate(counted.stored, counted.seconds)),
        ("peak memory", size(counted.peak_bytes)),
    ];
    let more = more.into_iter().filter(|_| wants_stats);
    // Counters of a reduction are shown only where it had an effect.
    let rows = rows.into_iter().chain(more).filter(|(name, _)| match *name {
        "states reduced" | "transitions pruned" => counted.reduced > 0,
        "states passed" => counted.passed > 0,
        _ => true,
    });
    for (name, value) in rows {
        writeln!(out, "{name:<20}{value}").expect("writing to a string succeeds");
    }
    out
}
