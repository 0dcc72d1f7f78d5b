//! Searching for cycles that a claim says must not be.

use beeline_kernel::{Fault, Space};
use beeline_search::{
    Components, CycleSearch, DirectedLasso, Lasso, Method, Nested, Nesting, Quest, ShortestLasso,
    StateStore, Unfolded,
};

use super::lasso::{Fairness, lasso_witness};
use crate::check::{Answer, CheckError, without_violation_after};
use crate::directed::{Settled, Task, heuristic};
use crate::improve::compass;
use crate::noting::Noting;
use crate::run::{Plan, drive};
use crate::searches::{Algorithm, Directed};
use crate::watch::Watch;
use crate::witness::Violation;

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

impl Rounds {
    /// What goes through all states fastest: where ways bear marks, only the components know
    /// what to do with them.
    pub(super) fn usual(fairness: Fairness) -> Rounds {
        match fairness {
            Fairness::None => Rounds::Improved,
            Fairness::Weak => Rounds::Components,
        }
    }
}

/// A search for cycles in a space, about to begin.
pub(super) fn start<'a, T: StateStore + 'a>(
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
    let Ok(mut search) = start::<T>(space, rounds, quest(task, plan)) else {
        return Ok(Settled::stillborn());
    };
    let folded = |path| if unfolds { unfolded.folded_path(path) } else { path };
    run(&mut *search, task, &noting, folded, plan, watch)
}

/// The shortest lasso, with a proof.
pub(super) fn shortest(
    task: &Task<'_>,
    plan: &Plan,
    watch: &mut dyn Watch,
) -> Result<Settled, CheckError> {
    let noting = Noting::new(task.space);
    match ShortestLasso::new(&noting, None, quest(task, plan)) {
        Ok(mut search) => run(&mut search, task, &noting, |path| path, plan, watch),
        Err(_) => Ok(Settled::stillborn()),
    }
}

/// A directed search for a lasso. Not every algorithm has one.
pub(super) fn directed(
    task: &Task<'_>,
    directed: &Directed,
    plan: &Plan,
    watch: &mut dyn Watch,
) -> Result<Settled, CheckError> {
    let Algorithm::BestFirst(method) = directed.algorithm else {
        return Ok(Settled::unknown(NO_CYCLES));
    };
    if directed.price.is_some() {
        return Ok(Settled::unknown("with a claim, a trail costs its steps: leave out `cost`"));
    }
    if method == (Method { successors: method.successors, ..Method::DIJKSTRA }) {
        return shortest(task, plan, watch);
    }
    let noting = Noting::new(task.space);
    let (resources, mut remarks) = (plan.resources(watch), Vec::new());
    let guide = heuristic(directed.heuristic.as_ref(), task, resources, &mut remarks)?;
    let others = directed.others.iter();
    let others = others.map(|spec| heuristic(spec.as_ref(), task, resources, &mut remarks));
    let others = others.collect::<Result<Vec<_>, _>>()?;
    let names = std::iter::once(&guide).chain(&others).map(|one| one.name());
    let name = Some(names.collect::<Vec<_>>().join(", "));
    let back = compass(task.machine);
    match DirectedLasso::new(&noting, guide, back, method, quest(task, plan)) {
        Ok(search) => {
            let mut search = search.with_others(others);
            let settled = run(&mut search, task, &noting, |path| path, plan, watch)?;
            Ok(Settled { heuristic: name, remarks, ..settled })
        }
        Err(_) => Ok(Settled::stillborn()),
    }
}

/// Why a search that was asked for says nothing about cycles.
const NO_CYCLES: &str = "this search does not look for cycles; auto, ndfs, indfs, scc, bfs, \
                         dijkstra, astar and gbfs do";

fn quest<'a>(task: &Task<'_>, plan: &Plan) -> Quest<'a> {
    Quest { limits: plan.limits(), ..Quest::new(task.target) }
}

/// What a search has found, confirmed: with the lasso, unless the claim came to its end.
pub(super) fn confirmed(
    search: &dyn CycleSearch,
    task: &Task<'_>,
    folded: impl Fn(Vec<Vec<u8>>) -> Vec<Vec<u8>>,
    plan: &Plan,
) -> Result<Option<(Violation, Option<Lasso>)>, CheckError> {
    let bound = u64::from(search.lower_bound().0);
    if let Some(Lasso { stem, cycle }) = search.lasso() {
        let lasso = Lasso { stem: folded(stem), cycle: folded(cycle) };
        return Ok(Some((lasso_witness(task, &lasso, plan, bound)?, Some(lasso))));
    }
    let Some(hit) = search.hits().first().copied() else { return Ok(None) };
    let path = folded(search.path(0));
    Ok(Some((task.witness(&path, hit.kind, plan, |_| bound)?, None)))
}

/// Runs a search to its end, and confirms what it finds.
fn run(
    search: &mut dyn CycleSearch,
    task: &Task<'_>,
    noting: &Noting<'_>,
    folded: impl Fn(Vec<Vec<u8>>) -> Vec<Vec<u8>>,
    plan: &Plan,
    watch: &mut dyn Watch,
) -> Result<Settled, CheckError> {
    let ending = drive(search, watch, |_, _| false);
    let (stats, peak_bytes) = (search.stats(), ending.peak_bytes);
    let answer = match confirmed(search, task, folded, plan)? {
        Some((violation, _)) => Answer::Violated(vec![violation]),
        None => without_violation_after(|kind| noting.met(kind), ending.outcome),
    };
    Ok(Settled { stats, peak_bytes, ..Settled::of(answer) })
}
