//! Never claims: a search of their own, since the claim is part of the state.

use beeline_engine::claim::Product;
use beeline_engine::interpreter::Machine;
use beeline_engine::trail::TrailFile;
use beeline_kernel::FaultKind;
use beeline_promela::hir::{Model, ProcessId, ProcessKind};
use beeline_search::{Exploration, Finding, FindingKind, Order, StateStore, Stats};

use crate::check::{Answer, CheckError, without_violation};
use crate::property::Property;
use crate::run::{Plan, Watch, drive};
use crate::witness::{Violation, Wrong};

/// What came of a claim.
pub(crate) struct Claimed {
    pub(crate) answer: Answer,
    pub(crate) stats: Stats,
    pub(crate) peak_bytes: u64,
}

impl Claimed {
    fn unknown(why: &str) -> Claimed {
        Claimed { answer: Answer::Unknown(why.to_owned()), stats: Stats::default(), peak_bytes: 0 }
    }
}

/// The claim that a property is about.
fn claim_of(model: &Model, property: &Property) -> Option<ProcessId> {
    let is_never = |number: &usize| model.processes[*number].kind == ProcessKind::Never;
    let claims: Vec<usize> = (0..model.processes.len()).filter(is_never).collect();
    let named = claims.iter().find(|&&at| *model.processes[at].name.name == property.name);
    let number = named.or(if let [only] = &claims[..] { Some(only) } else { None });
    number.map(|&number| ProcessId(number as u32))
}

/// Checks that a claim never comes to its end.
pub(crate) fn check_claim<T: StateStore>(
    model: &Model,
    property: &Property,
    plan: &Plan,
    watch: &mut Watch<'_>,
) -> Result<Claimed, CheckError> {
    let machine = plan.rules.machine(model, plan.automata());
    let Some(claim) = claim_of(model, property) else {
        return Ok(Claimed::unknown("there is no such claim"));
    };
    if let Some(obstacle) = machine.claim_obstacle(claim) {
        return Ok(Claimed::unknown(obstacle));
    }
    let (system, _) = plan.engine.space(&machine);
    let product = Product::new(&machine, claim, &*system);
    let Ok(mut exploration) = Exploration::<T>::with_store(&product, plan.exploration()) else {
        return Ok(Claimed::unknown("the model fails before its first step"));
    };
    let violation = |findings: &[Finding]| {
        let is_claim =
            |kind| matches!(kind, FindingKind::Fault(fault) if fault.kind == FaultKind::Claim);
        findings.iter().copied().find(|finding| is_claim(finding.kind))
    };
    let ending =
        drive(&mut exploration, watch, |exploration| violation(exploration.findings()).is_some());
    let (stats, peak_bytes) = (exploration.stats(), ending.peak_bytes);
    let answer = match violation(exploration.findings()) {
        Some(finding) => {
            Answer::Violated(vec![witness(&machine, claim, &exploration, finding, plan)?])
        }
        None => match without_violation(exploration.findings(), ending.outcome) {
            Answer::Holds if machine.claim_accepts(claim) => Answer::Unknown(
                "it never comes to its end; accepting cycles are not checked yet".to_owned(),
            ),
            answer => answer,
        },
    };
    Ok(Claimed { answer, stats, peak_bytes })
}

/// The violation behind a finding, confirmed by executing its trail.
fn witness<T: StateStore>(
    machine: &Machine<'_>,
    claim: ProcessId,
    exploration: &Exploration<'_, T>,
    finding: Finding,
    plan: &Plan,
) -> Result<Violation, CheckError> {
    let merged = plan.automata().allowed_by(machine.model()).merge;
    let path = exploration.path_to(finding.state);
    let states: Vec<Vec<u8>> = path.iter().map(|&id| exploration.state(id)).collect();
    claim_witness(machine, claim, &states, finding.kind, merged, |moves| match plan.order {
        Order::Breadth => moves,
        Order::Depth | Order::RandomDepth { .. } => 1,
    })
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
