//! The runs of a witness: why a formula of branching time holds, or its violation as a tree.

use beeline_checker::{PropertyReport, WitnessTrail};
use beeline_kernel::Deadline;
use beeline_model::{StoryRequest, Subject, Verdict};
use serde::Serialize;

use crate::base::text::push;
use crate::base::units;
use crate::render::check::outcome::CheckOutcome;
use crate::render::check::trail::SHOWN_STEPS;
use crate::render::story::{self, STAYS};

/// A run of a witness.
#[derive(Serialize)]
pub(super) struct WitnessObject {
    /// The trail, from the initial state.
    text: String,
    steps: u64,
    cycle_start: Option<u64>,
    /// Whether the last state has no step and repeats for ever.
    rests: bool,
    /// Runs that go on from its end.
    then: Vec<WitnessObject>,
}

impl WitnessObject {
    /// The objects of a witness.
    pub(super) fn all(witness: &[WitnessTrail]) -> Vec<WitnessObject> {
        let object = |run: &WitnessTrail| WitnessObject {
            text: run.trail.text(),
            steps: run.steps,
            cycle_start: run.cycle.map(|cycle| run.steps - cycle),
            rests: run.rests,
            then: WitnessObject::all(&run.then),
        };
        witness.iter().map(object).collect()
    }
}

/// The runs of a witness, each with its steps.
pub(super) fn witness(checked: &PropertyReport, outcome: &CheckOutcome<'_>) -> String {
    let mut out = String::new();
    if !checked.witness.is_empty() {
        push(&mut out, format_args!("\n{}: {}\n", checked.property.name, purpose(checked)));
        runs(&checked.witness, 0, outcome, &mut out);
    }
    out
}

/// What the runs of a witness show.
pub(super) fn purpose(checked: &PropertyReport) -> &'static str {
    match (&checked.verdict, &checked.witness[..]) {
        (Verdict::Holds, [only]) if only.then.len() < 2 => "a run shows that it holds",
        (Verdict::Holds, _) => "these runs together show that it holds",
        _ => "these runs together show the violation",
    }
}

/// The steps of a run after those that it shares with others.
pub(super) fn shown_steps(run: &WitnessTrail, shared: u64, outcome: &CheckOutcome<'_>) -> String {
    let request = StoryRequest {
        steps: SHOWN_STEPS,
        deadline: Deadline::NEVER,
        ..StoryRequest::new(Subject::Properties(&[]))
    };
    let Ok(told) = outcome.loaded.as_model().story(&run.trail, &request) else {
        return String::new();
    };
    let first = told.length - SHOWN_STEPS.number(told.length);
    let from = first.max(shared as usize);
    story::steps(&told, outcome.loaded.sources(), from)
}

/// Runs that share their first steps, which are not shown again.
fn runs(all: &[WitnessTrail], shared: u64, outcome: &CheckOutcome<'_>, out: &mut String) {
    for (at, run) in all.iter().enumerate() {
        if all.len() > 1 {
            let after = units::steps(shared);
            push(out, format_args!("run {} of {} after {after}:\n", at + 1, all.len()));
        }
        *out += &shown_steps(run, shared, outcome);
        if run.rests {
            *out += STAYS;
        }
        runs(&run.then, run.steps, outcome, out);
    }
}
