//! Advice for properties with an unknown verdict: the next attempt, and the nearest state.

use beeline_checker::{NearestMiss, PropertyReport, Store};
use beeline_kernel::Stop;
use beeline_model::{Reason, Verdict};

use crate::base::units;
use crate::render::check::outcome::CheckOutcome;

/// The next attempt for each unknown property, without duplicates.
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

fn advice_for(reason: &Reason, outcome: &CheckOutcome<'_>) -> &'static str {
    let is_small = outcome.store != Store::Auto && outcome.store != Store::Exact;
    match reason {
        Reason::Stopped(Stop::Time) => {
            "try: more time (--time), smaller parameters (-D), or one property alone (--property)"
        }
        Reason::Stopped(Stop::Memory) if is_small => {
            "try: more memory (--memory), or smaller parameters (-D)"
        }
        Reason::Stopped(Stop::Memory) => {
            "try: more memory (--memory), a smaller store (--store compact), bit-state hashing \
             (--store bitstate), or smaller parameters (-D)"
        }
        Reason::Stopped(Stop::Depth) => "try: a greater --depth, or none",
        Reason::Overlooked(_) | Reason::Stopped(Stop::LossyStore)
            if outcome.store == Store::Auto =>
        {
            "try: more memory (--memory), several runs (--store 'bitstate(runs=...)'), or smaller \
             parameters (-D)"
        }
        Reason::Overlooked(_) | Reason::Stopped(Stop::LossyStore)
            if matches!(outcome.store, Store::HashCompact { .. }) =>
        {
            "try: a lossless store (--store compact)"
        }
        Reason::Overlooked(_) | Reason::Stopped(Stop::LossyStore) => {
            "try: a lossless store (--store compact), a larger array (bytes=...) or \
             several runs (runs=...)"
        }
        Reason::Stopped(Stop::IncompleteMethod) => {
            "try: a complete search, such as auto, bfs or astar"
        }
        _ => "",
    }
}

fn miss(checked: &PropertyReport, nearest: &NearestMiss, outcome: &CheckOutcome<'_>) -> String {
    let NearestMiss { estimate, heuristic, steps, .. } = nearest;
    let name = &checked.property.name;
    let steps = units::steps(*steps);
    let what = format!(
        "{name}: the least estimate of {heuristic} was {estimate}, of a state after {steps}"
    );
    match &outcome.nearest {
        None => format!("{what}; --nearest FILE writes the trail to it"),
        Some(file) => format!("{what}; see {}", file.display()),
    }
}
