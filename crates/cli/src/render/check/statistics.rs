//! The statistics of a check for people: `--stats`.

use beeline_checker::SetEffort;

use crate::base::numbers::{count, rate, separated, size};
use crate::base::text::push;
use crate::render::check::outcome::CheckOutcome;

/// The width of the names.
const WIDTH: usize = 14;

/// The counters of the search, a line each.
pub(crate) fn statistics(outcome: &CheckOutcome<'_>) -> String {
    let report = outcome.report;
    let stats = &report.stats;
    let mut rows = vec![
        ("search", outcome.search.clone()),
        ("engine", report.engine.name().to_owned()),
        ("states", format!("{} stored, {} matched", count(stats.stored), count(stats.matched))),
        ("expanded", count(stats.expanded)),
        ("transitions", count(stats.transitions())),
        ("atomic steps", count(stats.atomic_steps)),
        ("depth", count(stats.depth)),
        ("rate", format!("{} states per second", rate(stats.stored, outcome.seconds))),
        ("peak memory", size(report.peak_bytes)),
        ("store", format!("{}, {} bytes per state", report.store.name(), count(stats.state_bytes))),
        ("reduction", reduction(outcome)),
    ];
    if let (Some(initial), Some(least)) = (stats.h_initial, stats.h_min) {
        let evaluated = count(stats.evaluated);
        rows.push((
            "estimates",
            format!("{evaluated}; of the initial state {initial}, the least {least}"),
        ));
    }
    let mut out = "\nstatistics\n".to_owned();
    for (name, value) in rows {
        push(&mut out, format_args!("  {name:<WIDTH$}{value}\n"));
    }
    for checked in report.properties.iter().filter(|one| !one.verdict.violations().is_empty()) {
        let by = checked.by.as_ref().unwrap_or(&outcome.search);
        let guide = checked.heuristic.as_ref().map(|name| format!(", heuristic {name}"));
        let guide = guide.unwrap_or_default();
        push(&mut out, format_args!("  {}: found by {by}{guide}\n", checked.property.name));
    }
    for checked in &report.properties {
        let Some(SetEffort { sets, states, largest }) = &checked.sets else { continue };
        let (sets, states) = (count(*sets as u64), separated(states));
        let largest = count(*largest as u64);
        push(
            &mut out,
            format_args!(
                "  {}: {sets} sets with {states} states expanded, the largest with {largest} nodes\n",
                checked.property.name
            ),
        );
    }
    out
}

fn reduction(outcome: &CheckOutcome<'_>) -> String {
    let stats = &outcome.report.stats;
    let parts = [
        (stats.reduced, "states with omitted steps"),
        (stats.cut, "transitions pruned"),
        (stats.passed, "states not stored"),
        (stats.slept, "transitions omitted by sleep sets"),
    ];
    let parts: Vec<String> = parts
        .into_iter()
        .filter(|&(number, _)| number > 0)
        .map(|(number, what)| format!("{} {what}", count(number)))
        .collect();
    if parts.is_empty() { "none".to_owned() } else { parts.join(", ") }
}
