//! Remark on overflow: a short search for a value that does not fit in the type of its variable.
//!
//! Overflow is defined in the language, so it is no error by itself, but usually it is a mistake in
//! the model. `--property overflow` searches all states for it.

use beeline_kernel::FaultKind;
use beeline_model::{
    ErrorKind, Model, Property, PropertyKind, Story, StoryRequest, Subject, ToldSteps, Violation,
};
use beeline_search::{
    ExactStore, Exploration, ExplorationOptions, ExplorationOrder, FindingKind, Search as _,
    SliceBudget,
};

use crate::plan::Plan;

/// States that the search expands: some hundredths of a second.
const EXPANSIONS: u64 = 2_000;

/// The first overflow that a short depth-first search meets, in words.
pub(crate) fn overflow_remark(model: &dyn Model, plan: &Plan) -> Option<String> {
    let violation = find_overflow(model, plan)?;
    let request = StoryRequest {
        steps: ToldSteps::Tail { longest: 1, last: 1 },
        ..StoryRequest::new(Subject::Violation(&violation, None))
    };
    let story = model.story(&violation.trail, &request).ok()?;
    Some(format!("{} (`--property overflow` shows the trail)", describe(model, &story)))
}

fn describe(model: &dyn Model, story: &Story) -> String {
    let place = story.steps.last().map(|step| model.sources().location(step.turn.span));
    let place = place.map_or(String::new(), |place| format!(" in line {}", place.line));
    let detail = story.end.detail.as_ref().map_or(String::new(), |detail| format!(": {detail}"));
    format!("overflow{place}{detail}")
}

fn find_overflow(model: &dyn Model, plan: &Plan) -> Option<Violation> {
    let property = Property::of_kind(PropertyKind::Overflow);
    let mut found = None;
    model.with_system(std::slice::from_ref(&property), plan.system_options(), &mut |system| {
        let Some(target) = system.target(&property) else { return };
        if system.static_proof(&property).is_some() {
            return;
        }
        let options = ExplorationOptions { order: ExplorationOrder::Depth, ..plan.exploration() };
        let search = Exploration::<ExactStore>::with_store(system.space(), options);
        let Ok(mut search) = search else { return };
        search.advance(SliceBudget::expansions(EXPANSIONS));
        let is_overflow = |kind: FindingKind| target.includes(kind);
        let Some(at) = search.hits().iter().position(|hit| is_overflow(hit.kind)) else { return };
        let kind = search.hits()[at].kind;
        let violation = system.witness(&search.path(at), kind, &|_| 0).ok();
        let is_confirmed = |one: &Violation| one.error == ErrorKind::Fault(FaultKind::Overflow);
        found = violation.filter(is_confirmed);
    });
    found
}
