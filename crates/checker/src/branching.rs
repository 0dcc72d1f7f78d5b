//! Properties of branching time: CTL, CTL* and the mu-calculus, on sets of states.
//!
//! The view must be exact. Properties about the same system share its reachable states. Witnesses
//! are paths of the model, and their trails are replayed.

use beeline_branching::{
    BranchingError, BranchingEvaluator, BranchingResult, FairnessRequest, SpaceStates, Witness,
    WitnessPath,
};
use beeline_kernel::StatePath;
use beeline_model::{
    BranchingProblem, Certificate, ErrorKind, Fairness, Property, Reason, System, TemporalFormula,
    Unconfirmed, Unsupported, Verdict, Violation,
};
use beeline_search::Stats;

use crate::context::CheckContext;
use crate::observe::{Observer, announce_proof};
use crate::plan::Plan;
use crate::report::{CheckError, CheckReport, PropertyReport, WitnessTrail};
use crate::safety::announce;
use crate::symbolic::{not_a_path, refuse_inexact, watched};

/// Checks properties of branching time, one after the other. Those in which single steps matter come
/// after the others.
pub(crate) fn check_branching(
    context: &CheckContext<'_>,
    observer: &mut dyn Observer,
) -> Result<CheckReport, CheckError> {
    let &CheckContext { properties, system, plan, .. } = context;
    let mut report = CheckReport { engine: system.engine(), ..CheckReport::default() };
    let mut found: Vec<Option<PropertyReport>> = properties.iter().map(|_| None).collect();
    let mut failed = Ok(());
    let all: Vec<&Property> = properties.iter().collect();
    let prepared = system.with_branching(&all, &mut |system, places, problem| {
        let mut checks =
            FormulaChecks { system, problem: &problem, plan, evaluator: None, stored: 0 };
        for (&place, formula) in places.iter().zip(&problem.formulas) {
            if failed.is_err() {
                return;
            }
            let property = &properties[place];
            match checks.check(property, formula, observer) {
                Ok(checked) => {
                    announce(&checked.verdict, property, plan, observer);
                    announce_proof(&checked, observer);
                    found[place] = Some(checked);
                }
                Err(error) => failed = Err(error),
            }
        }
        report.stats.add(&Stats { stored: checks.stored, ..Stats::default() });
    });
    failed?;
    for (property, found) in properties.iter().zip(found) {
        let without = || match &prepared {
            Err(why) => unknown(property, Reason::Unsupported(why.clone())),
            Ok(()) => unreachable!("a system runs what it is given"),
        };
        report.properties.push(found.unwrap_or_else(without));
    }
    Ok(report)
}

fn unknown(property: &Property, reason: Reason) -> PropertyReport {
    PropertyReport::new(property, Verdict::Unknown(reason))
}

/// The checks of formulas about one system.
struct FormulaChecks<'p> {
    system: &'p dyn System,
    problem: &'p BranchingProblem,
    plan: &'p Plan,
    /// The reachable states, or why there are none, once they were needed.
    evaluator: Option<Result<BranchingEvaluator<'p>, BranchingError>>,
    /// The number of reachable states.
    stored: u64,
}

impl FormulaChecks<'_> {
    fn check(
        &mut self,
        property: &Property,
        formula: &Result<TemporalFormula, Unsupported>,
        observer: &mut dyn Observer,
    ) -> Result<PropertyReport, CheckError> {
        let refused = refuse_inexact(&self.problem.view.system, "formulas of branching time");
        let formula = match (refused, formula) {
            (Ok(()), Ok(formula)) => formula,
            (Err(why), _) => return Ok(unknown(property, Reason::Unsupported(why))),
            (_, Err(why)) => return Ok(unknown(property, Reason::Unsupported(why.clone()))),
        };
        match self.evaluate(formula, observer) {
            Ok(result) => {
                self.stored = result.states.to_u64().unwrap_or(u64::MAX);
                Ok(judged(self.system, property, &result)?)
            }
            Err(BranchingError::NotAPath) => Err(not_a_path().into()),
            Err(error) => {
                let reason = match error.stop() {
                    Some(stop) => Reason::Stopped(stop),
                    None => Reason::unsupported(error.to_string()),
                };
                Ok(unknown(property, reason))
            }
        }
    }

    fn evaluate(
        &mut self,
        formula: &TemporalFormula,
        observer: &mut dyn Observer,
    ) -> Result<BranchingResult, BranchingError> {
        let &mut FormulaChecks { system, problem, plan, ref mut evaluator, .. } = self;
        let fairness = match plan.fairness {
            Fairness::None => FairnessRequest::None,
            Fairness::Weak => FairnessRequest::WeakProcesses,
        };
        let mut states = SpaceStates { space: system.space(), view: &problem.view };
        watched("sets of states", plan.bytes, observer, |limits| {
            let evaluator = evaluator
                .get_or_insert_with(|| BranchingEvaluator::new(problem, limits(), fairness))
                .as_mut()
                .map_err(|error| error.clone())?;
            evaluator.set_limits(limits());
            evaluator.evaluate(formula, &mut states)
        })
    }
}

