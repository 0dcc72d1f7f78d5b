//! Properties with a claim: never claims, formulas and labels. Each has a search of its own, since
//! the claim is part of the state.

mod automatic;
mod cycle_threads;
mod cycles;
mod improve;

use beeline_kernel::{FaultKind, Faults};
use beeline_model::{ClaimFacts, Fairness, ProductOptions, Property, Reason, System, Verdict};
use beeline_search::{
    CompactStore, ExactStore, Exploration, ExplorationOrder, Finding, Search as _, SearchTarget,
    StateStore,
};

use crate::observe::{Observer, drive};
use crate::plan::{CycleAlgorithm, Plan, Store, Strategy};
use crate::report::{CheckError, SearchReport};
use crate::safety::{announce, directed_search, without_finding};
use crate::task::{Task, blind_bound, not_reduced, reducing_for_claim};

pub(crate) use improve::improve_lasso;

/// The task of reaching the end of the claim of a product.
pub(crate) fn claim_task(product: &dyn System) -> Task<'_> {
    let target = SearchTarget { faults: Faults::of(&[FaultKind::Claim]), ..SearchTarget::NOTHING };
    Task { system: product, target, all: false }
}

/// The facts about the claim of a task.
fn claim_facts(task: &Task<'_>) -> ClaimFacts {
    task.system.product_claim().expect("the system is a product").facts()
}

/// The remark on a formula that counts steps.
const COUNTED: &str = "`X` counts steps, so no statements are merged for it (as with --plain)";

/// Checks a property with a claim in the product of system and claim.
pub(crate) fn check_claim(
    system: &dyn System,
    property: &Property,
    plan: &Plan,
    store: Store,
    observer: &mut dyn Observer,
) -> Result<SearchReport, CheckError> {
    let facts = match system.claim(property) {
        Ok(facts) => facts,
        Err(why) => return Ok(SearchReport::unknown(Reason::Unsupported(why))),
    };
    let (reduced, remark) = reducing_for_claim(facts, plan)?;
    let mut settled = None;
    let built = system.with_product(property, ProductOptions { reduced }, &mut |product| {
        settled = Some(check_product(product, property, plan, store, observer));
    });
    if let Err(why) = built {
        return Ok(SearchReport::unknown(Reason::Unsupported(why)));
    }
    let mut settled = settled.expect("a product runs what it is given")?;
    settled.remarks.splice(..0, remark);
    if !plan.plain && facts.counts_steps {
        settled.remarks.push(COUNTED.to_owned());
    }
    Ok(settled)
}

fn check_product(
    product: &dyn System,
    property: &Property,
    plan: &Plan,
    store: Store,
    observer: &mut dyn Observer,
) -> Result<SearchReport, CheckError> {
    let task = claim_task(product);
    let mut settled = search_product(&task, property, plan, store, observer)?;
    let claim = product.product_claim().expect("the system is a product");
    settled.remarks.extend(claim.not_reduced().map(not_reduced));
    if let Verdict::Holds = settled.verdict {
        settled.remarks.extend(claim.vacuity());
    }
    if let Verdict::Unknown(reason) = &mut settled.verdict
        && plan.fairness == Fairness::Weak
        && *reason == Reason::NothingAfter(FaultKind::Limit)
    {
        *reason = Reason::TooManyForFairness;
    }
    Ok(settled)
}

/// Searches a product for the end of the claim or for an accepting cycle.
fn search_product(
    task: &Task<'_>,
    property: &Property,
    plan: &Plan,
    store: Store,
    observer: &mut dyn Observer,
) -> Result<SearchReport, CheckError> {
    let is_about_cycles = claim_facts(task).about_cycles;
    let settled = match &plan.search.strategy {
        // It reports each trail itself, since it shortens them.
        Strategy::Auto(_) if is_about_cycles => {
            return automatic::check_cycles(task, property, plan, observer);
        }
        Strategy::Cycles(algorithm) if is_about_cycles => {
            cycles::search(task, *algorithm, plan, store, observer)
        }
        Strategy::Blind(ExplorationOrder::Breadth) if is_about_cycles => {
            cycles::shortest(task, plan, observer)
        }
        Strategy::Blind(_) if is_about_cycles => {
            cycles::search(task, CycleAlgorithm::usual(plan.fairness), plan, store, observer)
        }
        Strategy::Directed(directed) if is_about_cycles => {
            cycles::directed(task, directed, plan, observer)
        }
        Strategy::Directed(directed) => directed_search(task, directed, plan, store, observer),
        Strategy::Auto(_) | Strategy::Blind(_) | Strategy::Cycles(_) | Strategy::Symbolic(_) => {
            match store {
                Store::Compact => explore::<CompactStore>(task, plan, observer),
                _ => explore::<ExactStore>(task, plan, observer),
            }
        }
    }?;
    announce(&settled.verdict, property, plan, observer);
    Ok(settled)
}

fn explore<T: StateStore>(
    task: &Task<'_>,
    plan: &Plan,
    observer: &mut dyn Observer,
) -> Result<SearchReport, CheckError> {
    let Ok(mut exploration) = Exploration::<T>::with_store(task.space(), plan.exploration()) else {
        return Ok(SearchReport::unknown(Reason::InitialFault));
    };
    let violation = |findings: &[Finding]| {
        findings.iter().position(|finding| task.target.includes(finding.kind))
    };
    let ending = drive(&mut exploration, observer, |exploration, _| {
        violation(exploration.findings()).is_some()
    });
    let (stats, peak_bytes) = (exploration.stats(), ending.peak_bytes);
    let verdict = match violation(exploration.findings()) {
        Some(at) => {
            let found = exploration.findings()[at].kind;
            let bound = |moves| blind_bound(plan.order(), moves);
            Verdict::Violated(vec![task.witness(&exploration.path(at), found, bound)?])
        }
        None => {
            let kinds = exploration.findings().iter().map(|finding| finding.kind);
            without_finding(kinds, ending.outcome)
        }
    };
    Ok(SearchReport { stats, peak_bytes, ..SearchReport::of(verdict) })
}
