//! Checking and counting with a store that does not keep all states: a lossy store, or the cache,
//! which removes states and expands them again.
//!
//! Violations are replayed as always. With a lossy store, a property without a violation is
//! *unknown*, and the reason estimates the omissions. With the cache, which omits no state, it
//! *holds* after a complete search.

use beeline_kernel::{Space, Stop};
use beeline_model::{Reason, Verdict};
use beeline_search::{
    AfterHit, CachingSearch, ExplorationOrder, FindingKind, NoSetSearch, Outcome, PartialSearch,
    RepeatedSet, Search, SearchQuery, SearchStore, SearchTarget, StackSearch, StoreLimits, Visited,
};

use super::in_threads::explore_in_threads;
use super::violation_collector::ViolationCollector;
use crate::context::CheckContext;
use crate::observe::{Event, Observer, RunEnd, drive, without_violation};
use crate::plan::{Plan, Store, Strategy};
use crate::report::{CheckError, CheckReport, PropertyReport};
use crate::task::{
    ActiveReduction, NO_ARRAY, blind_bound, filter_verdict, reducing_lossy, search_store, share,
};

/// Starts a search of all states for all kinds of errors: breadth-first if `order` says so and the
/// store is not the cache, else depth-first, with a reduction if there is one. `Err` has the reason
/// why it cannot start.
pub(crate) fn through_all<'a>(
    space: &'a dyn Space,
    plan: &Plan,
    store: Store,
    order: ExplorationOrder,
    reducing: Option<&'a ActiveReduction<'a>>,
) -> Result<Box<dyn Search + 'a>, Reason> {
    let limits = plan.limits();
    let query = SearchQuery {
        after_hit: AfterHit::Continue,
        limits,
        keep: 1,
        ..SearchQuery::new(SearchTarget::ANYTHING)
    };
    if let Store::Cache { states, bytes } = store {
        return Ok(Box::new(caching(space, states, bytes, query)?));
    }
    match search_store(store, plan.auto.seed, limits)? {
        SearchStore::Bitstate(set) => blindly(space, set, order, query, reducing),
        SearchStore::HashCompact(set) => blindly(space, set, order, query, reducing),
        SearchStore::Exact | SearchStore::Compact | SearchStore::Covering => {
            unreachable!("these stores keep all states")
        }
    }
}

/// A depth-first search with a cache.
pub(crate) fn caching<'a>(
    space: &'a dyn Space,
    states: Option<usize>,
    bytes: Option<usize>,
    query: SearchQuery<'a>,
) -> Result<CachingSearch<'a>, Reason> {
    // With a limit on states alone, the cache may use all memory.
    let bytes = if states.is_some() && bytes.is_none() {
        query.limits.bytes.unwrap_or(usize::MAX)
    } else {
        share(bytes, query.limits)
    };
    let room = StoreLimits { states: states.unwrap_or(usize::MAX), bytes };
    CachingSearch::new(space, room, query).map_err(|_| Reason::InitialFault)
}

fn blindly<'a, V: Visited + 'a>(
    space: &'a dyn Space,
    set: RepeatedSet<V>,
    order: ExplorationOrder,
    query: SearchQuery<'a>,
    reducing: Option<&'a ActiveReduction<'a>>,
) -> Result<Box<dyn Search + 'a>, Reason> {
    let initial_fault = |_| Reason::InitialFault;
    if order == ExplorationOrder::Breadth {
        let search = PartialSearch::breadth_first(space, set, query);
        return Ok(boxed(search.map_err(initial_fault)?));
    }
    let search =
        StackSearch::new(space, set.visited, set.restarts, query).map_err(initial_fault)?;
    match reducing {
        None => Ok(boxed(search)),
        Some(reducing) => {
            let reduced = search.with_reduction(reducing.reduction());
            Ok(boxed(reduced.map_err(|refusal| Reason::unsupported(refusal.to_string()))?))
        }
    }
}

fn boxed<'a>(search: impl Search + 'a) -> Box<dyn Search + 'a> {
    Box::new(search)
}

/// Reason why a property with a claim has no verdict.
pub(crate) fn not_for_claims(store: Store) -> String {
    format!("the store {} does not support claims", store.name())
}

