//! The route of a trail through the automata: executed edges with counts, and the final locations.

use beeline_engine::automata::EdgeCoverage;
use beeline_kernel::{Trail, TrailError};
use beeline_promela::hir::Model;

use crate::error_selector::ErrorSelector;
use crate::semantics::SemanticsOptions;
use crate::story::{self, ExecutedStory};

/// Executes a trail and collects its route.
///
/// # Errors
///
/// When the trail is not one of this model.
pub fn route(
    model: &Model,
    trail: &Trail,
    semantics: SemanticsOptions,
) -> Result<EdgeCoverage, TrailError> {
    let ExecutedStory { run, .. } =
        story::executed_story(model, trail, semantics, &ErrorSelector::default())?;
    let mut route = EdgeCoverage::default();
    let Some((initial, replay)) = run else {
        return Ok(route);
    };
    let mut now = &initial;
    let mut last = now;
    for step in &replay.moves {
        for (pid, edge) in std::iter::once((step.pid, step.edge)).chain(step.partner) {
            let place = (now.process(pid), now.location(pid), edge);
            *route.edges.entry(place).or_default() += 1;
        }
        let dead = step.fault.is_some_and(|fault| !fault.is_survivable());
        last = if dead { now } else { &step.next };
        now = &step.next;
    }
    for pid in 0..last.process_count() {
        *route.ends.entry((last.process(pid), last.location(pid))).or_default() += 1;
    }
    Ok(route)
}
