//! Of the trails that are as short, one with few context switches: people read those far
//! more easily.
//!
//! Source: ours. A\* in a space where each step costs much and each context switch little,
//! with the trail that is known as its bound.

use beeline_engine::interpreter::{CostModel, STEP_COST, WeightedSpace};
use beeline_kernel::Cost;
use beeline_search::{
    AfterHit, BestFirst, BestFirstConfig, ExactStore, Outcome, Search, SearchQuery,
};

use crate::check::CheckError;
use crate::directed::{CostAdapter, Task, admissible_heuristic, witness_with_cost};
use crate::observer::Observer;
use crate::run::{Plan, drive};
use crate::witness::Violation;

/// A trail with fewer context switches than this one, and no more steps, if one is found
/// before the watch has had enough; and how the search for it ended.
pub(super) fn with_few_switches(
    task: &Task<'_>,
    known: &Violation,
    plan: &Plan,
    observer: &mut dyn Observer,
) -> Result<Option<Violation>, CheckError> {
    let Ok(replay) = task.machine.replay(&known.trail) else { return Ok(None) };
    if known.steps >= u64::from(STEP_COST) {
        return Ok(None);
    }
    let priced = WeightedSpace::new(task.machine, CostModel::StepsThenSwitches);
    let query = SearchQuery {
        after_hit: AfterHit::Shorten,
        bound: Some(Cost(priced.cost_of(&replay.moves).saturating_sub(1))),
        limits: plan.limits(),
        ..SearchQuery::new(task.target)
    };
    let heuristic =
        CostAdapter { heuristic: admissible_heuristic(task), priced: &priced, per_step: STEP_COST };
    let search = BestFirst::<ExactStore>::with_store(
        &priced,
        Box::new(heuristic),
        BestFirstConfig::A_STAR,
        query,
    );
    let Ok(mut search) = search else { return Ok(None) };
    // An interruption is no reason to lose what was found.
    let _: Outcome = drive(&mut search, observer, |_, _| false).outcome;
    let Some(hit) = search.hits().first().copied() else { return Ok(None) };
    let found = witness_with_cost(task, &priced, &search.path(0), hit.kind, plan)?;
    Ok(Some(Violation { lower_bound: known.lower_bound.min(found.steps), ..found }))
}
