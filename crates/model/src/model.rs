//! The [`Model`] trait: the interface of a language.

use beeline_source::source::SourceMap;

use crate::about::About;
use crate::chronicle::Chronicle;
use crate::coverage::CoverageSpace;
use crate::editor::{Followed, FollowedLasso};
use crate::options::SystemOptions;
use crate::property::{Property, UnknownProperty};
use crate::simulation::{Simulation, SimulationError};
use crate::story::{StepTeller, Story, ToldSteps};
use crate::system::System;
use crate::unsupported::Unsupported;
use crate::violation::Violation;
use beeline_kernel::{Deadline, Trail, TrailError};

/// A trail that was followed to its error.
#[derive(Clone, Debug)]
pub enum FollowedTrail {
    /// It ends with an error.
    Path(Followed),
    /// It ends with a cycle.
    Lasso(FollowedLasso),
}

/// Why a trail cannot be followed to an error.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FollowError {
    /// It is not a trail of this model.
    Trail(TrailError),
    /// It leads to no error.
    NoError,
    /// Its cycle does not close, or is one of another kind.
    Cycle,
}

/// The error that a story presents, if several occur at the end of its trail.
#[derive(Clone, Copy, Debug)]
pub enum Subject<'a> {
    /// One of these properties; any error if the slice is empty.
    Properties(&'a [Property]),
    /// This violation, with its property if that is known.
    Violation(&'a Violation, Option<&'a Property>),
}

/// Whether a story holds the whole states.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StoryStates {
    /// It does not.
    Left,
    /// It holds the state before each step, and the last one.
    Whole,
}

/// What a story is to hold.
#[derive(Clone, Copy, Debug)]
pub struct StoryRequest<'a> {
    /// What it is about.
    pub subject: Subject<'a>,
    /// The steps that are told.
    pub steps: ToldSteps,
    /// Whether it holds the whole states.
    pub states: StoryStates,
    /// Until when it may be told; then it is cut.
    pub deadline: Deadline,
}

impl<'a> StoryRequest<'a> {
    /// All steps, no states, and all the time that it takes.
    pub fn new(subject: Subject<'a>) -> StoryRequest<'a> {
        StoryRequest {
            subject,
            steps: ToldSteps::All,
            states: StoryStates::Left,
            deadline: Deadline::NEVER,
        }
    }
}

/// A model, read without errors.
///
/// Each language implements this trait; the crates above depend on no language. Methods with a
/// default are capabilities that a language may lack.
pub trait Model: Sync {
    /// Language and name.
    fn about(&self) -> &About;

    /// A [fingerprint](crate::fingerprint) of everything that determines the transition system:
    /// caches and checkpoints of one model are not taken for those of another.
    fn fingerprint(&self) -> u64;

    /// The sources to which the spans of stories refer.
    fn sources(&self) -> &SourceMap;

    /// The properties that are checked by default.
    fn properties(&self) -> Vec<Property>;

    /// The properties of these names, each once, in the order of the model. No name at all means
    /// those of [`properties`](Model::properties).
    ///
    /// # Errors
    ///
    /// When there is no such property.
    fn select(&self, names: &[String]) -> Result<Vec<Property>, UnknownProperty> {
        UnknownProperty::select(self.properties(), names)
    }

    /// The number of the query that is a property, from 1, in languages whose models have queries.
    fn query_number(&self, property: &Property) -> Option<usize> {
        let _ = property;
        None
    }

    /// The number of the state space in which a property is checked, where properties need
    /// different ones; those with equal numbers share theirs. Lower numbers are checked first.
    fn space_of(&self, property: &Property) -> usize {
        let _ = property;
        0
    }

    /// A remark on a property that holds in every model, such as a tautology.
    fn triviality(&self, property: &Property) -> Option<String> {
        let _ = property;
        None
    }

    /// The processes that are enabled in every state of the cycle of a trail and never move in it.
    fn neglected(&self, trail: &Trail) -> Vec<String> {
        let _ = trail;
        Vec::new()
    }

    /// Calls `run` with the transition system of the model, prepared for these properties.
    fn with_system(
        &self,
        properties: &[Property],
        options: SystemOptions,
        run: &mut dyn FnMut(&dyn System),
    );

    /// Calls `run` with the system of a trail, and with the trail as a path or a lasso of its
    /// states.
    ///
    /// # Errors
    ///
    /// When the trail is not one of this model, or leads to no error; then `run` is not called.
    fn with_trail(
        &self,
        trail: &Trail,
        options: SystemOptions,
        run: &mut dyn FnMut(&dyn System, FollowedTrail),
    ) -> Result<(), FollowError>;

    /// Replays a trail and tells what happens. The end of a trail may be wrong in several ways: the
    /// story is about the subject of the request.
    ///
    /// # Errors
    ///
    /// When the trail is not one of this model.
    fn story(&self, trail: &Trail, request: &StoryRequest<'_>) -> Result<Story, TrailError>;

    /// Replays a trail and runs something with its story, and with all of its steps, which are told
    /// one at a time: the story need not hold them.
    ///
    /// # Errors
    ///
    /// When the trail is not one of this model; then nothing is run.
    fn with_story(
        &self,
        trail: &Trail,
        request: &StoryRequest<'_>,
        run: &mut dyn FnMut(&Story, &dyn StepTeller),
    ) -> Result<(), TrailError> {
        let story = self.story(trail, &StoryRequest { steps: ToldSteps::All, ..*request })?;
        run(&story, &story);
        Ok(())
    }

    /// Replays a trail and describes it in full: steps, messages, processes, values.
    ///
    /// # Errors
    ///
    /// When the trail is not one of this model.
    fn chronicle(&self, trail: &Trail) -> Result<Chronicle, TrailError>;

    /// For each step of a trail, whether its error needs the step. `None` when that is not known,
    /// or not before the deadline.
    fn causal_core(&self, trail: &Trail, deadline: Deadline) -> Option<Vec<bool>> {
        let _ = (trail, deadline);
        None
    }

    /// Why a trail belongs to another model, if that is evident without a replay.
    fn foreign_trail(&self, trail: &Trail) -> Option<Unsupported> {
        let _ = trail;
        None
    }

    /// The names of the process types.
    fn process_names(&self) -> Vec<String>;

    /// A run of the model, step by step.
    ///
    /// # Errors
    ///
    /// When the language has no simulation, or the model fails before its first step.
    fn simulation(&self, seed: u64) -> Result<Box<dyn Simulation + '_>, SimulationError> {
        let _ = seed;
        Err(SimulationError::Unsupported(self.lacks("simulation")))
    }

    /// Calls `run` with a space that records which statements are executed.
    ///
    /// # Errors
    ///
    /// When the language has no statements to record.
    fn with_coverage(
        &self,
        options: SystemOptions,
        run: &mut dyn FnMut(&dyn CoverageSpace),
    ) -> Result<(), Unsupported> {
        let _ = (options, run);
        Err(self.lacks("statement coverage"))
    }

    /// The error for a capability that the language lacks.
    fn lacks(&self, capability: &str) -> Unsupported {
        let About { language, name } = self.about();
        Unsupported::new(format!("`{name}` is a {language}, which does not support {capability}"))
    }
}
