//! Never claims: a search of their own, since the claim is part of the state.

use beeline_engine::claim::Product;
use beeline_engine::interpreter::Machine;
use beeline_engine::trail::TrailFile;
use beeline_heuristics::Goal;
use beeline_kernel::FaultKind;
use beeline_promela::hir::{Model, ProcessId, ProcessKind};
use beeline_search::{Exploration, Faults, Finding, FindingKind, Search as _, StateStore, Target};

use crate::check::{Answer, CheckError, without_violation};
use crate::directed::{Settled, Task, hunt};
use crate::property::Property;
use crate::run::{Plan, drive};
use crate::searches::Way;
use crate::watch::Watch;
use crate::witness::{Violation, Wrong, blind_bound};

/// The claim that a property is about; `Err` says why it cannot be followed.
pub(crate) fn claim_of(
    machine: &Machine<'_>,
    property: &Property,
) -> Result<ProcessId, &'static str> {
    let model = machine.model();
    let is_never = |number: &usize| model.processes[*number].kind == ProcessKind::Never;
    let claims: Vec<usize> = (0..model.processes.len()).filter(is_never).collect();
    let named = claims.iter().find(|&&at| *model.processes[at].name.name == property.name);
    let number = named.or(if let [only] = &claims[..] { Some(only) } else { None });
    let number = number.ok_or("there is no such claim")?;
    let claim = ProcessId(*number as u32);
    machine.claim_obstacle(claim).map_or(Ok(claim), Err)
}

/// The answer about a claim: one that can be violated by going round for ever, too, does
/// not hold because it never comes to its end.
pub(crate) fn only_cycles_are_open(
    machine: &Machine<'_>,
    claim: ProcessId,
    answer: Answer,
) -> Answer {
    match answer {
        Answer::Holds if machine.claim_accepts(claim) => Answer::Unknown(
            "it never comes to its end; accepting cycles are not checked yet".to_owned(),
        ),
        answer => answer,
    }
}

/// To find the end of a claim, among the states of its product.
pub(crate) fn claim_task<'a>(
    machine: &'a Machine<'a>,
    claim: ProcessId,
    product: &'a Product<'a>,
) -> Task<'a> {
    let target = Target { faults: Faults::of(&[FaultKind::Claim]), ..Target::NOTHING };
    Task { machine, space: product, target, goal: Some(Goal::Claim(claim)), all: false }
}

/// Checks that a claim never comes to its end.
pub(crate) fn check_claim<T: StateStore>(
    model: &Model,
    property: &Property,
    plan: &Plan,
    watch: &mut dyn Watch,
) -> Result<Settled, CheckError> {
    let machine = plan.rules.machine(model, plan.automata());
    let claim = match claim_of(&machine, property) {
        Ok(claim) => claim,
        Err(why) => return Ok(Settled::unknown(why)),
    };
    let (system, _) = plan.engine.space(&machine);
    let product = Product::new(&machine, claim, &*system);
    let task = claim_task(&machine, claim, &product);
    let settled = match &plan.search.way {
        Way::Directed(directed) => hunt::<T>(&task, directed, plan, watch)?,
        Way::Auto | Way::Blind(_) => {
            let Ok(exploration) = Exploration::<T>::with_store(&product, plan.exploration()) else {
                return Ok(Settled::stillborn());
            };
            explore(&task, exploration, plan, watch)?
        }
    };
    let answer = only_cycles_are_open(&machine, claim, settled.answer);
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

/// The violation at the end of a path of the product, confirmed by executing its trail.
pub(crate) fn claim_witness(
    machine: &Machine<'_>,
    claim: ProcessId,
    states: &[Vec<u8>],
    found: FindingKind,
    merged: bool,
    bound: impl Fn(u64) -> u64,
) -> Result<Violation, CheckError> {
    let lost = |why: &str| CheckError::Unconfirmed { finding: found, why: why.to_owned() };
    let mut trail = TrailFile { merged, claim: Some(claim.index()), ..TrailFile::default() };
    let mut steps = 0;
    for pair in states.windows(2) {
        let ((from, location), (to, after)) = (Product::split(&pair[0]), Product::split(&pair[1]));
        let claimed = machine.claim_steps(claim, location, &machine.open(from));
        let step = claimed.into_iter().find(|step| step.to == after && !step.violated);
        trail.push_claim(&step.ok_or_else(|| lost("the claim cannot step like that"))?.edges);
        match machine.way_to(from, to) {
            Some(way) => {
                steps += way.len() as u64;
                trail.push_watched(&way);
            }
            // The system stays where it is.
            None if from == to => {}
            None => return Err(lost("two neighbouring states are not connected")),
        }
    }
    let last = states.last().expect("a path has its end");
    let (from, location) = Product::split(last);
    let FindingKind::Fault(fault) = found else {
        return Err(lost("a product has no such findings"));
    };
    let claimed = machine.claim_steps(claim, location, &machine.open(from));
    let step = claimed
        .into_iter()
        .find(|step| step.violated && step.edges.last().is_some_and(|edge| edge.0 == fault.site.0));
    trail.push_claim(&step.ok_or_else(|| lost("the claim's last step is lost"))?.edges);
    let replay = machine.replay(&trail).map_err(|error| lost(&error.to_string()))?;
    if !replay.claim_violated {
        return Err(lost("the trail leads elsewhere when it is executed again"));
    }
    let lower_bound = bound(states.len() as u64 - 1).min(steps);
    Ok(Violation { wrong: Wrong::Fault(FaultKind::Claim), trail, steps, lower_bound })
}
