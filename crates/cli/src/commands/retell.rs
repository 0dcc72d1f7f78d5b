//! Replay of a trail file, with its story.

use std::path::Path;

use beeline_kernel::{Trail, TrailError};
use beeline_model::{
    Model, Property, StepTeller, Story, StoryRequest, StoryStates, Subject, ToldSteps, Violation,
};

use crate::base::failure::Failure;
use crate::model::loaded::LoadedModel;
use crate::model::trail::GivenTrail;
use crate::render::story;

/// A trail file to be executed on a model.
pub(crate) struct Retelling<'a> {
    pub(crate) loaded: &'a LoadedModel,
    pub(crate) given: GivenTrail,
}

const OTHER: &str = "use the model, and the -D options, that the trail was made with";

impl<'a> Retelling<'a> {
    /// Reads the trail file.
    ///
    /// # Errors
    ///
    /// When the file cannot be read, or is not a trail of this model.
    pub(crate) fn read(loaded: &'a LoadedModel, path: &Path) -> Result<Retelling<'a>, Failure> {
        let given = GivenTrail::read(loaded.as_model(), path)?;
        Ok(Retelling { loaded, given })
    }

    /// Executes the trail, and runs something with its story, which has no steps, and with a
    /// teller of its steps. The story is about one of these properties, or about any error.
    ///
    /// # Errors
    ///
    /// When the trail does not fit the model.
    pub(crate) fn with_story<T>(
        &self,
        properties: &[Property],
        run: impl FnOnce(Story, &dyn StepTeller) -> T,
    ) -> Result<T, Failure> {
        let (model, trail) = (self.loaded.as_model(), &self.given.trail);
        let (mut run, mut result) = (Some(run), None);
        let request = StoryRequest::new(Subject::Properties(properties));
        let told = model.with_story(trail, &request, &mut |story, teller| {
            let run = run.take().expect("a story is told once");
            result = Some(run(story.clone(), teller));
        });
        told.map_err(|error| self.misfit(&error))?;
        Ok(result.expect("the story was told"))
    }

    /// The story with its whole states.
    ///
    /// # Errors
    ///
    /// When the trail does not fit the model.
    pub(crate) fn story_with_states(&self, properties: &[Property]) -> Result<Story, Failure> {
        let request = StoryRequest {
            states: StoryStates::Whole,
            ..StoryRequest::new(Subject::Properties(properties))
        };
        let story = self.loaded.as_model().story(&self.given.trail, &request);
        story.map_err(|error| self.misfit(&error))
    }

    /// A warning about a trail that ends without an error.
    pub(crate) fn doubt(&self, story: &Story) -> Option<Failure> {
        if story.end.error.is_some() {
            return None;
        }
        let GivenTrail { trail, text, name } = &self.given;
        if story.cycle_start.is_some() {
            return (!story.closes).then(|| broken_cycle(name, story));
        }
        let what = match trail.lines.len() {
            0 => "has no steps".to_owned(),
            steps => {
                let line = self.given.line_of(steps).unwrap_or(steps);
                format!("ends in line {line}, after step {steps}, without an error")
            }
        };
        let cut = if text.ends_with('\n') || text.is_empty() { "" } else { ", within a line" };
        let message = format!("`{name}` {what}: was it cut short{cut}?");
        Some(Failure::new(
            message,
            format!("`beeline check {}` writes it again", self.loaded.model),
        ))
    }

    /// Why the trail does not fit the model: the step that fails, its process and the location of
    /// that process; and the number of steps before it that fit.
    pub(crate) fn misfit(&self, error: &TrailError) -> Failure {
        let GivenTrail { trail, name, .. } = &self.given;
        let model = &self.loaded.model;
        let TrailError::Impossible { step, line: asked, .. } = *error else {
            return Failure::new(format!("`{name}` is not a trail of `{model}`: {error}"), OTHER);
        };
        let line = self.given.line_of(step);
        let line = line.map_or_else(String::new, |line| format!("line {line}, "));
        let mut message = format!("`{name}` is not a trail of `{model}`: {line}{error}");
        let fits = step - 1;
        let prefix = Trail { lines: trail.lines[..fits].to_vec(), ..trail.clone() };
        let first_pid = usize::from(trail.claim.is_some());
        let any =
            StoryRequest { steps: ToldSteps::None, ..StoryRequest::new(Subject::Properties(&[])) };
        if let Ok(story) = self.loaded.as_model().story(&prefix, &any)
            && let Some(process) = story.end.processes.get(asked.pid.wrapping_sub(first_pid))
        {
            message += &format!("; {}", story::rests(process, None, self.loaded.sources()));
        }
        let help = match fits {
            0 => OTHER.to_owned(),
            _ => format!(
                "{OTHER}; the steps before it do fit: `beeline replay {model} {name} --steps \
                 {fits}` shows them"
            ),
        };
        Failure { message, help }
    }
}

/// The failure for a cycle that does not close.
fn broken_cycle(name: &str, story: &Story) -> Failure {
    let what = if story.cycle_start == Some(story.length) {
        "has no steps after the start of its cycle (`-1:-1:-1`), but the model is not blocked there"
    } else {
        "has a cycle that does not close: it does not return to the state where it begins \
         (`-1:-1:-1`)"
    };
    let help = "a trail with a cycle has to end in the state in which its cycle begins; was it \
                cut short?";
    Failure::new(format!("`{name}` {what}"), help)
}

/// The story of a confirmed violation.
pub(crate) fn story_of(
    model: &dyn Model,
    violation: &Violation,
    request: &StoryRequest<'_>,
) -> Story {
    let story = model.story(&violation.trail, request);
    story.unwrap_or_else(|error| panic!("a confirmed trail fails: {error}"))
}
