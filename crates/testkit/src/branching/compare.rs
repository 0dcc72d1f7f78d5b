//! The comparison of sets of states with the labelling, formula by formula.

use std::collections::BTreeSet;
use std::time::Duration;

use beeline_branching::{BranchingError, FairnessRequest, SpaceStates, evaluate};
use beeline_engine::automata::AutomataOptions;
use beeline_engine::interpreter::Machine;
use beeline_kernel::Deadline;
use beeline_logic::branching::{Ctl, mu_of_ctl};
use beeline_model::{
    BranchingProblem, Model as _, MuSteps, Property, PropertyKind, SystemOptions, TemporalFormula,
};
use beeline_promela::Frontend;
use beeline_promela::hir::BranchingFormula;
use beeline_promela_model::{PromelaModel, SemanticsOptions};
use beeline_symbolic::DiagramLimits;

use super::graph::ExplicitGraph;
use super::labelling::Labelling;

/// The memory of one evaluation, in bytes.
const BYTES: usize = 1 << 30;

/// What was compared.
#[derive(Debug, Default)]
pub struct BranchingCompared {
    /// Formulas with equal sets.
    pub formulas: usize,
    /// Those of CTL, with the same states after the translation to the mu-calculus.
    pub translated: usize,
    /// Those that hold in the initial state.
    pub holding: usize,
    /// The states that satisfy a formula, of all formulas together.
    pub satisfying: u64,
    /// The states of all formulas together.
    pub states: u64,
    /// Witnesses that were checked.
    pub witnesses: usize,
    /// Models without an exact view, or with more states than the limit.
    pub left_out: usize,
    /// Formulas with an atom that the view does not determine: their verdict is unknown.
    pub undetermined: usize,
    /// Formulas of models with failing steps, which have no answer.
    pub failing: usize,
    /// Evaluations that reached a limit.
    pub stopped: usize,
    /// The differences.
    pub complaints: BTreeSet<String>,
}

/// Evaluates all formulas of branching time of a model, and compares each with its labelling.
pub fn compare(name: &str, front: &Frontend, most: usize, compared: &mut BranchingCompared) {
    // Statements are not merged, so that all formulas are about the same states.
    let machine = Machine::new(&front.hir, AutomataOptions::PLAIN);
    let Some(graph) = ExplicitGraph::new(&machine, most) else {
        compared.left_out += 1;
        return;
    };
    let labelling = Labelling { machine: &machine, graph: &graph };
    let model = PromelaModel::new(name, front, SemanticsOptions::default());
    let options = SystemOptions { plain: true, ..SystemOptions::default() };
    model.with_system(&[], options, &mut |system| {
        for formula in &front.hir.branching {
            let property = property_of(formula);
            let done = system.with_branching(&property, &mut |_, problem| {
                compare_one(name, formula, &problem, &labelling, compared);
            });
            // An atom that the view does not determine, such as the length of a missing channel.
            compared.undetermined += usize::from(done.is_err());
        }
    });
}

fn property_of(formula: &BranchingFormula) -> Property {
    let name = formula.name.name.to_string();
    Property { name: name.clone(), kind: PropertyKind::Ctl, formula: Some(name) }
}

fn compare_one(
    name: &str,
    formula: &BranchingFormula,
    problem: &BranchingProblem,
    labelling: &Labelling<'_>,
    compared: &mut BranchingCompared,
) {
    if !problem.view.system.precision.is_exact() {
        compared.left_out += 1;
        return;
    }
    let mut states = SpaceStates { space: labelling.machine, view: &problem.view };
    let result = evaluate(problem, limits(), FairnessRequest::None, &mut states);
    let mut complain = |why: String| {
        compared.complaints.insert(format!("{name}, {}: {why}", formula.text));
    };
    let result = match result {
        Ok(result) => result,
        Err(BranchingError::StepFails(_)) => {
            compared.failing += 1;
            if !labelling.graph.fails {
                complain("no step fails".to_owned());
            }
            return;
        }
        Err(error) if error.stop().is_some() => {
            compared.stopped += 1;
            return;
        }
        Err(error) => return complain(error.to_string()),
    };
    if labelling.graph.fails {
        complain("a step fails".to_owned());
    }
    let labels = labelling.labels(&formula.formula);
    let satisfying = labels.iter().filter(|label| **label).count();
    let told = (result.satisfying.to_string(), result.states.to_string(), result.holds);
    let truth = (satisfying.to_string(), labels.len().to_string(), labels[0]);
    if told != truth {
        complain(format!("{told:?} on sets, {truth:?} by labels"));
    }
    if let Some(fixpoints) = by_fixpoints(problem, &mut states) {
        compared.translated += 1;
        if fixpoints.as_ref() != Ok(&told.0) {
            complain(format!("{fixpoints:?} in the mu-calculus, {} in CTL", told.0));
        }
    }
    compared.formulas += 1;
    compared.satisfying += satisfying as u64;
    compared.states += labels.len() as u64;
    compared.holding += usize::from(result.holds);
    if let Some(witness) = &result.witness {
        compared.witnesses += 1;
        if let Some(mistake) = labelling.mistake(&formula.formula, result.holds, witness) {
            complain(format!("witness: {mistake}"));
        }
    }
}

/// The number of states that satisfy a formula of CTL after its translation to the mu-calculus;
/// `None` for other formulas, and where a limit is reached.
fn by_fixpoints(
    problem: &BranchingProblem,
    states: &mut SpaceStates<'_>,
) -> Option<Result<String, String>> {
    let TemporalFormula::CtlStar(formula) = &problem.formula else { return None };
    let formula = mu_of_ctl(&Ctl::new(formula)?, &MuSteps::Extended);
    let problem = BranchingProblem { formula: TemporalFormula::Mu(formula), ..problem.clone() };
    match evaluate(&problem, limits(), FairnessRequest::None, states) {
        Ok(result) => Some(Ok(result.satisfying.to_string())),
        Err(error) if error.stop().is_some() => None,
        Err(error) => Some(Err(error.to_string())),
    }
}

fn limits() -> DiagramLimits {
    DiagramLimits::new(BYTES, Deadline::after(Duration::from_secs(10)))
}
