//! What `check` tells people: the verdicts, then the trails.

use std::fmt::Write as _;

use beeline_checker::{Verdict, Violation};

use super::{Outcome, Shown, unresolved};
use crate::story;
use crate::units;

/// Of a longer trail, only the last steps are shown.
const LONG: usize = 200;
/// So many of them.
const TAIL: usize = 50;

pub(super) fn text(outcome: &Outcome<'_>) -> String {
    let mut out = String::new();
    let checked = &outcome.report.properties;
    let width = checked.iter().map(|checked| checked.property.name.len()).max().unwrap_or(0);
    for (at, checked) in checked.iter().enumerate() {
        let verdict = match &checked.verdict {
            Verdict::Holds => "holds".to_owned(),
            Verdict::Violated(violations) => {
                let more = match violations.len() {
                    1 => String::new(),
                    count => format!("; {} more", count - 1),
                };
                format!("violated  {}{more}", length(&violations[0]))
            }
            Verdict::Unknown(reason) => format!("unknown   {reason}"),
        };
        let name = &checked.property.name;
        let judged = outcome.judged.as_ref().map_or_else(String::new, |all| all[at].words());
        let remarks: String = checked.remarks.iter().map(|one| format!("; {one}")).collect();
        push(&mut out, format_args!("{name:<width$}  {verdict}{remarks}{judged}\n"));
    }
    if outcome.options.report.quiet {
        return out;
    }
    let stats = &outcome.report.stats;
    let (stored, seconds) = (stats.stored, outcome.seconds);
    let plural = if stored == 1 { "" } else { "s" };
    push(&mut out, format_args!("\n{stored} state{plural} in {seconds:.2} s\n"));
    out += &unresolved::advice(outcome);
    if let Some(coverage) = &outcome.coverage {
        out += &unresolved::unreached(coverage, outcome);
    }
    for (checked, shown) in checked.iter().zip(&outcome.shown) {
        for one in shown {
            push(&mut out, format_args!("\n{}: {}\n", checked.property.name, one.violation.error));
            out += &trail(one, outcome);
        }
    }
    out
}

/// The error, and how far away it is.
pub(crate) fn length(violation: &Violation) -> String {
    let Violation { error, steps, lower_bound, cycle, .. } = violation;
    // What a claim takes part in is as long as it is for both of them.
    let what = if cycle.is_some() { "lasso" } else { "trail" };
    let bound = if violation.is_shortest() {
        format!("there is no shorter {what}")
    } else if *lower_bound <= 1 {
        format!("there may be a shorter {what}")
    } else {
        format!("no {what} has fewer than {lower_bound}")
    };
    let way = match cycle {
        Some(cycle) if violation.stays() => {
            format!("after {}, where it stays for ever", units::steps(steps - cycle))
        }
        // Before the cycle, and once around.
        Some(cycle) => {
            format!("after {}, then {} for ever", units::steps(steps - cycle), units::steps(*cycle))
        }
        None => format!("after {}", units::steps(*steps)),
    };
    format!("{error} {way} ({bound})")
}

/// Where the trail is, its steps, and its end.
pub(crate) fn trail(shown: &Shown<'_>, outcome: &Outcome<'_>) -> String {
    let sources = &outcome.loaded.result.sources;
    let mut out = String::new();
    if let Some(file) = &shown.file {
        push(&mut out, format_args!("trail written to {}\n", file.display()));
    }
    let steps = shown.story.steps.len();
    // What should be in a file, and is not, has to be here.
    let from = if steps > LONG && !shown.lost { steps - TAIL } else { 0 };
    if from > 0 {
        let where_to = match shown.file {
            Some(_) => "see `beeline replay`",
            None => "with a trail (no --no-trail), `beeline replay` shows them",
        };
        push(&mut out, format_args!("… the first {from} steps: {where_to}\n"));
    }
    out += &story::steps(&shown.story, sources, from);
    out += &story::end(&shown.story, sources);
    out
}

fn push(out: &mut String, args: std::fmt::Arguments<'_>) {
    out.write_fmt(args).expect("writing to a string succeeds");
}
