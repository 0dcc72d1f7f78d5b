//! Claims: never claims, formulas and labels. Each has a search of its own, since the claim
//! is part of the state.

mod automatic;
mod cycles;
mod improve;
mod lasso;
mod vacuity;
mod witness;

use beeline_analysis::reduction::{Independence, Proposals};
use beeline_engine::claim::{Claim, FairSpace, Origin, Product};
use beeline_engine::interpreter::Machine;
use beeline_engine::trail::TrailFile;
use beeline_heuristics::HeuristicGoal;
use beeline_kernel::{FaultKind, Space};
use beeline_promela::hir::{ProcessId, ProcessKind};
use beeline_search::{
    Exploration, ExplorationOrder, Faults, Finding, Reduced, Search as _, SearchTarget, StateStore,
};

use crate::check::{CheckError, Verdict, without_violation};
use crate::directed::{SearchReport, Task, directed_search};
use crate::fault_recorder::TOO_MANY;
use crate::invariant::invariants;
use crate::observer::Observer;
use crate::property::{Property, PropertyKind};
use crate::reduction::reducing_for_claim;
use crate::run::{Plan, drive};
use crate::searches::Strategy;
use crate::witness::blind_bound;

pub use cycles::CycleAlgorithm;
pub(crate) use improve::improve_lasso;
pub use lasso::Fairness;
pub(crate) use lasso::{lasso_run, violated_claim};
pub(crate) use vacuity::{remarks as vacuity, trivial};
pub(crate) use witness::end_witness;

/// The claim that a property is about; `Err` says why it cannot be followed.
pub(crate) fn claim_of(machine: &Machine<'_>, property: &Property) -> Result<Claim, String> {
    match (property.kind, &property.formula) {
        (PropertyKind::Progress, _) => Ok(Claim::progress()),
        (PropertyKind::Acceptance, _) => Ok(Claim::acceptance()),
        (_, Some(name)) => {
            let number = machine.model().formula(name).ok_or("there is no such formula")?;
            machine.formula_claim(number).map_err(|error| error.to_string())
        }
        (_, None) => never_claim_of(machine, property).map_err(str::to_owned),
    }
}

fn never_claim_of(machine: &Machine<'_>, property: &Property) -> Result<Claim, &'static str> {
    let model = machine.model();
    let is_never = |number: &usize| model.processes[*number].kind == ProcessKind::Never;
    let claims: Vec<usize> = (0..model.processes.len()).filter(is_never).collect();
    let named = claims.iter().find(|&&at| *model.processes[at].name.name == property.name);
    let number = named.or(if let [only] = &claims[..] { Some(only) } else { None });
    let number = number.ok_or("there is no such claim")?;
    let claim = ProcessId(*number as u32);
    machine.claim_obstacle(claim).map_or_else(|| Ok(machine.never_claim(claim)), Err)
}

/// A machine that watches what matters to a trail: the never claim that takes part in it,
/// or else all invariants of the model.
pub(crate) fn with_claim_of<'m>(trail: &TrailFile, machine: Machine<'m>) -> Machine<'m> {
    let written = trail.claim.and_then(|number| machine.never(number));
    match written.filter(|&claim| machine.claim_obstacle(claim).is_none()) {
        Some(claim) => {
            let claim = machine.never_claim(claim);
            machine.watched_by(claim)
        }
        None => {
            let invariants = invariants(machine.model());
            machine.with_invariants(invariants)
        }
    }
}

/// To find the end of the claim of a machine, among the states of its product.
pub(crate) fn claim_task<'a>(machine: &'a Machine<'a>, product: &'a Product<'a>) -> Task<'a> {
    let target = SearchTarget { faults: Faults::of(&[FaultKind::Claim]), ..SearchTarget::NOTHING };
    Task { machine, space: product, target, goal: Some(HeuristicGoal::Claim), all: false }
}

