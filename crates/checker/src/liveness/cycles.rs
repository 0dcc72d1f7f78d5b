//! Searches for accepting cycles of a product.

use std::sync::atomic::AtomicUsize;

use beeline_kernel::{Fault, Space, StatePath};
use beeline_search::{
    BestFirstConfig, CompactStore, CycleRule, CycleSearch, CycleThreads, Degeneralized,
    DirectedLasso, ExactStore, Lasso, NestedDfs, Nesting, PersistenceSearch, SccSearch,
    SearchQuery, ShortestLasso, StateStore, search_cycles_in_parallel,
};

use beeline_model::{Fairness, Reason, Unconfirmed, Verdict, Violation};

use crate::observe::{FaultRecorder, Observer, drive, without_violation};
use crate::plan::{CycleAlgorithm, DirectedConfig, Plan, Store};
use crate::report::{CheckError, SearchReport};
use crate::safety::COST_OF_CLAIM;
use crate::task::{Task, heuristic, towards_states};

/// Starts a search for accepting cycles, with the states in this store.
pub(super) fn start<'a>(
    space: &'a dyn Space,
    algorithm: CycleAlgorithm,
    store: Store,
    query: SearchQuery<'a>,
) -> Result<Box<dyn CycleSearch + 'a>, Fault> {
    match store {
        Store::Compact => start_in::<CompactStore>(space, algorithm, query),
        _ => start_in::<ExactStore>(space, algorithm, query),
    }
}

fn start_in<'a, T: StateStore + 'a>(
    space: &'a dyn Space,
    algorithm: CycleAlgorithm,
    query: SearchQuery<'a>,
) -> Result<Box<dyn CycleSearch + 'a>, Fault> {
    Ok(match algorithm {
        CycleAlgorithm::Nested => {
            Box::new(NestedDfs::<T>::with_store(space, Nesting::Plain, query)?)
        }
        CycleAlgorithm::Improved | CycleAlgorithm::Parallel => {
            Box::new(NestedDfs::<T>::with_store(space, Nesting::Improved, query)?)
        }
        CycleAlgorithm::Components => Box::new(SccSearch::<T>::with_store(space, query)?),
    })
}

/// Starts a search for a cycle all of whose states accept, with the states in this store.
pub(super) fn start_persistence<'a>(
    space: &'a dyn Space,
    store: Store,
    query: SearchQuery<'a>,
) -> Result<Box<dyn CycleSearch + 'a>, Fault> {
    Ok(match store {
        Store::Compact => Box::new(PersistenceSearch::<CompactStore>::with_store(space, query)?),
        _ => Box::new(PersistenceSearch::<ExactStore>::with_store(space, query)?),
    })
}

/// Searches for an accepting cycle or the end of the claim.
pub(crate) fn search(
    task: &Task<'_>,
    algorithm: CycleAlgorithm,
    plan: &Plan,
    store: Store,
    observer: &mut dyn Observer,
) -> Result<SearchReport, CheckError> {
    let recorder = FaultRecorder::new(task.space());
    let unfolded = Degeneralized::new(&recorder);
    // Fairness marks transitions; nested search handles accepting states only.
    let unfolds = plan.fairness == Fairness::Weak && algorithm != CycleAlgorithm::Components;
    let space: &dyn Space = if unfolds { &unfolded } else { &recorder };
    let folded = |path| if unfolds { unfolded.path_without_levels(path) } else { path };
    let one_thread = match algorithm {
        CycleAlgorithm::Parallel => why_one_thread(plan, store),
        _ => None,
    };
    if algorithm == CycleAlgorithm::Parallel && one_thread.is_none() {
        let wanted = AtomicUsize::new(plan.auto.jobs);
        let threads = CycleThreads { wanted: &wanted, most: plan.auto.jobs };
        let checked = |search: &mut dyn CycleSearch| run(search, task, &recorder, folded, observer);
        let rule = CycleRule::Components;
        return match search_cycles_in_parallel(space, rule, query(task, plan), threads, checked) {
            Ok(report) => Ok(SearchReport { remarks: remarks_on_threads(plan), ..report? }),
            Err(_) => Ok(SearchReport::unknown(Reason::InitialFault)),
        };
    }
    let Ok(mut search) = start(space, algorithm, store, query(task, plan)) else {
        return Ok(SearchReport::unknown(Reason::InitialFault));
    };
    let report = run(&mut *search, task, &recorder, folded, observer)?;
    let remarks = one_thread.map(str::to_owned).into_iter().collect();
    Ok(SearchReport { remarks, ..report })
}

/// Why a parallel search has one thread and is `indfs`, if it is.
fn why_one_thread(plan: &Plan, store: Store) -> Option<&'static str> {
    if plan.depth.is_some() {
        return Some("one thread, as with indfs: paths of several threads have no depth limit");
    }
    (!matches!(store, Store::Exact | Store::Auto))
        .then_some("one thread, as with indfs: several threads have the exact store")
}

