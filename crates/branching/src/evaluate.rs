//! Problems of branching time, from the reachable states to the verdicts and their witnesses. All
//! formulas of a problem share the reachable states.

use std::collections::HashMap;

use beeline_kernel::FaultKind;
use beeline_logic::branching::StateFormula;
use beeline_model::{BranchingProblem, TemporalFormula};
use beeline_symbolic::{BigUint, DiagramLimits, Set};

use crate::error::BranchingError;
use crate::evaluation::Evaluation;
use crate::fairness::{FairnessRequest, constraints};
use crate::kripke::KripkeStructure;
use crate::witness::{ExplicitStates, Witness};

/// The result for a formula.
#[derive(Clone, Debug)]
pub struct BranchingResult {
    /// Whether the initial state satisfies it.
    pub holds: bool,
    /// The reachable states that satisfy it: a set of the evaluator.
    pub set: Set,
    /// Their number.
    pub satisfying: BigUint,
    /// The number of reachable states.
    pub states: BigUint,
    /// The longest chain of dependent fixpoints of alternating kinds, for the mu-calculus.
    pub alternation_depth: Option<usize>,
    /// A path that shows why the formula holds, or why it does not; `None` if no path shows it.
    pub witness: Option<Witness>,
}

/// Evaluates the formulas of a problem, one after the other.
#[derive(Debug)]
pub struct BranchingEvaluator<'p> {
    evaluation: Evaluation<'p>,
    initial: &'p [i32],
}

impl<'p> BranchingEvaluator<'p> {
    /// Computes the reachable states of a problem. Its view must be exact.
    ///
    /// # Errors
    ///
    /// When a limit is reached, or a step of the system may fail.
    pub fn new(
        problem: &'p BranchingProblem,
        limits: DiagramLimits,
        fairness: FairnessRequest,
    ) -> Result<BranchingEvaluator<'p>, BranchingError> {
        let mut structure = KripkeStructure::new(problem, limits)?;
        structure.check_failures(problem)?;
        let constraints = constraints(&mut structure, problem, fairness)?;
        let mut evaluation =
            Evaluation { structure, constraints, fair: None, known: HashMap::new() };
        if !evaluation.constraints.is_empty() {
            let all = evaluation.structure.all().clone();
            evaluation.fair = Some(evaluation.always(&all)?);
        }
        Ok(BranchingEvaluator { evaluation, initial: &problem.view.system.initial })
    }

    /// Replaces the limits.
    pub fn set_limits(&mut self, limits: DiagramLimits) {
        self.evaluation.structure.system().forest().set_limits(limits);
    }

    /// Whether a state, given by the values of the factors, is in a set of a result.
    pub fn contains(&self, set: &Set, state: &[i32]) -> bool {
        self.evaluation.structure.system.contains(set, state)
    }

    /// Evaluates a formula over the atoms of the problem.
    ///
    /// # Errors
    ///
    /// When a limit is reached. The evaluator remains usable.
    pub fn evaluate(
        &mut self,
        formula: &TemporalFormula,
        explicit: &mut dyn ExplicitStates,
    ) -> Result<BranchingResult, BranchingError> {
        let evaluation = &mut self.evaluation;
        // Sets of other formulas would only occupy memory.
        evaluation.known.clear();
        let set = match formula {
            TemporalFormula::CtlStar(formula) => evaluation.ctl_star(formula)?,
            TemporalFormula::Mu(formula) => evaluation.mu(formula)?,
        };
        let holds = evaluation.structure.system.contains(&set, self.initial);
        let (witness, alternation_depth) = match formula {
            TemporalFormula::CtlStar(formula) => {
                (evaluation.witness(formula, holds, explicit)?, None)
            }
            TemporalFormula::Mu(formula) => (None, Some(formula.alternation_depth())),
        };
        let all = evaluation.structure.all().clone();
        let system = evaluation.structure.system();
        let (satisfying, states) = (system.count(&set), system.count(&all));
        Ok(BranchingResult { holds, set, satisfying, states, alternation_depth, witness })
    }
}

impl Evaluation<'_> {
    fn witness(
        &mut self,
        formula: &StateFormula,
        holds: bool,
        explicit: &mut dyn ExplicitStates,
    ) -> Result<Option<Witness>, BranchingError> {
        let initial = explicit.initial();
        let paths = self.explain_state(formula, &initial, holds, explicit)?;
        Ok((!paths.is_empty()).then_some(Witness { paths }))
    }
}

impl KripkeStructure<'_> {
    /// Refuses a system in which a reachable step fails.
    fn check_failures(&mut self, problem: &BranchingProblem) -> Result<(), BranchingError> {
        let steps = &problem.view.system.steps;
        let holders = self.system.holders().to_vec();
        let fatal = (0u32..).zip(steps).filter(|(_, step)| step.fails.is_some());
        // After a fault that is only reported, the run goes on.
        let fatal = fatal.filter(|(_, step)| !step.only_reports());
        for (at, step) in fatal {
            let mut places = vec![self.reached.free.clone()];
            let held = holders.iter().position(|&holder| holder == step.label.process);
            places.extend(held.map(|holder| self.reached.held[holder].clone()));
            for states in places {
                if !self.system.enabled(&[at], &states)?.is_empty() {
                    let excess = problem.view.system.excess.clone();
                    return Err(match excess.filter(|_| step.fails == Some(FaultKind::Limit)) {
                        Some(excess) => BranchingError::Exceeds(excess),
                        None => BranchingError::StepFails(step.name.clone()),
                    });
                }
            }
        }
        Ok(())
    }
}
