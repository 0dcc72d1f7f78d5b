//! Among trails of equal length, one with few context switches, which is easier to read.
//!
//! Source: ours. A\* in a space where each step costs much and each context switch little,
//! bounded by the cost of the known trail.

use beeline_kernel::{Cost, CostModel, STEP_COST};
use beeline_model::{Certificate, Violation};
use beeline_search::{
    AfterHit, BestFirst, BestFirstConfig, ExactStore, Outcome, Search, SearchQuery,
};

use crate::observe::{Observer, drive};
use crate::plan::Plan;
use crate::report::CheckError;
use crate::task::{CostAdapter, Task, admissible_heuristic};

/// A trail with fewer steps than the known one, or with as many steps and fewer context switches,
/// if the search finds one before the observer stops it.
pub(crate) fn with_few_switches(
    task: &Task<'_>,
    known: &Violation,
    plan: &Plan,
    observer: &mut dyn Observer,
) -> Result<Option<Violation>, CheckError> {
    let Some(costed) = task.system.costed(CostModel::StepsThenSwitches) else { return Ok(None) };
    let Some(cost) = costed.cost_of(&known.trail) else { return Ok(None) };
    if known.length.steps >= u64::from(STEP_COST) {
        return Ok(None);
    }
    let query = SearchQuery {
        after_hit: AfterHit::Shorten,
        bound: Some(Cost(cost.saturating_sub(1))),
        limits: plan.limits(),
        ..SearchQuery::new(task.target)
    };
    let heuristic = admissible_heuristic(task);
    let heuristic = CostAdapter { heuristic, costed: &*costed, per_step: STEP_COST };
    let (space, method) = (costed.space(), BestFirstConfig::A_STAR);
    let search = BestFirst::<ExactStore>::with_store(space, Box::new(heuristic), method, query);
    let Ok(mut search) = search else { return Ok(None) };
    // An interrupted search may have found a trail, too.
    let _: Outcome = drive(&mut search, observer, |_, _| false).outcome;
    let Some(hit) = search.hits().first().copied() else { return Ok(None) };
    let found = costed.witness(&search.path(0), hit.kind)?;
    let length = Certificate::new(found.length.steps, known.length.lower_bound);
    Ok(Some(Violation { length, ..found }))
}
