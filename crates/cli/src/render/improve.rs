//! The result of `improve`, for people and for programs.

use std::ops::ControlFlow;
use std::path::Path;

use beeline_checker::{Improved, Improvement};
use beeline_model::{StepTeller, Story};
use serde::Serialize;

use crate::base::json::Header;
use crate::base::text::push;
use crate::model::loaded::LoadedModel;
use crate::render::check::length;
use crate::render::story::StateDetail;
use crate::render::story::{self, StoryObject};

/// The result of `improve`.
pub(crate) struct ImproveOutcome<'a> {
    pub(crate) loaded: &'a LoadedModel,
    pub(crate) improved: &'a Improved,
    pub(crate) story: &'a Story,
    /// Tells the steps of the story.
    pub(crate) teller: &'a dyn StepTeller,
    /// The file of the given trail.
    pub(crate) given: &'a Path,
    /// The file of the shorter trail, if it was written.
    pub(crate) file: Option<&'a Path>,
    pub(crate) seconds: f64,
    /// Whether only the length is printed.
    pub(crate) is_quiet: bool,
}

/// The object that `improve --json` prints.
#[derive(Serialize)]
struct Object<'a> {
    #[serde(flatten)]
    header: Header<'a>,
    given: TrailObject,
    trail: TrailObject,
    shortest: bool,
    lower_bound: u64,
    improvements: Vec<Step<'a>>,
    expanded: u64,
    peak_bytes: u64,
    seconds: f64,
    #[serde(flatten)]
    story: StoryObject<'a>,
}

#[derive(Serialize)]
struct TrailObject {
    file: Option<String>,
    #[serde(rename = "length")]
    steps: u64,
}

#[derive(Serialize)]
struct Step<'a> {
    by: &'a str,
    #[serde(rename = "length")]
    steps: u64,
    expanded: u64,
    stored: u64,
}

/// The result for programs.
pub(crate) fn object<'a>(outcome: &ImproveOutcome<'a>) -> impl Serialize + use<'a> {
    let ImproveOutcome { loaded, improved, story, teller, given, file, seconds, .. } = *outcome;
    let name = |path: &Path| path.to_string_lossy().into_owned();
    let violation = &improved.violation;
    let improvements = improved.log.iter().map(|one| Step {
        by: &one.by,
        steps: one.steps,
        expanded: one.stats.expanded,
        stored: one.stats.stored,
    });
    Object {
        header: Header::new(&loaded.model),
        given: TrailObject { file: Some(name(given)), steps: improved.given },
        trail: TrailObject { file: file.map(name), steps: violation.length.steps },
        shortest: violation.is_shortest(),
        lower_bound: violation.length.lower_bound,
        improvements: improvements.collect(),
        expanded: improved.stats.expanded,
        peak_bytes: improved.peak_bytes,
        seconds,
        story: StoryObject::new(story, teller, loaded.sources()),
    }
}

/// Says the steps of the improvement, and the shorter trail, until the reader wants no more.
pub(crate) fn say(outcome: &ImproveOutcome<'_>, say: &mut dyn FnMut(&str) -> ControlFlow<()>) {
    let ImproveOutcome { loaded, story, teller, is_quiet, .. } = outcome;
    let sources = loaded.sources();
    let mut head = summary(outcome);
    if *is_quiet {
        let _ = say(&head);
        return;
    }
    if story.is_cut {
        head += "… the steps are not shown: there is no time left; `beeline replay` shows them\n";
    } else {
        head += "\n";
    }
    if say(&head).is_continue() {
        story::say_steps(story, *teller, sources, 0, say);
        let _ = say(&story::end(story, sources, StateDetail::Brief));
    }
}

/// The methods that shortened the trail, its length and its file.
fn summary(outcome: &ImproveOutcome<'_>) -> String {
    let ImproveOutcome { improved, file, is_quiet, .. } = outcome;
    let mut out = format!("given: {} steps\n", improved.given);
    let width = improved.log.iter().map(|one| one.by.len()).max().unwrap_or(0);
    for Improvement { by, steps, .. } in &improved.log {
        push(&mut out, format_args!("  {by:<width$}  {steps}\n"));
    }
    let begin = if improved.log.is_empty() { "not improved" } else { "improved" };
    push(&mut out, format_args!("{begin}: {}\n", length(&improved.violation)));
    if let Some(file) = file.filter(|_| !is_quiet) {
        push(&mut out, format_args!("trail written to {}\n", file.display()));
    }
    out
}
