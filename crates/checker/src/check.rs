//! Checking: a verdict for each property.
//!
//! *Violated* needs a trail whose replay shows the error. *Holds* needs a complete search, a static
//! analysis that excludes the error, or a relaxation without a path to it. Everything else is
//! *unknown*, with a reason.

use std::collections::BTreeMap;

use beeline_kernel::FaultKind;
use beeline_model::{
    Certificate, ErrorKind, Model, Property, PropertyKind, Reason, Verdict, Violation,
};
use beeline_search::{CompactStore, CoveringStore, ExactStore, StateStore, Stats};

use crate::auto::check_auto;
use crate::branching::check_branching;
use crate::context::CheckContext;
use crate::liveness::check_claim;
use crate::observe::{Observer, announce_proof};
use crate::overflow::overflow_remark;
use crate::plan::{DirectedConfig, Plan, Store, Strategy};
use crate::report::{CheckError, CheckReport, PropertyReport, SearchReport, WitnessTrail};
use crate::safety::{announce, check_lossy, directed_search, explore, not_for_claims};
use crate::symbolic::check_on_sets;
use crate::unfair::unfair_remark;

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
    let mut report = CheckReport::default();
    // A system that examines overflow examines no other fault.
    let is_overflow = |property: &&Property| property.kind == PropertyKind::Overflow;
    let (overflow, others): (Vec<&Property>, Vec<&Property>) =
        properties.iter().partition(is_overflow);
    let is_branching = |property: &&Property| property.kind.is_branching();
    let (branching, others) = others.into_iter().partition(is_branching);
    let mut groups = apart(model, others);
    groups.extend([branching, overflow].into_iter().filter(|group| !group.is_empty()));
    for group in groups {
        let properties: Vec<Property> = group.into_iter().cloned().collect();
        let mut checked = None;
        model.with_system(&properties, plan.system_options(), &mut |system| {
            let context = CheckContext { properties: &properties, system, plan, all };
            checked = Some(check_unproved(&context, observer));
        });
        report.append(checked.expect("a model runs what it is given")?);
    }
    let order = |name: &str| properties.iter().position(|property| property.name == name);
    report.properties.sort_by_key(|checked| order(&checked.property.name));
    add_remarks(model, plan, &mut report, observer);
    report.properties.iter_mut().for_each(answer_query);
    Ok(report)
}

/// The properties in groups that share a state space, as the model wants it.
fn apart<'p>(model: &dyn Model, properties: Vec<&'p Property>) -> Vec<Vec<&'p Property>> {
    let mut groups: BTreeMap<usize, Vec<&'p Property>> = BTreeMap::new();
    for property in properties {
        groups.entry(model.space_of(property)).or_default().push(property);
    }
    groups.into_values().collect()
}

/// A search looks for a state or a run that a query asks for as if it were an error: if there is
/// one, the query holds, and the trail is its witness.
fn answer_query(checked: &mut PropertyReport) {
    if !checked.property.kind.asks_for_witness() {
        return;
    }
    checked.verdict = match std::mem::replace(&mut checked.verdict, Verdict::Holds) {
        Verdict::Violated(found) => {
            let witness = found.into_iter().take(1).map(|violation| {
                let rests = violation.stays();
                let Violation { trail, length, cycle, .. } = violation;
                WitnessTrail { trail, steps: length.steps, cycle, rests, then: Vec::new() }
            });
            checked.witness.extend(witness);
            Verdict::Holds
        }
        Verdict::Holds => {
            let error = match checked.property.kind {
                PropertyKind::PotentiallyAlways => ErrorKind::NoRun,
                _ => ErrorKind::Unreachable,
            };
            let trail = beeline_model::Trail::default();
            let length = Certificate::default();
            Verdict::Violated(vec![Violation { error, trail, length, cycle: None }])
        }
        unknown @ Verdict::Unknown(_) => unknown,
    };
}

