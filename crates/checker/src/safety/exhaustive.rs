//! Exploration of all states, for all properties together.

use beeline_model::{Property, Verdict};
use beeline_search::{Exploration, FindingKind, Outcome, Search, StateStore};

use super::in_threads::{explore_in_threads, reduced_in_threads};
use super::violation_collector::ViolationCollector;
use crate::context::CheckContext;
use crate::observe::{self, Event, Observer, drive};
use crate::plan::{Plan, Store};
use crate::report::{CheckError, CheckReport, PropertyReport};
use crate::task::{blind_bound, filter_verdict, reducing};

/// Explores all states once, in this store, of type `T` if there is one thread. The report has the
/// properties that single states and steps violate, in their order.
pub(crate) fn explore<T: StateStore>(
    context: &CheckContext<'_>,
    store: Store,
    observer: &mut dyn Observer,
) -> Result<CheckReport, CheckError> {
    let &CheckContext { system, plan, .. } = context;
    let (reducing, remark) = reducing(system, &context.targets(), plan)?;
    if let Some(options) = plan.in_parallel() {
        let space = system.space();
        let is_reduced = reducing.is_some();
        let checked = |search: &mut dyn Search| {
            checked(search, is_reduced, remark.clone(), context, observer)
        };
        let report = match &reducing {
            None => explore_in_threads(space, store, options, plan, checked)
                .map(|report| report.expect("the initial state was computed before")),
            Some(reducing) => reduced_in_threads(space, store, options, reducing, checked)
                .map(|report| report.expect("the initial state was computed before")),
        };
        if let Some(report) = report {
            return report;
        }
    }
    let exploration = Exploration::<T>::with_store(system.space(), plan.exploration());
    let mut exploration = exploration.expect("the initial state was computed before");
    if let Some(reducing) = &reducing {
        exploration = reducing.reduced(exploration, system.space())?;
    }
    let is_reduced = exploration.is_reduced();
    checked(&mut exploration, is_reduced, remark, context, observer)
}

/// Runs a search of all states to its end.
fn checked(
    search: &mut dyn Search,
    is_reduced: bool,
    remark: Option<String>,
    context: &CheckContext<'_>,
    observer: &mut dyn Observer,
) -> Result<CheckReport, CheckError> {
    let &CheckContext { properties, system, plan, .. } = context;
    let bound = |moves| if is_reduced { 0 } else { blind_bound(plan.order(), moves) };
    let mut collector = ViolationCollector::new(context, bound);
    let ending = drive(search, observer, |search, observer| collector.collect(search, observer));
    let mut found = collector.verdicts()?;
    let kinds: Vec<FindingKind> = search.hits().into_iter().map(|hit| hit.kind).collect();
    let mut checked = Vec::new();
    for property in properties {
        let Some(target) = system.target(property) else { continue };
        let open = || without_finding(kinds.iter().copied(), ending.outcome);
        let mut verdict = found.next().flatten().unwrap_or_else(open);
        let task = context.task(target);
        let filtered = is_reduced.then(|| filter_verdict(&task, &mut verdict)).flatten();
        let mut report = PropertyReport::new(property, verdict);
        report.remarks.extend(remark.clone().into_iter().chain(filtered));
        checked.push(report);
    }
    let (stats, peak_bytes) = (search.stats(), ending.peak_bytes);
    Ok(CheckReport { properties: checked, stats, peak_bytes, ..CheckReport::default() })
}

/// The verdict on a property without a violation, given the findings of the exploration.
pub(crate) fn without_finding(
    kinds: impl Iterator<Item = FindingKind> + Clone,
    outcome: Outcome,
) -> Verdict {
    let met = |kind| {
        let mut kinds = kinds.clone();
        kinds.any(|found| matches!(found, FindingKind::Fault(fault) if fault.kind == kind))
    };
    observe::without_violation(met, outcome)
}

/// Reports a violation to the observer at once: other properties may still be open.
pub(crate) fn announce(
    verdict: &Verdict,
    property: &Property,
    plan: &Plan,
    observer: &mut dyn Observer,
) {
    if let [violation, ..] = verdict.violations() {
        observer.on_event(&Event::Violated { property, violation, by: &plan.search.name });
    }
}
