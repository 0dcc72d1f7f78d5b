//! The output of `import-plan`: what a plan proves, and its trail.

use std::ops::ControlFlow;
use std::path::Path;

use beeline_checker::ImportedPlan;
use beeline_model::{StepTeller, Story};
use serde::Serialize;

use crate::base::json::Header;
use crate::base::text::push;
use crate::model::loaded::LoadedModel;
use crate::render::check::length;
use crate::render::story::{self, StateDetail, StoryObject};

/// A plan as a trail.
pub(crate) struct ImportOutcome<'a> {
    pub(crate) loaded: &'a LoadedModel,
    pub(crate) imported: &'a ImportedPlan,
    pub(crate) story: &'a Story,
    /// Tells the steps of the story.
    pub(crate) teller: &'a dyn StepTeller,
    /// The number of actions.
    pub(crate) actions: usize,
    /// The file of the trail, if it was written.
    pub(crate) file: Option<&'a Path>,
    pub(crate) is_quiet: bool,
}

/// The object of `import-plan --json`.
#[derive(Serialize)]
struct Object<'a> {
    #[serde(flatten)]
    header: Header<'a>,
    verdict: &'static str,
    property: &'a str,
    actions: usize,
    trail: TrailObject,
    #[serde(flatten)]
    story: StoryObject<'a>,
}

#[derive(Serialize)]
struct TrailObject {
    file: Option<String>,
    steps: u64,
    error: String,
    replayed: bool,
}

/// The result for programs.
pub(crate) fn object<'a>(outcome: &ImportOutcome<'a>) -> impl Serialize + use<'a> {
    let ImportOutcome { loaded, imported, story, teller, actions, file, .. } = *outcome;
    let violation = &imported.violation;
    Object {
        header: Header::new(&loaded.model),
        verdict: "violated",
        property: &imported.property.name,
        actions,
        trail: TrailObject {
            file: file.map(|file| file.to_string_lossy().into_owned()),
            steps: violation.length.steps,
            error: violation.error.to_string(),
            replayed: true,
        },
        story: StoryObject::new(story, teller, loaded.sources()),
    }
}

/// Says what the plan proves, and the steps of the trail, until the reader wants no more.
pub(crate) fn say(outcome: &ImportOutcome<'_>, say: &mut dyn FnMut(&str) -> ControlFlow<()>) {
    let ImportOutcome { loaded, imported, story, teller, file, is_quiet, .. } = outcome;
    let sources = loaded.sources();
    let mut head =
        format!("{}: violated, {}\n", imported.property.name, length(&imported.violation));
    if let Some(file) = file {
        push(&mut head, format_args!("trail: {}\n", file.display()));
    }
    if *is_quiet {
        let _ = say(&head);
        return;
    }
    head += "\n";
    if say(&head).is_continue() {
        story::say_steps(story, *teller, sources, 0, say);
        let _ = say(&story::end(story, sources, StateDetail::Brief));
    }
}