/// Checks all properties in one search with a store that does not keep all states.
pub(crate) fn check_lossy(
    context: &CheckContext<'_>,
    store: Store,
    observer: &mut dyn Observer,
) -> Result<CheckReport, CheckError> {
    let &CheckContext { properties, system, plan, .. } = context;
    let unknown = |reason: Reason| {
        let unknown = Verdict::Unknown(reason);
        let verdict = |property| PropertyReport::new(property, unknown.clone());
        let properties = properties.iter().map(verdict).collect();
        Ok(CheckReport { properties, ..CheckReport::default() })
    };
    if let Strategy::Directed(_) = plan.search.strategy {
        let why = "the store cache works with depth-first search only, not with directed searches";
        return unknown(Reason::unsupported(why));
    }
    let order = order(plan, store);
    let (reducing, remark) = reducing_lossy(system, &context.targets(), plan, (store, order))?;
    let instead = instead(plan, store, order);
    if let Some(instead) = &instead {
        observer.on_event(&Event::Notice(instead));
    }
    let space = system.space();
    let remarks: Vec<String> = instead.into_iter().chain(remark).collect();
    if order == ExplorationOrder::Breadth
        && reducing.is_none()
        && let Some(options) = plan.in_parallel()
    {
        let remarks = [&remarks[..], &[IN_THREADS.to_owned()]].concat();
        let checked = |search: &mut dyn Search| {
            check_with(search, context, (store, false), &remarks, observer)
        };
        match explore_in_threads(space, store, options, plan, checked) {
            Some(Ok(report)) => return report,
            Some(Err(NoSetSearch::Fault(_))) => return unknown(Reason::InitialFault),
            Some(Err(NoSetSearch::Memory)) => return unknown(Reason::unsupported(NO_ARRAY)),
            None => {}
        }
    }
    match through_all(space, plan, store, order, reducing.as_ref()) {
        Ok(mut search) => {
            let is_reduced = reducing.is_some();
            check_with(&mut *search, context, (store, is_reduced), &remarks, observer)
        }
        Err(reason) => unknown(reason),
    }
}

/// Why counters differ between runs.
const IN_THREADS: &str = "with several threads, the counts and the omitted states depend on the \
                          run; `--jobs 1` repeats them";

/// Checks all properties by this search.
fn check_with(
    search: &mut dyn Search,
    context: &CheckContext<'_>,
    (store, is_reduced): (Store, bool),
    remarks: &[String],
    observer: &mut dyn Observer,
) -> Result<CheckReport, CheckError> {
    let &CheckContext { properties, system, .. } = context;
    // Breadth-first search gives no better bound here: a shorter path may be omitted.
    let bound = |moves| blind_bound(ExplorationOrder::Depth, moves);
    let mut collector = ViolationCollector::new(context, bound);
    let ending = drive(search, observer, |search, observer| collector.collect(search, observer));
    let mut found = collector.verdicts()?;
    let mut report = CheckReport {
        stats: search.stats(),
        peak_bytes: ending.peak_bytes,
        ..CheckReport::default()
    };
    for property in properties {
        let Some(target) = system.target(property) else {
            let verdict = Verdict::Unknown(Reason::unsupported(not_for_claims(store)));
            report.properties.push(PropertyReport::new(property, verdict));
            continue;
        };
        let open = || without_finding(search, &ending);
        let mut verdict = found.next().flatten().unwrap_or_else(open);
        let task = context.task(target);
        let filtered = is_reduced.then(|| filter_verdict(&task, &mut verdict)).flatten();
        let mut checked = PropertyReport::new(property, verdict);
        checked.remarks.extend(remarks.iter().cloned().chain(filtered));
        report.properties.push(checked);
    }
    Ok(report)
}

/// The order of a search with such a store.
fn order(plan: &Plan, store: Store) -> ExplorationOrder {
    match plan.search.strategy {
        Strategy::Blind(ExplorationOrder::Breadth) if store.is_lossy() => ExplorationOrder::Breadth,
        _ => ExplorationOrder::Depth,
    }
}

/// The remark if depth-first search replaces the requested search.
fn instead(plan: &Plan, store: Store, order: ExplorationOrder) -> Option<String> {
    let (name, store) = (&plan.search.name, store.name());
    match plan.search.strategy {
        Strategy::Blind(asked) if asked == order => None,
        Strategy::Cycles(_) => None,
        _ => Some(format!("depth-first search instead of {name}, because of the store {store}")),
    }
}

/// The verdict on a property without a violation.
fn without_finding(search: &dyn Search, ending: &RunEnd) -> Verdict {
    let hits = search.hits();
    let met = |kind| {
        hits.iter().any(|hit| matches!(hit.kind, FindingKind::Fault(fault) if fault.kind == kind))
    };
    match (ending.outcome, search.omissions()) {
        (Outcome::Incomplete(stop), omissions) => Verdict::Unknown(Reason::of(stop, omissions)),
        // Neither `Complete` nor `Found` proves the property: states may be omitted.
        (_, Some(omissions)) => Verdict::Unknown(Reason::of(Stop::LossyStore, Some(omissions))),
        (outcome, None) => without_violation(met, outcome),
    }
}
