//! Checking: a verdict for each property.
//!
//! *Violated* needs a trail that leads to the error when it is executed again;
//! *holds* needs every reachable state to have been explored; everything else is
//! *unknown*, with the reason.

use std::fmt;

use beeline_engine::interpreter::Machine;
use beeline_engine::trail::Trail;
use beeline_heuristics::HeuristicGoal;
use beeline_kernel::{FaultKind, Space};
use beeline_promela::hir::{Expr, Model};
use beeline_search::{
    CompactStore, ExactStore, Exploration, Faults, Finding, FindingKind, Outcome, SearchTarget,
    StateStore, Stats,
};

use crate::auto::check_auto;
use crate::claims::{check_claim, trivial};
use crate::directed::{SearchReport, Task, directed_search};
use crate::engine::Engine;
use crate::fault_recorder;
use crate::improve::filter_verdict;
use crate::invariant::invariant;
use crate::lossy::{check_lossy, not_for_claims};
use crate::nearest::NearestMiss;
use crate::observer::Observer;
use crate::property::{Property, PropertyKind};
use crate::reduction::reducing;
use crate::run::{Plan, drive};
use crate::searches::{DirectedConfig, Strategy};
use crate::stores::Store;
use crate::violation_collector::ViolationCollector;
use crate::witness::{ErrorKind, Violation, blind_bound};

/// The answer to one property.
#[derive(Clone, Debug)]
pub enum Verdict {
    /// No reachable state violates it: all were explored, or it was proved of those that were not.
    Holds,
    /// It is violated, in these ways; at least one.
    Violated(Vec<Violation>),
    /// Neither was established, for this reason.
    Unknown(String),
}

/// A property with its answer.
#[derive(Clone, Debug)]
pub struct PropertyReport {
    /// The property.
    pub property: Property,
    /// The answer.
    pub verdict: Verdict,
    /// The heuristic that was used for it, if any.
    pub heuristic: Option<String>,
    /// The search that found it violated, where several were at work.
    pub by: Option<String>,
    /// Where it is unknown: how near a search came.
    pub nearest: Option<NearestMiss>,
    /// What else there is to say about the answer.
    pub remarks: Vec<String>,
}

impl PropertyReport {
    pub(crate) fn new(property: &Property, verdict: Verdict) -> PropertyReport {
        let property = property.clone();
        let (heuristic, by, nearest, remarks) = (None, None, None, Vec::new());
        PropertyReport { property, verdict, heuristic, by, nearest, remarks }
    }
}

/// What a check found.
#[derive(Clone, Debug, Default)]
pub struct CheckReport {
    /// In the order asked for.
    pub properties: Vec<PropertyReport>,
    /// What was done for it.
    pub stats: Stats,
    /// The most memory that was held.
    pub peak_bytes: u64,
    /// Who computed the successors.
    pub engine: Engine,
    /// What states were kept in.
    pub store: Store,
}

impl CheckReport {
    /// What can be said when a check had to be left: some violations, and that all else is unknown.
    pub fn interrupted(
        properties: &[Property],
        plan: &Plan,
        (known, stats): (&[(String, Violation)], Stats),
        why: &str,
    ) -> CheckReport {
        let checked = |property: &Property| {
            let found = known.iter().rev().find(|(name, _)| *name == property.name);
            let verdict = match found {
                Some((_, violation)) => Verdict::Violated(vec![violation.clone()]),
                None => Verdict::Unknown(why.to_owned()),
            };
            PropertyReport::new(property, verdict)
        };
        CheckReport {
            properties: properties.iter().map(checked).collect(),
            stats,
            peak_bytes: stats.store_bytes,
            engine: plan.engine,
            store: plan.store,
        }
    }
}

/// Why there is no report.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CheckError {
    /// The search found something that executing the trail does not show.
    Unconfirmed {
        /// What was found.
        finding: FindingKind,
        /// What went wrong.
        why: String,
    },
    /// The same about a claim.
    Claim(String),
    /// A heuristic cannot be had as it was asked for; no failure of ours.
    Heuristic(String),
    /// A reduction cannot be had as it was asked for; no failure of ours.
    Reduction(String),
}

impl fmt::Display for CheckError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CheckError::Unconfirmed { finding, why } => {
                write!(f, "a finding could not be confirmed ({finding:?}): {why}")
            }
            CheckError::Claim(why) => write!(f, "a finding could not be confirmed: {why}"),
            CheckError::Heuristic(why) | CheckError::Reduction(why) => f.write_str(why),
        }
    }
}

impl std::error::Error for CheckError {}

