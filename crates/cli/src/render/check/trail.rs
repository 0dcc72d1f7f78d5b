//! A violation for people: its length, and its trail.

use beeline_model::{Certificate, ErrorKind, ToldSteps, Violation};

use crate::base::text::push;
use crate::base::units;
use crate::render::check::outcome::{CheckOutcome, ShownViolation};
use crate::render::story::{self, StateDetail};

/// Of a long trail, only the last steps are shown.
pub(crate) const SHOWN_STEPS: ToldSteps = ToldSteps::Tail { longest: 200, last: 50 };

/// The error, and the length of its trail.
pub(crate) fn length(violation: &Violation) -> String {
    let Violation { error, length, cycle, .. } = violation;
    let Certificate { steps, lower_bound } = *length;
    if matches!(error, ErrorKind::Unreachable | ErrorKind::NoRun) {
        return error.to_string();
    }
    if *error == ErrorKind::BranchingFormula && steps == 0 && cycle.is_none() {
        return format!("{error} in the initial state");
    }
    // The length of a lasso is its length in the product with the claim.
    let what = if cycle.is_some() { "lasso" } else { "trail" };
    let bound = if violation.is_shortest() {
        format!("there is no shorter {what}")
    } else if lower_bound <= 1 {
        format!("there may be a shorter {what}")
    } else {
        format!("no {what} has fewer than {lower_bound}")
    };
    let way = match cycle {
        Some(cycle) if violation.stays() => {
            format!("after {}, then the last state repeats for ever", units::steps(steps - cycle))
        }
        // The stem, then the cycle.
        Some(cycle) => {
            format!("after {}, then {}", units::steps(steps - cycle), units::repeated(*cycle))
        }
        None => format!("after {}", units::steps(steps)),
    };
    format!("{error} {way} ({bound})")
}

/// The file of the trail, its steps, and its end.
pub(crate) fn trail(shown: &ShownViolation<'_>, outcome: &CheckOutcome<'_>) -> String {
    let sources = outcome.loaded.sources();
    let mut out = String::new();
    if let Some(file) = &shown.file {
        let copy = shown.copy.as_ref().map(|copy| format!(" and {}", copy.display()));
        let copy = copy.unwrap_or_default();
        push(&mut out, format_args!("trail written to {}{copy}\n", file.display()));
    }
    let story = &shown.story;
    if let Some(stop) = shown.not_told {
        let replay = match shown.file {
            Some(_) => "`beeline replay` shows them",
            None => "without --no-trail, `beeline replay` shows them",
        };
        push(&mut out, format_args!("… the steps are not shown: {stop}; {replay}\n"));
        return out + &story::end(story, sources, StateDetail::Brief);
    }
    // A trail that could not be written is shown in full.
    let told = if shown.is_lost { ToldSteps::All } else { SHOWN_STEPS };
    let from = story.length - told.number(story.length);
    if from > 0 {
        let where_to = match shown.file {
            Some(_) => "`beeline replay` shows them",
            None => "without --no-trail, `beeline replay` shows them",
        };
        let before = units::steps(from as u64);
        push(&mut out, format_args!("… {before} before these: {where_to}\n"));
    }
    out += &story::steps(story, sources, from);
    out += &story::end(story, sources, StateDetail::Brief);
    out
}
