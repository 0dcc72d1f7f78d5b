//! Directed search for one property: which heuristic, which algorithm, and what came of it.

use beeline_kernel::spec::Spec;
use beeline_kernel::{BoxedHeuristic, CostModel};
use beeline_model::{Reason, Verdict};
use beeline_search::{AfterHit, Outcome, SearchQuery, StateStore};

use super::lossy;
use crate::observe::{FaultRecorder, Observer, drive_to_the_end, without_violation};
use crate::plan::{DirectedConfig, Plan};
use crate::report::{CheckError, SearchReport};
use crate::task::{
    ActiveReduction, CostAdapter, Heuristics, StartError, Task, filter_verdict, heuristic,
    nearest_miss, reducing, start_reduced,
};

/// Why a search for a claim has no other cost than steps.
pub(crate) const COST_OF_CLAIM: &str = "with a claim, a trail costs its steps: leave out `cost`";
/// Why a search of a system without other costs has none.
const COST_IS_STEPS: &str = "trails of this model cost their steps: leave out `cost`";

/// Searches for the target of a task.
pub(crate) fn directed_search<T: StateStore>(
    task: &Task<'_>,
    directed: &DirectedConfig,
    plan: &Plan,
    observer: &mut dyn Observer,
) -> Result<SearchReport, CheckError> {
    if directed.price.is_some() && task.has_claim() {
        return Ok(SearchReport::unsupported(COST_OF_CLAIM));
    }
    let costed = match directed.price.map(|costs| task.system.costed(costs)) {
        Some(None) => return Ok(SearchReport::unsupported(COST_IS_STEPS)),
        costed => costed.flatten(),
    };
    let space = costed.as_ref().map_or(task.space(), |costed| costed.space());
    let recorder = FaultRecorder::new(space);
    let mut remarks = Vec::new();
    let resources = plan.resources(observer.deadline());
    let mut build = |spec: Option<&Spec>| -> Result<BoxedHeuristic<'_>, CheckError> {
        let heuristic = heuristic(spec, task, resources, &mut remarks)?;
        Ok(match &costed {
            Some(costed) => {
                let per_step = directed.price.map_or(0, CostModel::per_step);
                Box::new(CostAdapter { heuristic, costed: &**costed, per_step })
            }
            None => heuristic,
        })
    };
    let first = build(directed.heuristic.as_ref())?;
    let others = directed.others.iter().map(|spec| build(spec.as_ref()));
    let others = others.collect::<Result<Vec<_>, _>>()?;
    let second = match &directed.second {
        Some(spec) => Some(build(Some(spec))?),
        None => None,
    };
    let name = Some(first.name().to_owned());
    let heuristics = Heuristics { first, others, second };
    let names = Some(heuristics.names());
    let query = SearchQuery {
        after_hit: if task.all { AfterHit::Continue } else { AfterHit::Stop },
        limits: plan.limits(),
        ..SearchQuery::new(task.target)
    };
    let (reducing, remark) = reducing(task.system, &[task.target], plan)?;
    if reducing.is_some() {
        let excluded = if plan.store.is_lossy() {
            Some("with a store that may overlook states, directed searches see all they meet")
        } else if costed.is_some() || task.has_claim() {
            Some("with claims and `cost`, directed searches see all states")
        } else {
            None
        };
        if let Some(why) = excluded {
            return Err(CheckError::Reduction(format!("{why}: leave out --reduce")));
        }
    }
    let (algorithm, store) = (directed.algorithm, (plan.store, plan.auto.seed));
    let begun = if plan.store.is_lossy() {
        lossy::start(&recorder, algorithm, heuristics, store, query)
    } else {
        let reduction = reducing.as_ref().map(ActiveReduction::reduction);
        match start_reduced::<T>(&recorder, algorithm, heuristics, query, reduction) {
            Err(StartError::Refusal(refusal)) => return Err(refusal.into()),
            begun => begun.map_err(|_| Reason::InitialFault),
        }
    };
    let mut search = match begun {
        Ok(search) => search,
        Err(reason) => return Ok(SearchReport::unknown(reason)),
    };
    let ending = drive_to_the_end(&mut *search, observer);
    let (stats, peak_bytes, bound) = (search.stats(), ending.peak_bytes, search.lower_bound());
    let mut violations = Vec::new();
    for (at, hit) in search.hits().into_iter().enumerate() {
        let path = search.path(at);
        violations.push(match &costed {
            // Nothing was found out about steps.
            Some(costed) => costed.witness(&path, hit.kind)?,
            None => task.witness(&path, hit.kind, |_| u64::from(bound.0))?,
        });
    }
    let mut verdict = if violations.is_empty() {
        // Where it was told to stop at what it looks for, it did not find any.
        let outcome =
            if ending.outcome == Outcome::Found { Outcome::Complete } else { ending.outcome };
        match (outcome, search.omissions()) {
            (Outcome::Incomplete(stop), omissions) => Verdict::Unknown(Reason::of(stop, omissions)),
            (outcome, _) => without_violation(|kind| recorder.met(kind), outcome),
        }
    } else {
        Verdict::Violated(violations)
    };
    let is_open = matches!(verdict, Verdict::Unknown(_)) && costed.is_none();
    let nearest = name.as_ref().filter(|_| is_open);
    let nearest = nearest.and_then(|name| nearest_miss(&*search, name, task));
    let filtered = reducing.as_ref().and_then(|_| filter_verdict(task, &mut verdict));
    // Where no step can fail, the initial state is a dead end of the heuristic.
    let is_proof = task.system.never_fails() && stats.expanded == 0;
    if is_proof && matches!(verdict, Verdict::Holds) {
        let name = names.as_deref().unwrap_or("the heuristic");
        remarks.push(format!("{name} proves that no error can be reached"));
    }
    remarks.extend(remark.into_iter().chain(filtered));
    Ok(SearchReport {
        stats,
        peak_bytes,
        heuristic: names,
        nearest,
        remarks,
        ..SearchReport::of(verdict)
    })
}
