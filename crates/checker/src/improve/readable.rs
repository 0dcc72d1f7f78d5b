//! Of the trails that are as short, one with few context switches: people read those far
//! more easily.
//!
//! Source: ours. A\* in a space where each step costs much and each context switch little,
//! with the trail that is known as its bound.

use beeline_engine::interpreter::{Price, Priced, STEP};
use beeline_kernel::Cost;
use beeline_search::{BestFirst, ExactStore, Method, Outcome, Quest, Search, Then};

use crate::check::CheckError;
use crate::directed::{Foreign, Task, sure_heuristic, witness_at_a_price};
use crate::run::{Plan, drive};
use crate::watch::Watch;
use crate::witness::Violation;

/// A trail with fewer context switches than this one, and no more steps, if one is found
/// before the watch has had enough; and how the search for it ended.
pub(super) fn with_few_switches(
    task: &Task<'_>,
    known: &Violation,
    plan: &Plan,
    watch: &mut dyn Watch,
) -> Result<Option<Violation>, CheckError> {
    let Ok(replay) = task.machine.replay(&known.trail) else { return Ok(None) };
    if known.steps >= u64::from(STEP) {
        return Ok(None);
    }
    let priced = Priced::new(task.machine, Price::StepsThenSwitches);
    let quest = Quest {
        then: Then::Shorten,
        bound: Some(Cost(priced.cost_of(&replay.moves).saturating_sub(1))),
        limits: plan.limits(),
        ..Quest::new(task.target)
    };
    let heuristic = Foreign { heuristic: sure_heuristic(task), priced: &priced, per_step: STEP };
    let search =
        BestFirst::<ExactStore>::with_store(&priced, Box::new(heuristic), Method::A_STAR, quest);
    let Ok(mut search) = search else { return Ok(None) };
    // An interruption is no reason to lose what was found.
    let _: Outcome = drive(&mut search, watch, |_, _| false).outcome;
    let Some(hit) = search.hits().first().copied() else { return Ok(None) };
    let found = witness_at_a_price(task, &priced, &search.path(0), hit.kind, plan)?;
    Ok(Some(Violation { lower_bound: known.lower_bound.min(found.steps), ..found }))
}
