//! What `check` says about what is left open: what to try next, how near it came, and
//! which statements nothing ever reached.

use std::fmt::Write as _;
use std::path::Path;

use beeline_checker::{Coverage, NearestMiss, PropertyReport, Store, Verdict};
use beeline_kernel::Stop;

use super::Outcome;
use crate::story;
use crate::trail;
use crate::units;

/// What to try next, for everything that is unknown: each advice once.
pub(super) fn advice(outcome: &Outcome<'_>) -> String {
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

fn advice_for(reason: &str, outcome: &Outcome<'_>) -> &'static str {
    let is = |stop: Stop| stop.to_string() == reason;
    let options = &outcome.options.exploring;
    if is(Stop::Time) {
        "try: more time (--time), smaller parameters (-D), or one property alone (--property)"
    } else if is(Stop::Memory) && options.store != Store::Auto && options.store != Store::Exact {
        "try: more memory (--memory), or smaller parameters (-D)"
    } else if is(Stop::Memory) {
        "try: more memory (--memory), smaller states (--store compact), bits of them (--store \
         bitstate), or smaller parameters (-D)"
    } else if is(Stop::Depth) {
        "try: a greater --depth, or none"
    } else if reason.starts_with(&Stop::LossyStore.to_string()) && options.store == Store::Auto {
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

fn miss(checked: &PropertyReport, nearest: &NearestMiss, outcome: &Outcome<'_>) -> String {
    let NearestMiss { estimate, heuristic, steps, .. } = nearest;
    let name = &checked.property.name;
    let steps = units::steps(*steps);
    let what = format!("{name}: nearest miss after {steps}, where {heuristic} says {estimate}");
    match &outcome.options.nearest {
        None => format!("{what}; --nearest FILE writes the trail there"),
        Some(file) => format!("{what}; see {}", file.display()),
    }
}

/// Writes the trail of the nearest miss, of the first property that has one. `Err` is what
/// to say when it cannot be written, or there is none.
pub(super) fn write_nearest(file: &Path, properties: &[PropertyReport]) -> Result<(), String> {
    let Some(nearest) = properties.iter().find_map(|checked| checked.nearest.as_ref()) else {
        return Err("note: no property is unknown after a directed search, so there is no \
                    nearest miss\n"
            .to_owned());
    };
    trail::write(file, &nearest.trail).map_err(|error| {
        let name = file.display();
        format!("warning: cannot write the trail `{name}`: {error}\nhelp: the verdict stands\n")
    })
}

/// The statements that were not reached, a line for each process type that has some.
pub(super) fn unreached(coverage: &Coverage, outcome: &Outcome<'_>) -> String {
    let mut out = String::new();
    let so_far = if coverage.is_complete { "" } else { " so far (not all states were seen)" };
    let all: usize = coverage.processes.iter().map(|process| process.unreached.len()).sum();
    if all == 0 {
        return "\nevery statement is reached\n".to_owned();
    }
    push(&mut out, format_args!("\nnot reached{so_far}:\n"));
    for process in coverage.processes.iter().filter(|process| !process.unreached.is_empty()) {
        let (name, count) = (&process.process, process.unreached.len());
        push(&mut out, format_args!("  {name}: {count} of {} statements\n", process.statements));
        for statement in &process.unreached {
            let place = story::place(&outcome.loaded.result.sources, statement.span);
            push(&mut out, format_args!("    {place}  {}\n", statement.statement));
        }
    }
    out
}

fn push(out: &mut String, args: std::fmt::Arguments<'_>) {
    out.write_fmt(args).expect("writing to a string succeeds");
}
