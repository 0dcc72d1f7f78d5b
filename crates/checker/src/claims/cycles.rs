//! Searching for cycles that a claim says must not be.

use beeline_kernel::{Fault, Space};
use beeline_search::{
    Components, CycleSearch, Lasso, Nested, Nesting, Quest, StateStore, Unfolded,
};

use super::lasso::{Fairness, lasso_witness};
use crate::check::{Answer, CheckError, without_violation_after};
use crate::directed::{Settled, Task};
use crate::noting::Noting;
use crate::run::{Plan, drive};
use crate::watch::Watch;

/// How to search for cycles.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Rounds {
    /// Nested depth-first search, as SPIN does it.
    Nested,
    /// The same with what is known about the components of the claim.
    #[default]
    Improved,
    /// By strongly connected components of the states.
    Components,
}

/// A search for cycles in a space, about to begin.
fn start<'a, T: StateStore + 'a>(
    space: &'a dyn Space,
    rounds: Rounds,
    quest: Quest<'a>,
) -> Result<Box<dyn CycleSearch + 'a>, Fault> {
    Ok(match rounds {
        Rounds::Nested => Box::new(Nested::<T>::with_store(space, Nesting::Plain, quest)?),
        Rounds::Improved => Box::new(Nested::<T>::with_store(space, Nesting::Improved, quest)?),
        Rounds::Components => Box::new(Components::<T>::with_store(space, quest)?),
    })
}

/// Searches for a cycle, or the end of the claim.
pub(crate) fn search<T: StateStore>(
    task: &Task<'_>,
    rounds: Rounds,
    plan: &Plan,
    watch: &mut dyn Watch,
) -> Result<Settled, CheckError> {
    let noting = Noting::new(task.space);
    let unfolded = Unfolded::new(&noting);
    // Nested search knows accepting states only; components know who has moved, too.
    let unfolds = plan.fairness == Fairness::Weak && rounds != Rounds::Components;
    let space: &dyn Space = if unfolds { &unfolded } else { &noting };
    let quest = Quest { limits: plan.limits(), ..Quest::new(task.target) };
    let Ok(mut search) = start::<T>(space, rounds, quest) else {
        return Ok(Settled::stillborn());
    };
    let ending = drive(&mut *search, watch, |_, _| false);
    let (stats, peak_bytes) = (search.stats(), ending.peak_bytes);
    let folded = |path| if unfolds { unfolded.folded_path(path) } else { path };
    let merged = plan.automata().allowed_by(task.machine.model()).merge;
    let answer = if let Some(Lasso { stem, cycle }) = search.lasso() {
        let lasso = Lasso { stem: folded(stem), cycle: folded(cycle) };
        let violation = lasso_witness(task.machine, &lasso, plan.fairness, merged, 1)?;
        Answer::Violated(vec![violation])
    } else if let Some(hit) = search.hits().first() {
        let path = folded(search.path(0));
        Answer::Violated(vec![task.witness(&path, hit.kind, plan, |_| 0)?])
    } else {
        without_violation_after(|kind| noting.met(kind), ending.outcome)
    };
    Ok(Settled { stats, peak_bytes, ..Settled::of(answer) })
}
