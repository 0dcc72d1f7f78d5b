//! The report in the layout of HSF-SPIN's, as \[ELL01\] §3.1 and \[EMJ05\] show it.

use std::fmt::Write as _;

use beeline_model::{ErrorKind, Verdict};

use crate::commands::hsf::outcome::HsfRun;

pub(crate) fn text(outcome: &HsfRun<'_>) -> String {
    let mut out = String::new();
    write(&mut out, outcome).expect("writing to a string succeeds");
    out
}

fn write(out: &mut String, outcome: &HsfRun<'_>) -> std::fmt::Result {
    let HsfRun { loaded, options, choice, report, .. } = outcome;
    let stats = &report.stats;
    if !options.report.quiet {
        writeln!(out, "Beeline {}, in the manner of HSF-SPIN 1.0", env!("CARGO_PKG_VERSION"))?;
        writeln!(out, "Verifying {}...", loaded.model)?;
        writeln!(out, "Checking for {} with {}...", choice.error.name, method(outcome))?;
    }
    match &report.verdict {
        Verdict::Violated(violations) => {
            let found = &violations[0];
            // HSF-SPIN's term, which differs from SPIN's.
            let wrong = match found.error {
                ErrorKind::InvalidEnd => "invalid endstate".to_owned(),
                wrong => wrong.to_string(),
            };
            writeln!(out, "{wrong} (at depth {})", found.length.steps)?;
        }
        Verdict::Holds => writeln!(out, "no error: all states were searched")?,
        Verdict::Unknown(reason) => writeln!(out, "unknown: {reason}")?,
    }
    let errors = report.verdict.violations().len();
    let (h_min, h_max) = (stats.h_min.unwrap_or(0), stats.h_max.unwrap_or(0));
    writeln!(out, "Printing Statistics...")?;
    let (bytes, depth) = (stats.state_bytes, stats.depth);
    writeln!(out, "State-vector {bytes} bytes, depth reached {depth}, errors: {errors}")?;
    writeln!(out, "{:>9} states, stored", stats.stored)?;
    writeln!(out, "{:>9} states, matched", stats.matched)?;
    writeln!(out, "{:>9} transitions (transitions performed)", stats.transitions())?;
    writeln!(out, "{:>9} atomic steps", stats.atomic_steps)?;
    writeln!(out, "{:>9} states, expanded", stats.expanded)?;
    writeln!(out, "Range of heuristic was: [{h_min}..{h_max}]")?;
    if let [found] = report.verdict.violations() {
        if let Some(file) = &outcome.file {
            writeln!(out, "Writing Trail")?;
            writeln!(out, "Wrote {}", file.display())?;
        }
        writeln!(out, "Length of trail is {}", found.length.steps)?;
        if found.is_shortest() && !options.report.quiet {
            writeln!(out, "There is no shorter trail")?;
        }
    }
    Ok(())
}

/// The search, with its weight and its heuristic if it has one.
fn method(outcome: &HsfRun<'_>) -> String {
    let HsfRun { options, choice, .. } = outcome;
    let mut method = choice.algorithm.name.to_owned();
    if let Some((_, weight)) = &options.weight {
        method += &format!(" (weight {weight})");
    }
    if choice.heuristic.name != "blind" {
        method += &format!(" and {}", choice.estimate);
    }
    method
}
