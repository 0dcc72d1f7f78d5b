//! Searching for cycles that a claim says must not be.

use beeline_kernel::{Fault, Space};
use beeline_search::{
    BestFirstConfig, CycleSearch, Degeneralized, DirectedLasso, Lasso, NestedDfs, Nesting,
    SccSearch, SearchQuery, ShortestLasso, StateStore,
};

use super::lasso::{Fairness, lasso_witness};
use crate::check::{CheckError, Verdict, without_violation_after};
use crate::directed::{SearchReport, Task, heuristic};
use crate::fault_recorder::FaultRecorder;
use crate::improve::compass;
use crate::observer::Observer;
use crate::run::{Plan, drive};
use crate::searches::{DirectedAlgorithm, DirectedConfig};
use crate::witness::Violation;

/// How to search for cycles.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CycleAlgorithm {
    /// Nested depth-first search, as SPIN does it.
    Nested,
    /// The same with what is known about the components of the claim.
    #[default]
    Improved,
    /// By strongly connected components of the states.
    Components,
}

impl CycleAlgorithm {
    /// What goes through all states fastest: where ways bear marks, only the components know
    /// what to do with them.
    pub(super) fn usual(fairness: Fairness) -> CycleAlgorithm {
        match fairness {
            Fairness::None => CycleAlgorithm::Improved,
            Fairness::Weak => CycleAlgorithm::Components,
        }
    }
}

/// A search for cycles in a space, about to begin.
pub(super) fn start<'a, T: StateStore + 'a>(
    space: &'a dyn Space,
    algorithm: CycleAlgorithm,
    query: SearchQuery<'a>,
) -> Result<Box<dyn CycleSearch + 'a>, Fault> {
    Ok(match algorithm {
        CycleAlgorithm::Nested => {
            Box::new(NestedDfs::<T>::with_store(space, Nesting::Plain, query)?)
        }
        CycleAlgorithm::Improved => {
            Box::new(NestedDfs::<T>::with_store(space, Nesting::Improved, query)?)
        }
        CycleAlgorithm::Components => Box::new(SccSearch::<T>::with_store(space, query)?),
    })
}

/// Searches for a cycle, or the end of the claim.
pub(crate) fn search<T: StateStore>(
    task: &Task<'_>,
    algorithm: CycleAlgorithm,
    plan: &Plan,
    observer: &mut dyn Observer,
) -> Result<SearchReport, CheckError> {
    let recorder = FaultRecorder::new(task.space);
    let unfolded = Degeneralized::new(&recorder);
    // Nested search knows accepting states only; components know who has moved, too.
    let unfolds = plan.fairness == Fairness::Weak && algorithm != CycleAlgorithm::Components;
    let space: &dyn Space = if unfolds { &unfolded } else { &recorder };
    let Ok(mut search) = start::<T>(space, algorithm, query(task, plan)) else {
        return Ok(SearchReport::initial_fault());
    };
    let folded = |path| if unfolds { unfolded.path_without_levels(path) } else { path };
    run(&mut *search, task, &recorder, folded, plan, observer)
}

/// The shortest lasso, with a proof.
pub(super) fn shortest(
    task: &Task<'_>,
    plan: &Plan,
    observer: &mut dyn Observer,
) -> Result<SearchReport, CheckError> {
    let recorder = FaultRecorder::new(task.space);
    match ShortestLasso::new(&recorder, None, query(task, plan)) {
        Ok(mut search) => run(&mut search, task, &recorder, |path| path, plan, observer),
        Err(_) => Ok(SearchReport::initial_fault()),
    }
}

/// A directed search for a lasso. Not every algorithm has one.
pub(super) fn directed(
    task: &Task<'_>,
    directed: &DirectedConfig,
    plan: &Plan,
    observer: &mut dyn Observer,
) -> Result<SearchReport, CheckError> {
    let DirectedAlgorithm::BestFirst(method) = directed.algorithm else {
        return Ok(SearchReport::unknown(NO_CYCLES));
    };
    if directed.price.is_some() {
        return Ok(SearchReport::unknown(
            "with a claim, a trail costs its steps: leave out `cost`",
        ));
    }
    if method
        == (BestFirstConfig {
            successor_order: method.successor_order,
            ..BestFirstConfig::DIJKSTRA
        })
    {
        return shortest(task, plan, observer);
    }
    let recorder = FaultRecorder::new(task.space);
    let (resources, mut remarks) = (plan.resources(observer), Vec::new());
    let guide = heuristic(directed.heuristic.as_ref(), task, resources, &mut remarks)?;
    let others = directed.others.iter();
    let others = others.map(|spec| heuristic(spec.as_ref(), task, resources, &mut remarks));
    let others = others.collect::<Result<Vec<_>, _>>()?;
    let names = std::iter::once(&guide).chain(&others).map(|one| one.name());
    let name = Some(names.collect::<Vec<_>>().join(", "));
    let back = compass(task.machine);
    match DirectedLasso::new(&recorder, guide, back, method, query(task, plan)) {
        Ok(search) => {
            let mut search = search.with_heuristics(others);
            let settled = run(&mut search, task, &recorder, |path| path, plan, observer)?;
            Ok(SearchReport { heuristic: name, remarks, ..settled })
        }
        Err(_) => Ok(SearchReport::initial_fault()),
    }
}

/// Why a search that was asked for says nothing about cycles.
const NO_CYCLES: &str = "this search does not look for cycles; auto, ndfs, indfs, scc, bfs, \
                         dijkstra, astar and gbfs do";

fn query<'a>(task: &Task<'_>, plan: &Plan) -> SearchQuery<'a> {
    SearchQuery { limits: plan.limits(), ..SearchQuery::new(task.target) }
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
    recorder: &FaultRecorder<'_>,
    folded: impl Fn(Vec<Vec<u8>>) -> Vec<Vec<u8>>,
    plan: &Plan,
    observer: &mut dyn Observer,
) -> Result<SearchReport, CheckError> {
    let ending = drive(search, observer, |_, _| false);
    let (stats, peak_bytes) = (search.stats(), ending.peak_bytes);
    let verdict = match confirmed(search, task, folded, plan)? {
        Some((violation, _)) => Verdict::Violated(vec![violation]),
        None => without_violation_after(|kind| recorder.met(kind), ending.outcome),
    };
    Ok(SearchReport { stats, peak_bytes, ..SearchReport::of(verdict) })
}