/// The system that a claim watches.
pub(crate) enum System<'a> {
    /// As it is.
    Any(Box<dyn Space + 'a>),
    /// With who moves, and who could.
    Fair(FairSpace<'a>),
}

impl<'a> System<'a> {
    /// The one that a plan asks for.
    pub(crate) fn new(machine: &'a Machine<'a>, plan: &Plan) -> System<'a> {
        match plan.fairness {
            Fairness::None => System::Any(plan.engine.space(machine).0),
            Fairness::Weak => System::Fair(FairSpace(machine)),
        }
    }

    /// With fewer ways.
    pub(crate) fn reduced(&'a self, facts: &'a Independence<'a>) -> Reduced<'a, dyn Space + 'a> {
        let space: &(dyn Space + 'a) = match self {
            System::Any(space) => &**space,
            System::Fair(space) => space,
        };
        Reduced::new(space, || Box::new(facts.reducer(Proposals::One)))
    }

    /// Together with the claim of its machine.
    pub(crate) fn product(&'a self, machine: &'a Machine<'a>) -> Product<'a> {
        let product = match self {
            System::Any(space) => Product::new(machine, &**space),
            System::Fair(space) => Product::fair(machine, space),
        };
        product.expect("a claim watches")
    }
}

/// Checks that what a claim says must not happen does not.
pub(crate) fn check_claim<T: StateStore>(
    machine: &Machine<'_>,
    property: &Property,
    plan: &Plan,
    observer: &mut dyn Observer,
) -> Result<SearchReport, CheckError> {
    match claim_of(machine, property) {
        Ok(claim) => check_given_claim::<T>(machine, claim, property, plan, observer),
        Err(why) => Ok(SearchReport::unknown(&why)),
    }
}

/// The same where the claim is at hand.
pub(crate) fn check_given_claim<T: StateStore>(
    machine: &Machine<'_>,
    claim: Claim,
    property: &Property,
    plan: &Plan,
    observer: &mut dyn Observer,
) -> Result<SearchReport, CheckError> {
    let unmerges = !plan.plain && counts_steps(machine, &claim);
    let plain = unmerges.then(|| Plan { plain: true, ..plan.clone() });
    let machine = match &plain {
        Some(plain) => plain.semantics.machine(machine.model(), plain.automata()),
        None => machine.clone(),
    };
    let plan = plain.as_ref().unwrap_or(plan);
    let machine = machine.watched_by(claim);
    let system = System::new(&machine, plan);
    let claim = machine.claim().expect("it watches from now on");
    let (facts, remark) = reducing_for_claim(&machine, claim, plan)?;
    let reduced = facts.as_ref().map(|facts| system.reduced(facts));
    let product = match &reduced {
        Some(reduced) => Product::new(&machine, reduced).expect("a claim watches"),
        None => system.product(&machine),
    };
    let task = claim_task(&machine, &product);
    let mut settled = settle::<T>(&task, property, plan, observer)?;
    settled.remarks.extend(remark);
    if matches!(settled.verdict, Verdict::Holds) {
        settled.remarks.extend(vacuity(&machine, &product));
    }
    if let Verdict::Unknown(why) = &mut settled.verdict
        && plan.fairness == Fairness::Weak
        && *why == TOO_MANY
    {
        *why += ", or more than 63 processes, which is as many as --fair can tell apart";
    }
    if unmerges {
        settled.remarks.push(COUNTED.to_owned());
    }
    Ok(settled)
}

/// What is said where a formula counts steps.
const COUNTED: &str = "`X` counts steps, so no statements are merged for it (as with --plain)";

/// Whether it matters to a claim how many steps there are, so that none may be merged.
pub(crate) fn counts_steps(machine: &Machine<'_>, claim: &Claim) -> bool {
    match claim.origin {
        Origin::Formula(number) => machine.atomized(number).is_ok_and(|said| said.counts_steps()),
        _ => false,
    }
}

/// Searches for what a claim says must not happen.
fn settle<T: StateStore>(
    task: &Task<'_>,
    property: &Property,
    plan: &Plan,
    observer: &mut dyn Observer,
) -> Result<SearchReport, CheckError> {
    let is_about_cycles = task.machine.claim().is_some_and(Claim::is_about_cycles);
    let settled = match &plan.search.strategy {
        // This one tells of each trail, as it has better and better ones.
        Strategy::Auto(_) if is_about_cycles => {
            return automatic::check_cycles(task, property, plan, observer);
        }
        Strategy::Cycles(algorithm) if is_about_cycles => {
            cycles::search::<T>(task, *algorithm, plan, observer)
        }
        Strategy::Blind(ExplorationOrder::Breadth) if is_about_cycles => {
            cycles::shortest(task, plan, observer)
        }
        Strategy::Blind(_) if is_about_cycles => {
            cycles::search::<T>(task, CycleAlgorithm::usual(plan.fairness), plan, observer)
        }
        Strategy::Directed(directed) if is_about_cycles => {
            cycles::directed(task, directed, plan, observer)
        }
        Strategy::Directed(directed) => directed_search::<T>(task, directed, plan, observer),
        Strategy::Auto(_) | Strategy::Blind(_) | Strategy::Cycles(_) => {
            match Exploration::<T>::with_store(task.space, plan.exploration()) {
                Ok(exploration) => explore(task, exploration, plan, observer),
                Err(_) => Ok(SearchReport::initial_fault()),
            }
        }
    }?;
    settled.tell(property, plan, observer);
    Ok(settled)
}

fn explore<T: StateStore>(
    task: &Task<'_>,
    mut exploration: Exploration<'_, T>,
    plan: &Plan,
    observer: &mut dyn Observer,
) -> Result<SearchReport, CheckError> {
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
            Verdict::Violated(vec![task.witness(&exploration.path(at), found, plan, bound)?])
        }
        None => without_violation(exploration.findings(), ending.outcome),
    };
    Ok(SearchReport { stats, peak_bytes, ..SearchReport::of(verdict) })
}
