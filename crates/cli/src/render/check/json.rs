//! The object that `check --json` prints. The keys are a contract.

use beeline_checker::{PropertyReport, Stats, kind_of};
use beeline_model::{
    Coverage, ErrorKind, ProcessCoverage, PropertyKind, UnreachedStatement, Verdict,
};
use serde::Serialize;

use crate::base::exit::Exit;
use crate::base::json::{Header, line};
use crate::model::location::location;
use crate::render::check::judged::Judged;
use crate::render::check::outcome::{CheckOutcome, ShownViolation};
use crate::render::check::witness::WitnessObject;
use crate::render::story::CauseObject;

#[derive(Serialize)]
pub(crate) struct Object<'a> {
    #[serde(flatten)]
    header: Header<'a>,
    verdict: &'static str,
    /// Whether all verdicts are as expected, if any were expected.
    as_expected: Option<bool>,
    properties: Vec<PropertyObject<'a>>,
    stats: StatsObject,
    /// With `--coverage`.
    #[serde(skip_serializing_if = "Option::is_none")]
    coverage: Option<Vec<CoveredObject>>,
}

#[derive(Serialize)]
struct PropertyObject<'a> {
    name: String,
    kind: &'static str,
    /// The number of the query, from 1, if the property is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    query: Option<usize>,
    /// Its text.
    #[serde(skip_serializing_if = "Option::is_none")]
    formula: Option<String>,
    verdict: &'static str,
    reason: String,
    /// The expected verdict, if any.
    expected: Option<&'static str>,
    as_expected: Option<bool>,
    /// The heuristic of the search.
    heuristic: Option<String>,
    /// The search that found the violation, if several ran.
    found_by: Option<String>,
    /// Remarks, such as that the property holds vacuously.
    remarks: Vec<String>,
    /// The nearest miss of a directed search, if the verdict is unknown.
    nearest: Option<NearestObject>,
    trail: Option<TrailObject<'a>>,
    /// Runs that show why a formula of branching time holds, or its violation as a tree.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    witness: Vec<WitnessObject>,
    /// The effort of a search on sets of states.
    #[serde(skip_serializing_if = "Option::is_none")]
    sets: Option<SetsObject<'a>>,
    /// Further violations, with `--all`.
    others: Vec<TrailObject<'a>>,
}

#[derive(Serialize)]
struct SetsObject<'a> {
    expanded: usize,
    /// A decimal number: there may be more states than an integer has.
    states: &'a str,
    largest_nodes: usize,
}

#[derive(Serialize)]
struct NearestObject {
    steps: u64,
    estimate: u32,
    heuristic: String,
}

/// The coverage of a process type.
#[derive(Serialize)]
struct CoveredObject {
    process: String,
    statements: usize,
    unreached: Vec<UnreachedObject>,
}

#[derive(Serialize)]
struct UnreachedObject {
    file: String,
    line: u32,
    statement: String,
}

#[derive(Serialize)]
struct TrailObject<'a> {
    file: Option<String>,
    /// The trail itself, if it could not be written.
    text: Option<String>,
    steps: u64,
    /// A rendezvous is one step, but two lines of a trail file.
    lines: usize,
    shortest: bool,
    lower_bound: u64,
    cycle_start: Option<u64>,
    error: String,
    detail: Option<String>,
    causes: Vec<CauseObject<'a>>,
    replayed: bool,
}

#[derive(Serialize)]
struct StatsObject {
    search: String,
    engine: &'static str,
    store: &'static str,
    stored: u64,
    matched: u64,
    transitions: u64,
    expanded: u64,
    generated: u64,
    evaluated: u64,
    reopened: u64,
    reduced: u64,
    cut: u64,
    passed: u64,
    covered: u64,
    skipped: u64,
    depth: u64,
    errors: u64,
    atomic_steps: u64,
    state_bytes: u64,
    store_bytes: u64,
    table_bytes: u64,
    peak_bytes: u64,
    seconds: f64,
    h_initial: Option<u32>,
    h_min: Option<u32>,
    h_max: Option<u32>,
}

/// The object as one line.
pub(crate) fn json(outcome: &CheckOutcome<'_>) -> String {
    line(&object(outcome))
}

fn object<'a>(outcome: &'a CheckOutcome<'_>) -> Object<'a> {
    let properties = outcome.report.properties.iter().zip(&outcome.shown).enumerate();
    let judged = |at: usize| outcome.judged.as_ref().map(|all| &all[at]);
    Object {
        header: Header::new(&outcome.loaded.model),
        verdict: match outcome.exit() {
            Exit::Violated => "violated",
            Exit::Unknown => "unknown",
            _ => "holds",
        },
        as_expected: outcome.judged.as_ref().map(|all| all.iter().all(Judged::is_met)),
        properties: properties
            .map(|(at, (checked, shown))| PropertyObject {
                query: outcome.loaded.as_model().query_number(&checked.property),
                ..property(checked, shown, judged(at))
            })
            .collect(),
        stats: stats(outcome),
        coverage: outcome.coverage.map(|coverage| covered(coverage, outcome)),
    }
}

fn covered(coverage: &Coverage, outcome: &CheckOutcome<'_>) -> Vec<CoveredObject> {
    let unreached = |one: &UnreachedStatement| {
        let place = location(outcome.loaded.sources(), one.span);
        let (file, statement) = (place.file.to_string(), one.statement.clone());
        UnreachedObject { file, line: place.line, statement }
    };
    let processes = coverage.processes.iter();
    let object = |process: &ProcessCoverage| CoveredObject {
        process: process.process.clone(),
        statements: process.statements,
        unreached: process.unreached.iter().map(unreached).collect(),
    };
    processes.map(object).collect()
}

