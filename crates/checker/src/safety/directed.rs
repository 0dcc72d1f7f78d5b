//! Directed search for one property: its heuristics, its search, and the verdict.

use beeline_kernel::spec::Spec;
use beeline_kernel::{BoxedHeuristic, CostModel, Resources};
use beeline_model::{CostedSpace, Reason, Verdict, Violation};
use beeline_search::{AfterHit, Outcome, Search, SearchHeuristics, SearchQuery, SearchSetup};

use crate::observe::{FaultRecorder, Observer, RunEnd, drive_to_the_end, without_violation};
use crate::plan::{DirectedConfig, Plan, Store};
use crate::report::{CheckError, SearchReport};
use crate::task::{
    ActiveReduction, CostAdapter, Task, filter_verdict, heuristic, nearest_miss, not_started,
    reducing, search_store,
};

/// Reason why a search with a claim has no other cost than steps.
pub(crate) const COST_OF_CLAIM: &str =
    "with a claim, the cost of a trail is its number of steps: leave out `cost`";
/// Reason why a search in a system without other costs has none.
const COST_IS_STEPS: &str =
    "the cost of a trail of this model is its number of steps: leave out `cost`";

/// The space of a search with another cost than steps.
type OtherCost<'s> = Option<Box<dyn CostedSpace + 's>>;

/// Searches for the target of a task, with the states in this store.
pub(crate) fn directed_search(
    task: &Task<'_>,
    directed: &DirectedConfig,
    plan: &Plan,
    store: Store,
    observer: &mut dyn Observer,
) -> Result<SearchReport, CheckError> {
    if directed.cost.is_some() && task.has_claim() {
        return Ok(SearchReport::unsupported(COST_OF_CLAIM));
    }
    let costed = match directed.cost.map(|cost| task.system.costed(cost)) {
        Some(None) => return Ok(SearchReport::unsupported(COST_IS_STEPS)),
        costed => costed.flatten(),
    };
    let recorder = FaultRecorder::new(costed.as_ref().map_or(task.space(), |one| one.space()));
    let mut remarks = Vec::new();
    let resources = plan.resources(observer.deadline());
    let heuristics = build_heuristics(task, directed, &costed, resources, &mut remarks)?;
    let (first, names) = (heuristics.first.name().to_owned(), heuristics.names());
    let (reducing, remark) = reducing(task.system, &[task.target], plan)?;
    if reducing.is_some() {
        refuse_reduction(task, store, &costed)?;
    }
    let query = SearchQuery {
        after_hit: if task.all { AfterHit::Continue } else { AfterHit::Stop },
        limits: plan.limits(),
        ..SearchQuery::new(task.target)
    };
    let reduction = reducing.as_ref().map(ActiveReduction::reduction);
    let search_store = match search_store(store, plan.auto.seed, query.limits) {
        Ok(search_store) => search_store,
        Err(reason) => return Ok(SearchReport::unknown(reason)),
    };
    let setup = SearchSetup { space: &recorder, heuristics, query, reduction };
    let mut report = None;
    let started = directed.algorithm.run_with(setup, search_store, plan.auto.jobs, &mut |search| {
        report = Some(searched(search, task, &costed, &recorder, (&first, &names), observer));
    });
    if let Err(error) = started {
        return Ok(SearchReport::unknown(not_started(error)?));
    }
    let mut report = report.expect("a search that starts is run")?;
    let filtered = reducing.as_ref().and_then(|_| filter_verdict(task, &mut report.verdict));
    remarks.append(&mut report.remarks);
    remarks.extend(remark.into_iter().chain(filtered));
    Ok(SearchReport { heuristic: Some(names), remarks, ..report })
}

