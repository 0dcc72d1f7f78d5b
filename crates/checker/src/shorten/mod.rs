//! Shorter trails to the same error, or to a similar one.
//!
//! Source: [ELL01] §4.3; [EMJ05], Trail Improvement. First, the trail editor removes unneeded steps
//! (`eliminate.rs`, or `filter.rs` on request, in `promela-model/src/editor/`). Then several
//! searches take turns and share their paths: A\* towards the last state, by the Hamming distance
//! (full-state); A\* towards its locations, by the FSM distance (partial-state); A\* and greedy
//! search towards any similar error; search of the neighbourhood of the trail; divide and conquer.
//! A\* with an admissible heuristic proves that a trail is shortest. The length of the known trail
//! bounds all searches.
//!
//! Similar errors: another deadlock; the same fault at the same statement; the same invariant
//! violated elsewhere; the same claim.

mod methods;
mod readable;

use beeline_kernel::{Cost, Resources, Trail};
use beeline_search::{
    AfterHit, BestFirst, CoveringStore, ExactStore, KnownPath, Neighbourhood, PathImprover,
    Portfolio, SearchQuery, SegmentSearch, StateStore,
};

use crate::plan::Plan;
use crate::report::CheckError;
use crate::task::{Task, towards_states};

pub use methods::ImproveMethod;
use methods::PlannedSearch;
pub(crate) use readable::with_few_switches;

/// A shorter path than `known`, without the unneeded steps of its trail.
pub(crate) fn without_needless(
    task: &Task<'_>,
    trail: &Trail,
    known: &KnownPath,
) -> Option<KnownPath> {
    let shorter = task.system.editor()?.eliminate(trail, task.target)?;
    let shorter = KnownPath::new(&mut *task.space().expander(), shorter.states, shorter.found)?;
    (shorter.cost() < known.cost()).then_some(shorter)
}

/// Starts the searches for a shorter path than `route`: those in `by`, or all if it is empty.
pub(crate) fn shortening<'a>(
    task: &Task<'a>,
    route: KnownPath,
    plan: &Plan,
    by: &[ImproveMethod],
    resources: Resources<'_>,
) -> Result<Portfolio<'a>, CheckError> {
    let start = match task.space().has_coverage() {
        true => shortening_in::<CoveringStore>,
        false => shortening_in::<ExactStore>,
    };
    start(task, route, plan, by, resources)
}

/// The same, with the states of best-first searches in this store.
fn shortening_in<'a, T: StateStore + 'a>(
    task: &Task<'a>,
    route: KnownPath,
    plan: &Plan,
    by: &[ImproveMethod],
    resources: Resources<'_>,
) -> Result<Portfolio<'a>, CheckError> {
    let (space, target) = (task.space(), task.target);
    let limits = plan.limits();
    let bytes = limits.bytes.unwrap_or(usize::MAX);
    let query = SearchQuery {
        after_hit: AfterHit::Shorten,
        bound: Some(Cost(route.cost().0.saturating_sub(1))),
        limits,
        ..SearchQuery::new(target)
    };
    let is_wanted = |means| by.is_empty() || by.contains(&means);
    let mut members: Vec<(String, Box<dyn PathImprover + 'a>)> = Vec::new();
    if is_wanted(ImproveMethod::Neighbourhood) {
        let around = Neighbourhood::<ExactStore>::new(space, route.clone(), query);
        members.push((ImproveMethod::Neighbourhood.to_string(), Box::new(around)));
    }
    let end = route.states.last().expect("a path has its end");
    for PlannedSearch { name, method, heuristic } in
        methods::planned_searches(by, task, end, resources)?
    {
        let search = BestFirst::<T>::with_store(space, heuristic, method, query);
        members.extend(search.map(|search| (name, Box::new(search) as Box<_>)));
    }
    if is_wanted(ImproveMethod::Segments) {
        let segments = SegmentSearch::new(space, towards_states(task.system), route.clone(), bytes);
        members.push((ImproveMethod::Segments.to_string(), Box::new(segments)));
    }
    Ok(Portfolio::new(space, members, route, bytes))
}