fn property<'a>(
    checked: &'a PropertyReport,
    shown: &'a [ShownViolation<'_>],
    judged: Option<&Judged>,
) -> PropertyObject<'a> {
    let mut trails = shown.iter().map(trail);
    let reason = match &checked.verdict {
        Verdict::Holds => holds(checked.property.kind).to_owned(),
        Verdict::Violated(violations) => violations[0].error.to_string(),
        Verdict::Unknown(reason) => reason.to_string(),
    };
    let not_told = shown.iter().find_map(|one| one.not_told);
    let not_told = not_told.map(|stop| format!("the steps of the trail are not shown: {stop}"));
    PropertyObject {
        name: checked.property.name.clone(),
        kind: checked.property.kind.name(),
        query: None,
        formula: checked.property.formula.clone().filter(|_| is_query(checked)),
        verdict: kind_of(&checked.verdict).name(),
        reason,
        expected: judged.map(|judged| judged.expected().name()),
        as_expected: judged.map(Judged::is_met),
        heuristic: checked.heuristic.clone(),
        found_by: checked.by.clone(),
        remarks: checked.remarks.iter().cloned().chain(not_told).collect(),
        nearest: checked.nearest.as_ref().map(|nearest| NearestObject {
            steps: nearest.steps,
            estimate: nearest.estimate,
            heuristic: nearest.heuristic.clone(),
        }),
        trail: trails.next().or_else(|| reaching(checked)),
        witness: WitnessObject::all(&checked.witness),
        sets: checked.sets.as_ref().map(|effort| SetsObject {
            expanded: effort.sets,
            states: &effort.states,
            largest_nodes: effort.largest,
        }),
        others: trails.collect(),
    }
}

/// Why a property of a kind holds.
fn holds(kind: PropertyKind) -> &'static str {
    match kind {
        PropertyKind::Reachability => "a reachable state satisfies it",
        PropertyKind::PotentiallyAlways => "a run satisfies it",
        PropertyKind::Query => "no run violates it",
        _ => "no reachable state violates it",
    }
}

/// Whether a property is a query of a model.
fn is_query(checked: &PropertyReport) -> bool {
    let kind = checked.property.kind;
    kind.asks_for_witness()
        || kind == PropertyKind::Query
        || kind == PropertyKind::Invariant && checked.property.formula.is_some()
}

/// The run that leads to a state that a query asks for.
fn reaching<'a>(checked: &PropertyReport) -> Option<TrailObject<'a>> {
    let run = checked.witness.first()?;
    if !checked.property.kind.asks_for_witness() {
        return None;
    }
    Some(TrailObject {
        file: None,
        text: Some(run.trail.text()),
        steps: run.steps,
        lines: run.trail.lines.len(),
        shortest: false,
        lower_bound: 0,
        cycle_start: run.cycle.map(|cycle| run.steps - cycle),
        error: match run.cycle {
            Some(_) => ErrorKind::RunFound.to_string(),
            None => ErrorKind::Reached.to_string(),
        },
        detail: checked.property.formula.clone(),
        causes: Vec::new(),
        // Only replayed trails are reported.
        replayed: true,
    })
}

fn trail<'a>(shown: &'a ShownViolation<'_>) -> TrailObject<'a> {
    let violation = shown.violation;
    TrailObject {
        file: shown.file.as_ref().map(|file| file.to_string_lossy().into_owned()),
        text: shown.is_lost.then(|| violation.trail.text()),
        steps: violation.length.steps,
        lines: violation.trail.lines.len(),
        shortest: violation.is_shortest(),
        lower_bound: violation.length.lower_bound,
        cycle_start: violation.cycle.map(|cycle| violation.length.steps - cycle),
        error: violation.error.to_string(),
        detail: shown.story.end.detail.clone(),
        causes: CauseObject::all(&shown.story.end),
        // Only replayed trails are reported.
        replayed: true,
    }
}

fn stats(outcome: &CheckOutcome<'_>) -> StatsObject {
    let report = outcome.report;
    StatsObject {
        engine: report.engine.name(),
        store: report.store.name(),
        peak_bytes: report.peak_bytes,
        seconds: outcome.seconds,
        ..StatsObject::new(outcome.search.clone(), &report.stats)
    }
}

impl StatsObject {
    /// The counters of a search; the rest is empty.
    fn new(search: String, stats: &Stats) -> StatsObject {
        StatsObject {
            search,
            engine: "",
            store: "",
            stored: stats.stored,
            matched: stats.matched,
            transitions: stats.transitions(),
            expanded: stats.expanded,
            generated: stats.generated,
            evaluated: stats.evaluated,
            reopened: stats.reopened,
            reduced: stats.reduced,
            cut: stats.cut,
            passed: stats.passed,
            covered: stats.covered,
            skipped: stats.skipped,
            depth: stats.depth,
            errors: stats.errors,
            atomic_steps: stats.atomic_steps,
            state_bytes: stats.state_bytes,
            store_bytes: stats.store_bytes,
            table_bytes: stats.table_bytes,
            peak_bytes: 0,
            seconds: 0.0,
            h_initial: stats.h_initial,
            h_min: stats.h_min,
            h_max: stats.h_max,
        }
    }
}
