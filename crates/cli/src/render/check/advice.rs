//! Advice for properties whose verdict is unknown: what to try next, and the nearest miss.

use beeline_checker::{NearestMiss, PropertyReport, Store, Verdict};
use beeline_kernel::Stop;

use crate::base::units;
use crate::render::check::outcome::CheckOutcome;

/// What to try next, for everything that is unknown: each advice once.
pub(crate) fn advice(outcome: &CheckOutcome<'_>) -> String {
    let mut lines: Vec<String> = Vec::new();
    for checked in &outcome.report.properties {
        let Verdict::Unknown(reason) = &checked.verdict else { continue };
        let line = advice_for(reason, outcome).to_owned();
        if !line.is_empty() && !lines.contains(&line) {
            lines.push(line);
        }
        lines.extend(checked.nearest.as_ref().map(|nearest| miss(checked, nearest, outcome)));
    }
    if lines.is_empty() { String::new() } else { format!("\n{}\n", lines.join("\n")) }
}

fn advice_for(reason: &str, outcome: &CheckOutcome<'_>) -> &'static str {
    let is = |stop: Stop| stop.to_string() == reason;
    let store = outcome.store;
    if is(Stop::Time) {
        "try: more time (--time), smaller parameters (-D), or one property alone (--property)"
    } else if is(Stop::Memory) && store != Store::Auto && store != Store::Exact {
        "try: more memory (--memory), or smaller parameters (-D)"
    } else if is(Stop::Memory) {
        "try: more memory (--memory), smaller states (--store compact), bits of them (--store \
         bitstate), or smaller parameters (-D)"
    } else if is(Stop::Depth) {
        "try: a greater --depth, or none"
    } else if reason.starts_with(&Stop::LossyStore.to_string()) && store == Store::Auto {
        "try: more memory (--memory), several runs (--store 'bitstate(runs=...)'), or smaller \
         parameters (-D)"
    } else if reason.starts_with(&Stop::LossyStore.to_string()) {
        "try: a store that overlooks nothing (--store compact), a larger array (bytes=...) or \
         several runs (runs=...)"
    } else if is(Stop::IncompleteMethod) {
        "try: a search that is complete, as auto, bfs or astar"
    } else {
        ""
    }
}

fn miss(checked: &PropertyReport, nearest: &NearestMiss, outcome: &CheckOutcome<'_>) -> String {
    let NearestMiss { estimate, heuristic, steps, .. } = nearest;
    let name = &checked.property.name;
    let steps = units::steps(*steps);
    let what = format!("{name}: nearest miss after {steps}, where {heuristic} says {estimate}");
    match &outcome.nearest {
        None => format!("{what}; --nearest FILE writes the trail there"),
        Some(file) => format!("{what}; see {}", file.display()),
    }
}
