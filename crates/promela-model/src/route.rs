//! The route of a trail through the automata: executed edges with counts, and the final locations.

use std::ops::ControlFlow;

use beeline_engine::automata::EdgeCoverage;
use beeline_engine::interpreter::{DecodedState, Move};
use beeline_engine::trail::ReplayObserver;
use beeline_kernel::{Trail, TrailError};
use beeline_model::{StoryRequest, Subject, ToldSteps};
use beeline_promela::Frontend;

use crate::error_selector::ErrorSelector;
use crate::semantics::SemanticsOptions;
use crate::story::{self, ExecutedStory, never_stopped};

/// Executes a trail and collects its route.
///
/// # Errors
///
/// When the trail is not one of this model.
pub fn route(
    front: &Frontend,
    trail: &Trail,
    semantics: SemanticsOptions,
) -> Result<EdgeCoverage, TrailError> {
    let subject = Subject::Properties(&[]);
    let request = StoryRequest { steps: ToldSteps::None, ..StoryRequest::new(subject) };
    let executed =
        story::executed_story(front, trail, semantics, &ErrorSelector::default(), &request);
    let ExecutedStory { describer, initial, .. } = executed.map_err(never_stopped)?;
    if initial.is_none() {
        return Ok(EdgeCoverage::default());
    }
    let replayed = story::execute(describer.machine(), trail, Route::default);
    let (Route(mut route), end) = replayed.map_err(never_stopped)?;
    let fault = end.last.and_then(|last| last.fault);
    let last = match fault {
        Some(fault) if !fault.is_survivable() => end.before_last,
        _ => end.behind_last,
    };
    for pid in 0..last.process_count() {
        *route.ends.entry((last.process(pid), last.location(pid))).or_default() += 1;
    }
    Ok(route)
}

/// Counts the edges that a replay takes.
#[derive(Default)]
struct Route(EdgeCoverage);

impl ReplayObserver for Route {
    fn on_move(&mut self, before: &DecodedState, step: &Move) -> ControlFlow<()> {
        for (pid, edge) in std::iter::once((step.pid, step.edge)).chain(step.partner) {
            let place = (before.process(pid), before.location(pid), edge);
            *self.0.edges.entry(place).or_default() += 1;
        }
        ControlFlow::Continue(())
    }
}