/// Checks some properties of a model without errors. With `all`, it goes on
/// after the first error and gathers the different ones.
///
/// # Errors
///
/// When a violation cannot be confirmed, which is a bug of ours; and when a heuristic does
/// not take the arguments that it was given.
pub fn check(
    model: &Model,
    properties: &[Property],
    plan: &Plan,
    all: bool,
    observer: &mut dyn Observer,
) -> Result<CheckReport, CheckError> {
    let property_targets = PropertyTargets::new(model, properties);
    let machine = plan
        .semantics
        .machine(model, plan.automata())
        .with_invariants(property_targets.invariants());
    let (space, engine) = plan.engine.space(&machine);
    let mut initial = Vec::new();
    if let Err(fault) = space.initial(&mut initial) {
        return Ok(initial_fault(model, properties, fault.kind, plan));
    }
    let store = plan.store.chosen(initial.len());
    let trivial: Vec<_> = properties.iter().map(|property| trivial(model, property)).collect();
    let context =
        CheckContext { properties, property_targets, machine: &machine, space: &*space, plan, all };
    let report = match (store, &plan.search.strategy) {
        // Each property has a search of its own, with a set of its own.
        (store, Strategy::Directed(directed)) if store.is_lossy() => {
            check_each::<ExactStore>(&context, directed, observer)
        }
        (store, _) if store.forgets() => check_lossy(&context, store, observer),
        // Who wants all of them has to see all states anyway.
        (_, Strategy::Auto(_)) if !all => check_auto(&context, observer),
        (Store::Compact, Strategy::Blind(_) | Strategy::Cycles(_) | Strategy::Auto(_)) => {
            check_at_once::<CompactStore>(&context, observer)
        }
        (_, Strategy::Blind(_) | Strategy::Cycles(_) | Strategy::Auto(_)) => {
            check_at_once::<ExactStore>(&context, observer)
        }
        (Store::Compact, Strategy::Directed(directed)) => {
            check_each::<CompactStore>(&context, directed, observer)
        }
        (_, Strategy::Directed(directed)) => check_each::<ExactStore>(&context, directed, observer),
    };
    let report = report?;
    // The automatic strategy may have changed its mind.
    let is_auto = matches!(plan.search.strategy, Strategy::Auto(_)) && !all && !store.forgets();
    let store = if is_auto { report.store } else { store };
    let mut report = CheckReport { engine, store, ..report };
    for (checked, trivial) in report.properties.iter_mut().zip(trivial) {
        checked.remarks.extend(trivial);
    }
    Ok(report)
}

/// What is checked, and how.
pub(crate) struct CheckContext<'a> {
    pub(crate) properties: &'a [Property],
    pub(crate) property_targets: PropertyTargets<'a>,
    pub(crate) machine: &'a Machine<'a>,
    pub(crate) space: &'a dyn Space,
    pub(crate) plan: &'a Plan,
    pub(crate) all: bool,
}

/// Searches for a violation of each property, one after the other.
fn check_each<T: StateStore>(
    context: &CheckContext<'_>,
    directed: &DirectedConfig,
    observer: &mut dyn Observer,
) -> Result<CheckReport, CheckError> {
    let &CheckContext { properties, ref property_targets, machine, space, plan, all } = context;
    let mut report = CheckReport::default();
    for property in properties {
        let settled = if let Some(target) = property_targets.target(property) {
            let goal = property_targets.goal(property);
            let task = Task { machine, space, target, goal, all };
            let settled = directed_search::<T>(&task, directed, plan, observer)?;
            settled.tell(property, plan, observer);
            settled
        } else if plan.store.is_lossy() {
            SearchReport::unknown(&not_for_claims(plan.store))
        } else {
            check_claim::<T>(machine, property, plan, observer)?
        };
        report.stats.add(&settled.stats);
        report.peak_bytes = report.peak_bytes.max(settled.peak_bytes);
        let SearchReport { verdict, heuristic, nearest, remarks, .. } = settled;
        let checked = PropertyReport {
            heuristic,
            nearest,
            remarks,
            ..PropertyReport::new(property, verdict)
        };
        report.properties.push(checked);
    }
    Ok(report)
}

/// Explores all states once, for all properties together.
fn check_at_once<T: StateStore>(
    context: &CheckContext<'_>,
    observer: &mut dyn Observer,
) -> Result<CheckReport, CheckError> {
    let &CheckContext { properties, ref property_targets, machine, space, plan, .. } = context;
    let targets: Vec<_> =
        properties.iter().filter_map(|one| property_targets.target(one)).collect();
    let (reducing, remark) = reducing(machine, &targets, plan)?;
    let exploration = Exploration::<T>::with_store(space, plan.exploration());
    let mut exploration = exploration.expect("it began a moment ago");
    if let Some(reducing) = &reducing {
        exploration = reducing.reduced(exploration, space)?;
    }
    let is_reduced = exploration.is_reduced();
    let bound = |moves| if is_reduced { 0 } else { blind_bound(plan.order(), moves) };
    let mut violation_collector = ViolationCollector::new(context, bound);
    let ending = drive(&mut exploration, observer, |search, observer| {
        violation_collector.collect(search, observer)
    });
    let (mut stats, mut peak_bytes) = (exploration.stats(), ending.peak_bytes);
    let mut found = violation_collector.verdicts()?;
    let mut checked = Vec::new();
    for property in properties {
        if let Some(target) = property_targets.target(property) {
            let open = || without_violation(exploration.findings(), ending.outcome);
            let mut verdict = found.next().flatten().unwrap_or_else(open);
            let filtered =
                is_reduced.then(|| filter_verdict(machine, target, &mut verdict)).flatten();
            let mut settled = PropertyReport::new(property, verdict);
            settled.remarks.extend(remark.clone().into_iter().chain(filtered));
            checked.push(settled);
            continue;
        }
        let claimed = check_claim::<T>(machine, property, plan, observer)?;
        peak_bytes = peak_bytes.max(claimed.peak_bytes);
        if targets.is_empty() {
            stats = claimed.stats;
        }
        let SearchReport { verdict, heuristic, remarks, .. } = claimed;
        checked.push(PropertyReport {
            heuristic,
            remarks,
            ..PropertyReport::new(property, verdict)
        });
    }
    Ok(CheckReport { properties: checked, stats, peak_bytes, ..CheckReport::default() })
}