/// Adds remarks on trivial properties, unfair cycles and overflow.
fn add_remarks(
    model: &dyn Model,
    plan: &Plan,
    report: &mut CheckReport,
    observer: &mut dyn Observer,
) {
    let is_cut_off = |checked: &PropertyReport| {
        matches!(checked.verdict, Verdict::Unknown(Reason::Stopped(_) | Reason::StoppedInside(_)))
    };
    let may_search_on = !report.properties.iter().any(is_cut_off);
    for checked in &mut report.properties {
        checked.remarks.extend(model.triviality(&checked.property));
        if let [violation, ..] = checked.verdict.violations() {
            let (property, spent) = (&checked.property, &report.stats);
            let remark = unfair_remark(model, property, violation, plan, spent, observer);
            checked.remarks.extend(remark);
        }
        if checked.property.kind == PropertyKind::RuntimeErrors && may_search_on {
            checked.remarks.extend(overflow_remark(model, plan));
        }
    }
}

/// Checks the properties that no static analysis proves.
fn check_unproved(
    context: &CheckContext<'_>,
    observer: &mut dyn Observer,
) -> Result<CheckReport, CheckError> {
    let &CheckContext { properties, system, .. } = context;
    let proof = |property: &Property| {
        let by = Some(system.static_proof(property)?.to_owned());
        Some(PropertyReport { by, ..PropertyReport::new(property, Verdict::Holds) })
    };
    let proved: Vec<Option<PropertyReport>> = properties.iter().map(proof).collect();
    if proved.iter().all(Option::is_none) {
        return check_system(context, observer);
    }
    proved.iter().flatten().for_each(|proved| announce_proof(proved, observer));
    let others = properties.iter().zip(&proved).filter(|(_, proved)| proved.is_none());
    let others: Vec<Property> = others.map(|(property, _)| property.clone()).collect();
    let mut report = if others.is_empty() {
        CheckReport { engine: system.engine(), ..CheckReport::default() }
    } else {
        check_system(&CheckContext { properties: &others, ..*context }, observer)?
    };
    let mut checked = std::mem::take(&mut report.properties).into_iter();
    let in_order = proved.into_iter().map(|proved| proved.or_else(|| checked.next()));
    report.properties = in_order.map(|one| one.expect("each property has a report")).collect();
    Ok(report)
}

/// Checks the properties by the strategy of the plan.
pub(crate) fn check_system(
    context: &CheckContext<'_>,
    observer: &mut dyn Observer,
) -> Result<CheckReport, CheckError> {
    let &CheckContext { system, plan, all, properties } = context;
    let mut initial = Vec::new();
    if let Err(fault) = system.space().initial(&mut initial) {
        return Ok(initial_fault(context, fault.kind));
    }
    if properties.iter().all(|property| property.kind.is_branching()) {
        return check_branching(context, observer);
    }
    let store = plan.store.chosen(initial.len(), system.space().has_coverage());
    let report = match (store, &plan.search.strategy) {
        (_, &Strategy::Symbolic(config)) => check_on_sets(context, config, observer),
        (Store::Cache { .. }, _) => check_lossy(context, store, observer),
        // Each property has a search of its own, with a store of its own.
        (store, Strategy::Directed(directed)) => check_directed(context, directed, store, observer),
        (store, _) if store.is_lossy() => check_lossy(context, store, observer),
        // To find all violations, all states are explored anyway.
        (_, Strategy::Auto(_)) if !all => check_auto(context, observer),
        (Store::Covering, _) => check_exhaustively::<CoveringStore>(context, store, observer),
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
    let mut report = explore::<T>(context, store, observer)?;
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
    let is_violated = |property: &Property| {
        system.target(property).is_some_and(|target| target.faults.contains(kind))
    };
    let verdict = |property: &Property| match is_violated(property) {
        true => {
            let (error, trail) = (ErrorKind::Fault(kind), system.empty_trail());
            let length = Certificate::default();
            Verdict::Violated(vec![Violation { error, trail, length, cycle: None }])
        }
        false => Verdict::Unknown(Reason::InitialFault),
    };
    let report = |property| PropertyReport::new(property, verdict(property));
    let properties = properties.iter().map(report).collect();
    let stats = Stats { errors: 1, ..Stats::default() };
    CheckReport { properties, stats, engine: plan.engine, ..CheckReport::default() }
}
