//! The report for programs.

use beeline_checker::hsf::CountingConvention;
use beeline_model::Verdict;
use serde::Serialize;

use crate::base::json::Header;
use crate::commands::hsf::outcome::HsfRun;

/// The object that `hsf --json` prints. The keys are a contract.
#[derive(Serialize)]
pub(crate) struct Object<'a> {
    #[serde(flatten)]
    header: Header<'a>,
    verdict: &'static str,
    /// The error, or why the verdict is unknown.
    reason: Option<String>,
    error: &'static str,
    search: &'static str,
    weight: Option<&'a str>,
    heuristic: String,
    counting: &'static str,
    stored: u64,
    matched: u64,
    transitions: u64,
    atomic_steps: u64,
    expanded: u64,
    reopened: u64,
    depth: u64,
    h_initial: Option<u32>,
    h_min: Option<u32>,
    h_max: Option<u32>,
    state_bytes: u64,
    peak_bytes: u64,
    seconds: f64,
    trail: Option<Trail>,
}

#[derive(Serialize)]
struct Trail {
    file: Option<String>,
    steps: u64,
    shortest: bool,
    /// The trail itself, when it is in no file.
    text: Option<String>,
}

pub(crate) fn object<'a>(outcome: &'a HsfRun<'a>) -> Object<'a> {
    let HsfRun { loaded, options, choice, report, .. } = outcome;
    let stats = &report.stats;
    let (verdict, reason, trail) = match &report.verdict {
        Verdict::Violated(violations) => {
            let found = &violations[0];
            let file = outcome.file.as_ref().map(|file| file.display().to_string());
            let text = file.is_none().then(|| found.trail.text());
            let trail =
                Trail { file, steps: found.length.steps, shortest: found.is_shortest(), text };
            ("violated", Some(found.error.to_string()), Some(trail))
        }
        Verdict::Holds => ("holds", None, None),
        Verdict::Unknown(reason) => ("unknown", Some(reason.to_string()), None),
    };
    Object {
        header: Header::new(&loaded.model),
        verdict,
        reason,
        error: choice.error.name,
        search: choice.algorithm.name,
        weight: options.weight.as_ref().map(|(_, text)| &**text),
        heuristic: choice.heuristic.to_string(),
        counting: CountingConvention::name(options.counting),
        stored: stats.stored,
        matched: stats.matched,
        transitions: stats.transitions(),
        atomic_steps: stats.atomic_steps,
        expanded: stats.expanded,
        reopened: stats.reopened,
        depth: stats.depth,
        h_initial: stats.h_initial,
        h_min: stats.h_min,
        h_max: stats.h_max,
        state_bytes: stats.state_bytes,
        peak_bytes: report.peak_bytes,
        seconds: outcome.seconds,
        trail,
    }
}
