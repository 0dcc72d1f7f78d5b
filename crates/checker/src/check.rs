//! Checking: a verdict for each property.
//!
//! *Violated* needs a trail whose replay shows the error. *Holds* needs a complete search, or a
//! relaxation without a path to an error. Everything else is *unknown*, with a reason.

use beeline_kernel::FaultKind;
use beeline_model::{
    Certificate, ErrorKind, Model, Property, PropertyKind, Reason, Verdict, Violation,
};
use beeline_search::{CompactStore, ExactStore, StateStore, Stats};

use crate::auto::check_auto;
use crate::context::CheckContext;
use crate::liveness::check_claim;
use crate::observe::{Observer, announce_proof};
use crate::plan::{DirectedConfig, Plan, Store, Strategy};
use crate::report::{CheckError, CheckReport, PropertyReport, SearchReport};
use crate::safety::{announce, check_lossy, directed_search, explore, not_for_claims};

/// Checks properties of a model. With `all`, the search continues after the first error and
/// collects the different ones.
///
/// # Errors
///
/// When the replay does not show a violation, which is an internal error; and when the requested
/// heuristic or reduction is not possible.
pub fn check(
    model: &dyn Model,
    properties: &[Property],
    plan: &Plan,
    all: bool,
    observer: &mut dyn Observer,
) -> Result<CheckReport, CheckError> {
    let mut report = None;
    model.with_system(properties, plan.system_options(), &mut |system| {
        let context = CheckContext { properties, system, plan, all };
        report = Some(check_system(&context, observer));
    });
    let mut report = report.expect("a model runs what it is given")?;
    for checked in &mut report.properties {
        checked.remarks.extend(model.triviality(&checked.property));
    }
    Ok(report)
}

/// Checks the properties by the strategy of the plan.
fn check_system(
    context: &CheckContext<'_>,
    observer: &mut dyn Observer,
) -> Result<CheckReport, CheckError> {
    let &CheckContext { system, plan, all, .. } = context;
    let mut initial = Vec::new();
    if let Err(fault) = system.space().initial(&mut initial) {
        return Ok(initial_fault(context, fault.kind));
    }
    let store = plan.store.chosen(initial.len());
    let report = match (store, &plan.search.strategy) {
        (Store::Cache { .. }, _) => check_lossy(context, store, observer),
        // Each property has a search of its own, with a store of its own.
        (store, Strategy::Directed(directed)) => check_directed(context, directed, store, observer),
        (store, _) if store.is_lossy() => check_lossy(context, store, observer),
        // To find all violations, all states are explored anyway.
        (_, Strategy::Auto(_)) if !all => check_auto(context, observer),
        (Store::Compact, _) => check_exhaustively::<CompactStore>(context, store, observer),
        (_, _) => check_exhaustively::<ExactStore>(context, store, observer),
    };
    let report = report?;
    // The automatic strategy may have changed the store.
    let is_auto = matches!(plan.search.strategy, Strategy::Auto(_)) && !all && !store.forgets();
    let store = if is_auto { report.store } else { store };
    Ok(CheckReport { engine: system.engine(), store, ..report })
}

/// Searches for a violation of each property, one after the other.
fn check_directed(
    context: &CheckContext<'_>,
    directed: &DirectedConfig,
    store: Store,
    observer: &mut dyn Observer,
) -> Result<CheckReport, CheckError> {
    let &CheckContext { properties, system, plan, .. } = context;
    let mut report = CheckReport::default();
    for property in properties {
        let found = if let Some(target) = system.target(property) {
            let found = directed_search(&context.task(target), directed, plan, store, observer)?;
            announce(&found.verdict, property, plan, observer);
            found
        } else if store.is_lossy() {
            SearchReport::unsupported(not_for_claims(store))
        } else {
            check_claim(system, property, plan, store, observer)?
        };
        report.stats.add(&found.stats);
        report.peak_bytes = report.peak_bytes.max(found.peak_bytes);
        let found = PropertyReport { by: None, ..found.for_property(property) };
        announce_proof(&found, observer);
        report.properties.push(found);
    }
    Ok(report)
}

/// Explores all states once for all properties that single states and steps violate, and searches
/// the product with each claim for the others.
fn check_exhaustively<T: StateStore>(
    context: &CheckContext<'_>,
    store: Store,
    observer: &mut dyn Observer,
) -> Result<CheckReport, CheckError> {
    let &CheckContext { properties, system, plan, .. } = context;
    let mut report = explore::<T>(context, observer)?;
    report.properties.iter().for_each(|checked| announce_proof(checked, observer));
    let is_explored = !report.properties.is_empty();
    let mut explored = std::mem::take(&mut report.properties).into_iter();
    for property in properties {
        if system.target(property).is_some() {
            report.properties.extend(explored.next());
            continue;
        }
        let found = check_claim(system, property, plan, store, observer)?;
        report.peak_bytes = report.peak_bytes.max(found.peak_bytes);
        if !is_explored {
            report.stats = found.stats;
        }
        let found = PropertyReport { by: None, nearest: None, ..found.for_property(property) };
        announce_proof(&found, observer);
        report.properties.push(found);
    }
    Ok(report)
}

/// The report on a model that fails before its first step: an initial value cannot be computed.
/// The trail is empty; its replay computes the initial state again.
fn initial_fault(context: &CheckContext<'_>, kind: FaultKind) -> CheckReport {
    let &CheckContext { properties, system, plan, .. } = context;
    let verdict = |property: &Property| match property.kind {
        PropertyKind::Assertions => {
            let (error, trail) = (ErrorKind::Fault(kind), system.empty_trail());
            let length = Certificate::default();
            Verdict::Violated(vec![Violation { error, trail, length, cycle: None }])
        }
        _ => Verdict::Unknown(Reason::InitialFault),
    };
    let report = |property| PropertyReport::new(property, verdict(property));
    let properties = properties.iter().map(report).collect();
    let stats = Stats { errors: 1, ..Stats::default() };
    CheckReport { properties, stats, engine: plan.engine, ..CheckReport::default() }
}