/// The invariants among the properties.
pub(crate) struct PropertyTargets<'m> {
    /// By formula.
    invariants: Vec<(String, &'m Expr)>,
}

impl<'m> PropertyTargets<'m> {
    fn new(model: &'m Model, properties: &[Property]) -> PropertyTargets<'m> {
        let formulas = properties.iter().filter_map(|property| property.formula.clone());
        let invariants =
            formulas.filter_map(|name| invariant(model, &name).map(|expr| (name, expr)));
        PropertyTargets { invariants: invariants.collect() }
    }

    fn invariants(&self) -> Vec<Expr> {
        self.invariants.iter().map(|(_, expr)| (*expr).clone()).collect()
    }

    fn number(&self, property: &Property) -> Option<usize> {
        let formula = property.formula.as_ref()?;
        self.invariants.iter().position(|(name, _)| name == formula)
    }

    /// What violates a property, if single states and steps do.
    pub(crate) fn target(&self, property: &Property) -> Option<SearchTarget> {
        if let Some(number) = self.number(property) {
            return Some(SearchTarget::invariant(number as u32));
        }
        let faults = match property.kind {
            PropertyKind::Deadlock => return Some(SearchTarget::DEADLOCK),
            PropertyKind::Assertions => Faults::all_but(&[FaultKind::Trace, FaultKind::Claim]),
            PropertyKind::Trace => Faults::of(&[FaultKind::Trace]),
            _ => return None,
        };
        Some(SearchTarget { faults, ..SearchTarget::NOTHING })
    }

    /// What a heuristic can aim at, if there is one that knows how.
    pub(crate) fn goal(&self, property: &Property) -> Option<HeuristicGoal> {
        if let Some(number) = self.number(property) {
            return Some(HeuristicGoal::Invariant(self.invariants[number].1.clone()));
        }
        match property.kind {
            PropertyKind::Deadlock => Some(HeuristicGoal::Deadlock),
            PropertyKind::Assertions => Some(HeuristicGoal::Assertions),
            _ => None,
        }
    }
}

/// The answer to a property that nothing was found against.
pub(crate) fn without_violation(findings: &[Finding], outcome: Outcome) -> Verdict {
    let met = |kind: FaultKind| {
        findings
            .iter()
            .any(|finding| matches!(finding.kind, FindingKind::Fault(fault) if fault.kind == kind))
    };
    without_violation_after(met, outcome)
}

/// The answer to a property that nothing was found against, after such faults were met.
pub(crate) fn without_violation_after(
    met: impl Fn(FaultKind) -> bool,
    outcome: Outcome,
) -> Verdict {
    match outcome {
        Outcome::Incomplete(stop) => Verdict::Unknown(stop.to_string()),
        Outcome::Complete => {
            match fault_recorder::TERMINAL_FAULTS.iter().find(|(kind, _)| met(*kind)) {
                Some((_, why)) => Verdict::Unknown((*why).to_owned()),
                None => Verdict::Holds,
            }
        }
        Outcome::Found => unreachable!("it ends early only when each property has a finding"),
    }
}

/// The report on a model that fails before its first step: an initial value that
/// cannot be computed. The trail is empty, and building the state again confirms it.
fn initial_fault(
    model: &Model,
    properties: &[Property],
    kind: FaultKind,
    plan: &Plan,
) -> CheckReport {
    let verdict = |property: &Property| match property.kind {
        PropertyKind::Assertions => {
            let merged = plan.automata().allowed_by(model).merge;
            let trail = Trail { merged, ..Trail::default() };
            let error = ErrorKind::Fault(kind);
            let (steps, lower_bound) = (0, 0);
            Verdict::Violated(vec![Violation { error, trail, steps, lower_bound, cycle: None }])
        }
        _ => Verdict::Unknown("the model fails before its first step".to_owned()),
    };
    let checked = properties
        .iter()
        .map(|property| PropertyReport::new(property, verdict(property)))
        .collect();
    let stats = Stats { errors: 1, ..Stats::default() };
    CheckReport { properties: checked, stats, engine: plan.engine, ..CheckReport::default() }
}