/// The verdict of a result, with its witness.
fn judged(
    system: &dyn System,
    property: &Property,
    result: &BranchingResult,
) -> Result<PropertyReport, Unconfirmed> {
    let mut report = PropertyReport::new(property, Verdict::Holds);
    report.remarks.push(format!("{} of {} states satisfy it", result.satisfying, result.states));
    if let Some(depth) = result.alternation_depth {
        report.remarks.push(format!("alternation depth {depth}"));
    }
    if !result.holds {
        let violation = match &result.witness {
            Some(witness) => counterexample(system, &witness.paths[0])?,
            None => {
                report.remarks.push("no single run shows the violation".to_owned());
                let (error, trail) = (ErrorKind::BranchingFormula, system.empty_trail());
                Violation { error, trail, length: Certificate::default(), cycle: None }
            }
        };
        let rests =
            result.witness.as_ref().is_some_and(|witness| witness.paths[0].main_line().rests);
        if rests {
            report.remarks.push("the last state has no step and repeats for ever".to_owned());
        }
        report.verdict = Verdict::Violated(vec![violation]);
    }
    // The trail of a violation shows all of a linear counterexample.
    let is_linear = |witness: &Witness| matches!(&witness.paths[..], [only] if only.is_linear());
    if let Some(witness) = &result.witness
        && (result.holds || !is_linear(witness))
    {
        report.witness = trails(system, witness)?;
    }
    Ok(report)
}

/// The violation along the main line of a counterexample.
fn counterexample(system: &dyn System, path: &WitnessPath) -> Result<Violation, Unconfirmed> {
    let line = trail_of(system, &[], &path.main_line())?;
    let (steps, cycle) = (line.steps, line.cycle);
    let length = Certificate::new(steps, 0);
    Ok(Violation { error: ErrorKind::BranchingFormula, trail: line.trail, length, cycle })
}

/// The trails of a witness, each from the initial state.
fn trails(system: &dyn System, witness: &Witness) -> Result<Vec<WitnessTrail>, Unconfirmed> {
    witness.paths.iter().map(|path| tree_of(system, &[], path)).collect()
}

fn tree_of(
    system: &dyn System,
    before: &[Vec<u8>],
    path: &WitnessPath,
) -> Result<WitnessTrail, Unconfirmed> {
    let mut trail = trail_of(system, before, path)?;
    let end = path.states.len() - 1;
    let before: Vec<Vec<u8>> = before.iter().chain(&path.states[..end]).cloned().collect();
    for next in &path.then {
        trail.then.push(tree_of(system, &before, next)?);
    }
    Ok(trail)
}

/// The trail of a path that continues others.
fn trail_of(
    system: &dyn System,
    before: &[Vec<u8>],
    path: &WitnessPath,
) -> Result<WitnessTrail, Unconfirmed> {
    let mut states = StatePath::new();
    before.iter().chain(&path.states).for_each(|state| states.push(state));
    let stem = path.cycle.map(|cycle| states.part(0, before.len() + cycle + 1));
    if let Some(cycle) = path.cycle {
        states.push(&path.states[cycle]);
    }
    let (mut trail, steps) = system.trail_along(&states).ok_or_else(not_a_path)?;
    let mut cycle = None;
    if let Some(stem) = stem {
        let (stem, moves) = system.trail_along(&stem).ok_or_else(not_a_path)?;
        trail.cycle_start = Some(stem.lines.len());
        cycle = Some(steps - moves);
    }
    Ok(WitnessTrail { trail, steps, cycle, rests: path.rests, then: Vec::new() })
}