/// Runs a search by heuristics with these names, the first one and all, to its end.
fn searched(
    search: &mut dyn Search,
    task: &Task<'_>,
    costed: &OtherCost<'_>,
    recorder: &FaultRecorder<'_>,
    (first, names): (&str, &str),
    observer: &mut dyn Observer,
) -> Result<SearchReport, CheckError> {
    let ending = drive_to_the_end(search, observer);
    let verdict = match violations(search, task, costed)? {
        none if none.is_empty() => without_hit(search, &ending, recorder),
        violations => Verdict::Violated(violations),
    };
    let is_open = matches!(verdict, Verdict::Unknown(_)) && costed.is_none();
    let nearest = is_open.then(|| nearest_miss(search, first, task)).flatten();
    let stats = search.stats();
    // No step can fail and no state was expanded, so the initial state is a dead end.
    let is_proof = task.system.never_fails() && stats.expanded == 0;
    let mut remarks: Vec<String> =
        costed.iter().filter_map(|one| remark(&**one, search, &verdict)).collect();
    if is_proof && matches!(verdict, Verdict::Holds) {
        remarks.push(format!("{names} proves that no error can be reached"));
    }
    let peak_bytes = ending.peak_bytes;
    Ok(SearchReport { stats, peak_bytes, nearest, remarks, ..SearchReport::of(verdict) })
}

/// The remark on the cost of the first violation.
fn remark(costed: &dyn CostedSpace, search: &dyn Search, verdict: &Verdict) -> Option<String> {
    let ([violation, ..], hits) = (verdict.violations(), search.hits()) else { return None };
    costed.remark(&violation.trail, hits.first()?.kind, search.lower_bound().0)
}

/// Builds the heuristics of a search, in the unit of its costs.
fn build_heuristics<'a>(
    task: &Task<'a>,
    directed: &DirectedConfig,
    costed: &'a OtherCost<'a>,
    resources: Resources<'_>,
    remarks: &mut Vec<String>,
) -> Result<SearchHeuristics<'a>, CheckError> {
    let per_step = directed.cost.map_or(0, CostModel::per_step);
    let mut build = |spec: Option<&Spec>| -> Result<BoxedHeuristic<'a>, CheckError> {
        let heuristic = heuristic(spec, task, resources, remarks)?;
        Ok(match costed {
            Some(costed) => Box::new(CostAdapter { heuristic, costed: &**costed, per_step }),
            None => heuristic,
        })
    };
    let first = build(directed.heuristic.as_ref())?;
    let others = directed.others.iter().map(|spec| build(spec.as_ref()));
    let others = others.collect::<Result<Vec<_>, _>>()?;
    let tie_breaker = directed.tie_breaker.as_ref().map(|spec| build(Some(spec))).transpose()?;
    Ok(SearchHeuristics { first, others, tie_breaker })
}

/// Refuses a reduction with a lossy store, another cost or a claim.
fn refuse_reduction(
    task: &Task<'_>,
    store: Store,
    costed: &OtherCost<'_>,
) -> Result<(), CheckError> {
    let why = if store.is_lossy() {
        "directed searches with a lossy store cannot be reduced"
    } else if costed.is_some() || task.has_claim() {
        "directed searches with claims or `cost` cannot be reduced"
    } else {
        return Ok(());
    };
    Err(CheckError::Reduction(format!("{why}: leave out --reduce")))
}

/// The violations that a search has found, replayed.
fn violations(
    search: &dyn Search,
    task: &Task<'_>,
    costed: &OtherCost<'_>,
) -> Result<Vec<Violation>, CheckError> {
    let bound = u64::from(search.lower_bound().0);
    let hits = search.hits().into_iter().enumerate();
    let replayed = hits.map(|(at, hit)| {
        let path = search.path(at);
        Ok(match costed {
            // A bound on another cost does not bound the number of steps.
            Some(costed) => costed.witness(&path, hit.kind)?,
            None => task.witness(&path, hit.kind, |_| bound)?,
        })
    });
    replayed.collect()
}

/// The verdict of a search without a hit.
fn without_hit(search: &dyn Search, ending: &RunEnd, recorder: &FaultRecorder<'_>) -> Verdict {
    match (ending.outcome, search.omissions()) {
        (Outcome::Incomplete(stop), omissions) => Verdict::Unknown(Reason::of(stop, omissions)),
        (_, _) => without_violation(|kind| recorder.met(kind), Outcome::Complete),
    }
}