/// What differs between runs in threads.
fn remarks_on_threads(plan: &Plan) -> Vec<String> {
    let remark = "with several threads, the cycle that is found and all counts but the stored \
                  states depend on the run; `--jobs 1` repeats them";
    (plan.auto.jobs > 1).then(|| remark.to_owned()).into_iter().collect()
}

/// Searches for the shortest lasso, with a proof.
pub(super) fn shortest(
    task: &Task<'_>,
    plan: &Plan,
    observer: &mut dyn Observer,
) -> Result<SearchReport, CheckError> {
    let recorder = FaultRecorder::new(task.space());
    match ShortestLasso::new(&recorder, None, query(task, plan)) {
        Ok(mut search) => run(&mut search, task, &recorder, |path| path, observer),
        Err(_) => Ok(SearchReport::unknown(Reason::InitialFault)),
    }
}

/// Directed search for a lasso. Only best-first searches support it.
pub(super) fn directed(
    task: &Task<'_>,
    directed: &DirectedConfig,
    plan: &Plan,
    observer: &mut dyn Observer,
) -> Result<SearchReport, CheckError> {
    let Some(&config) = directed.algorithm.best_first() else {
        return Ok(SearchReport::unsupported(NO_CYCLES));
    };
    if directed.cost.is_some() {
        return Ok(SearchReport::unsupported(COST_OF_CLAIM));
    }
    let BestFirstConfig { successor_order, .. } = config;
    if config == (BestFirstConfig { successor_order, ..BestFirstConfig::DIJKSTRA }) {
        return shortest(task, plan, observer);
    }
    let recorder = FaultRecorder::new(task.space());
    let (resources, mut remarks) = (plan.resources(observer.deadline()), Vec::new());
    let guide = heuristic(directed.heuristic.as_ref(), task, resources, &mut remarks)?;
    let others = directed.others.iter();
    let others = others.map(|spec| heuristic(spec.as_ref(), task, resources, &mut remarks));
    let others = others.collect::<Result<Vec<_>, _>>()?;
    let names = std::iter::once(&guide).chain(&others).map(|one| one.name());
    let name = Some(names.collect::<Vec<_>>().join(", "));
    let back = towards_states(task.system);
    match DirectedLasso::new(&recorder, guide, back, config, query(task, plan)) {
        Ok(search) => {
            let mut search = search.with_heuristics(others);
            let settled = run(&mut search, task, &recorder, |path| path, observer)?;
            Ok(SearchReport { heuristic: name, remarks, ..settled })
        }
        Err(_) => Ok(SearchReport::unknown(Reason::InitialFault)),
    }
}

/// Reason why the requested search does not decide the property.
const NO_CYCLES: &str = "this search does not look for cycles; auto, ndfs, indfs, cndfs, \
                         scc, bfs, dijkstra, astar and gbfs do";

fn query<'a>(task: &Task<'_>, plan: &Plan) -> SearchQuery<'a> {
    SearchQuery { limits: plan.limits(), ..SearchQuery::new(task.target) }
}

/// The violation by a lasso of the product, replayed.
pub(super) fn lasso_witness(
    task: &Task<'_>,
    lasso: &Lasso,
    bound: u64,
) -> Result<Violation, Unconfirmed> {
    let claim = task.system.product_claim().expect("the system is a product");
    claim.lasso_witness(lasso, bound)
}

/// The violation that a search has found, replayed; with its lasso, unless the claim has ended.
pub(super) fn confirmed(
    search: &dyn CycleSearch,
    task: &Task<'_>,
    folded: impl Fn(StatePath) -> StatePath,
) -> Result<Option<(Violation, Option<Lasso>)>, Unconfirmed> {
    let bound = u64::from(search.lower_bound().0);
    if let Some(Lasso { stem, cycle }) = search.lasso() {
        let lasso = Lasso { stem: folded(stem), cycle: folded(cycle) };
        return Ok(Some((lasso_witness(task, &lasso, bound)?, Some(lasso))));
    }
    let Some(hit) = search.hits().first().copied() else { return Ok(None) };
    let path = folded(search.path(0));
    Ok(Some((task.witness(&path, hit.kind, |_| bound)?, None)))
}

/// Runs a search to its end, and replays the violation that it finds.
fn run(
    search: &mut dyn CycleSearch,
    task: &Task<'_>,
    recorder: &FaultRecorder<'_>,
    folded: impl Fn(StatePath) -> StatePath,
    observer: &mut dyn Observer,
) -> Result<SearchReport, CheckError> {
    let ending = drive(search, observer, |_, _| false);
    let (stats, peak_bytes) = (search.stats(), ending.peak_bytes);
    let verdict = match confirmed(search, task, folded)? {
        Some((violation, _)) => Verdict::Violated(vec![violation]),
        None => without_violation(|kind| recorder.met(kind), ending.outcome),
    };
    Ok(SearchReport { stats, peak_bytes, ..SearchReport::of(verdict) })
}
