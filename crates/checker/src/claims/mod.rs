//! Never claims: a search of their own, since the claim is part of the state.

mod witness;

use beeline_engine::claim::{Claim, Product};
use beeline_engine::interpreter::Machine;
use beeline_engine::trail::TrailFile;
use beeline_heuristics::Goal;
use beeline_kernel::FaultKind;
use beeline_promela::hir::{Model, ProcessId, ProcessKind};
use beeline_search::{Exploration, Faults, Finding, Search as _, StateStore, Target};

use crate::check::{Answer, CheckError, without_violation};
use crate::directed::{Settled, Task, hunt};
use crate::invariant::invariants;
use crate::property::{Property, PropertyKind};
use crate::run::{Plan, drive};
use crate::searches::Way;
use crate::watch::Watch;
use crate::witness::blind_bound;

pub(crate) use witness::end_witness;

/// The claim that a property is about; `Err` says why it cannot be followed.
pub(crate) fn claim_of(machine: &Machine<'_>, property: &Property) -> Result<Claim, &'static str> {
    match property.kind {
        PropertyKind::Progress => Ok(Claim::progress()),
        PropertyKind::Acceptance => Ok(Claim::acceptance()),
        _ => never_claim_of(machine, property),
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

/// The answer about the claim of a machine: one that can be violated by going round for
/// ever, too, does not hold because it never comes to its end.
pub(crate) fn only_cycles_are_open(machine: &Machine<'_>, answer: Answer) -> Answer {
    match answer {
        Answer::Holds if machine.claim().is_some_and(Claim::is_about_cycles) => Answer::Unknown(
            "it never comes to its end; accepting cycles are not checked yet".to_owned(),
        ),
        answer => answer,
    }
}

/// A machine that watches what matters to a trail: the never claim that takes part in it,
/// or else all invariants of the model.
pub(crate) fn watched_as_in<'m>(trail: &TrailFile, machine: Machine<'m>) -> Machine<'m> {
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
    let target = Target { faults: Faults::of(&[FaultKind::Claim]), ..Target::NOTHING };
    Task { machine, space: product, target, goal: Some(Goal::Claim), all: false }
}

/// Checks that a claim never comes to its end.
pub(crate) fn check_claim<T: StateStore>(
    model: &Model,
    property: &Property,
    plan: &Plan,
    watch: &mut dyn Watch,
) -> Result<Settled, CheckError> {
    let machine = plan.rules.machine(model, plan.automata());
    let machine = match claim_of(&machine, property) {
        Ok(claim) => machine.watched_by(claim),
        Err(why) => return Ok(Settled::unknown(why)),
    };
    let (system, _) = plan.engine.space(&machine);
    let product = Product::new(&machine, &*system).expect("the claim watches");
    let task = claim_task(&machine, &product);
    let settled = match &plan.search.way {
        Way::Directed(directed) => hunt::<T>(&task, directed, plan, watch)?,
        Way::Auto | Way::Blind(_) => {
            let Ok(exploration) = Exploration::<T>::with_store(&product, plan.exploration()) else {
                return Ok(Settled::stillborn());
            };
            explore(&task, exploration, plan, watch)?
        }
    };
    let answer = only_cycles_are_open(&machine, settled.answer);
    Ok(Settled { answer, ..settled })
}

fn explore<T: StateStore>(
    task: &Task<'_>,
    mut exploration: Exploration<'_, T>,
    plan: &Plan,
    watch: &mut dyn Watch,
) -> Result<Settled, CheckError> {
    let violation = |findings: &[Finding]| {
        findings.iter().position(|finding| task.target.includes(finding.kind))
    };
    let ending = drive(&mut exploration, watch, |exploration, _| {
        violation(exploration.findings()).is_some()
    });
    let (stats, peak_bytes) = (exploration.stats(), ending.peak_bytes);
    let answer = match violation(exploration.findings()) {
        Some(at) => {
            let found = exploration.findings()[at].kind;
            let bound = |moves| blind_bound(plan.order(), moves);
            Answer::Violated(vec![task.witness(&exploration.path(at), found, plan, bound)?])
        }
        None => without_violation(exploration.findings(), ending.outcome),
    };
    Ok(Settled { stats, peak_bytes, ..Settled::of(answer) })
}
