//! The comparison of sets of states with the labelling, formula by formula.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicU32, Ordering};

use beeline_branching::{
    BranchingError, BranchingEvaluator, ExplicitStates as _, FairnessRequest, SpaceStates,
};
use beeline_engine::automata::AutomataOptions;
use beeline_engine::interpreter::Machine;
use beeline_kernel::Stop;
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

/// Polls of the limits in one evaluation: as many operations whatever the machine, about ten seconds.
const POLLS: u32 = 20_000;

/// States whose labels are compared one by one for each formula, at most; the numbers of all
/// satisfying states are compared as well.
const SAMPLE: usize = 2_000;

/// With fewer formulas, a model counts as one with few.
const ENOUGH: usize = 40;

/// What was compared.
#[derive(Debug, Default)]
pub struct BranchingCompared {
    /// Models with a formula that was compared.
    pub models: usize,
    /// Models with some, but fewer than 40 such formulas, and their number.
    pub with_few: BTreeSet<String>,
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
    /// Models with more states than the limit, or that fail at once.
    pub too_large: usize,
    /// Models without an exact view.
    pub inexact: usize,
    /// Formulas with an atom that the view does not determine: their verdict is unknown.
    pub undetermined: usize,
    /// Formulas of models with failing steps, which have no answer.
    pub failing: usize,
    /// Evaluations that reached a limit, of sets or of labels.
    pub stopped: usize,
    /// The differences.
    pub complaints: BTreeSet<String>,
}

impl BranchingCompared {
    /// Adds what was compared elsewhere.
    pub fn add(&mut self, other: BranchingCompared) {
        self.models += other.models;
        self.with_few.extend(other.with_few);
        self.formulas += other.formulas;
        self.translated += other.translated;
        self.holding += other.holding;
        self.satisfying += other.satisfying;
        self.states += other.states;
        self.witnesses += other.witnesses;
        self.too_large += other.too_large;
        self.inexact += other.inexact;
        self.undetermined += other.undetermined;
        self.failing += other.failing;
        self.stopped += other.stopped;
        self.complaints.extend(other.complaints);
    }
}

/// Evaluates all formulas of branching time of a model, and compares each with its labelling.
pub fn compare(name: &str, front: &Frontend, most: usize) -> BranchingCompared {
    let mut compared = BranchingCompared::default();
    // Statements are not merged, so that all formulas are about the same states.
    let machine = Machine::new(&front.hir, AutomataOptions::PLAIN);
    let Some(graph) = ExplicitGraph::new(&machine, most) else {
        compared.too_large = 1;
        return compared;
    };
    let labelling = Labelling::new(&machine, &graph);
    let model = PromelaModel::new(name, front, SemanticsOptions::default());
    let options = SystemOptions { plain: true, ..SystemOptions::default() };
    let formulas = &front.hir.branching;
    let properties: Vec<Property> = formulas.iter().map(property_of).collect();
    model.with_system(&[], options, &mut |system| {
        let all: Vec<&Property> = properties.iter().collect();
        let prepared = system.with_branching(&all, &mut |_, _, problem| {
            let problem = &problem;
            Comparison { name, problem, labelling: &labelling, compared: &mut compared }
                .run(formulas);
        });
        compared.undetermined += if prepared.is_err() { formulas.len() } else { 0 };
    });
    compared.models = usize::from(compared.formulas > 0);
    if (1..ENOUGH.min(formulas.len())).contains(&compared.formulas) {
        compared.with_few.insert(format!("{name}: {}", compared.formulas));
    }
    compared
}

fn property_of(formula: &BranchingFormula) -> Property {
    let name = formula.name.name.to_string();
    Property { name: name.clone(), kind: PropertyKind::Ctl, formula: Some(name) }
}

/// The comparison of the formulas of a model.
struct Comparison<'c> {
    name: &'c str,
    problem: &'c BranchingProblem,
    labelling: &'c Labelling<'c>,
    compared: &'c mut BranchingCompared,
}

impl Comparison<'_> {
    fn run(&mut self, formulas: &[BranchingFormula]) {
        if !self.problem.view.system.precision.is_exact() {
            self.compared.inexact = 1;
            return;
        }
        let graph = self.labelling.graph;
        let mut evaluator =
            match BranchingEvaluator::new(self.problem, limits(), FairnessRequest::None) {
                Ok(evaluator) => evaluator,
                Err(BranchingError::StepFails(_)) => {
                    self.compared.failing += formulas.len();
                    if !graph.fails {
                        self.complain("all formulas", "no step fails");
                    }
                    return;
                }
                Err(error) if error.stop().is_some() => {
                    self.compared.stopped += formulas.len();
                    return;
                }
                Err(error) => return self.complain("all formulas", &error.to_string()),
            };
        if graph.fails {
            self.complain("all formulas", "a step fails");
        }
        for (formula, translated) in formulas.iter().zip(&self.problem.formulas) {
            match translated {
                Ok(translated) => self.compare(formula, translated, &mut evaluator),
                // An atom that the view does not determine, such as the length of a missing channel.
                Err(_) => self.compared.undetermined += 1,
            }
        }
    }

    fn complain(&mut self, formula: &str, why: &str) {
        self.compared.complaints.insert(format!("{}, {formula}: {why}", self.name));
    }

    fn compare(
        &mut self,
        formula: &BranchingFormula,
        translated: &TemporalFormula,
        evaluator: &mut BranchingEvaluator<'_>,
    ) {
        let Labelling { machine, graph, .. } = *self.labelling;
        let mut states = SpaceStates { space: machine, view: &self.problem.view };
        evaluator.set_limits(limits());
        let result = match evaluator.evaluate(translated, &mut states) {
            Ok(result) => result,
            Err(error) if error.stop().is_some() => {
                self.compared.stopped += 1;
                return;
            }
            Err(error) => return self.complain(&formula.text, &error.to_string()),
        };
        let Some(labels) = self.labelling.labels(&formula.formula) else {
            self.compared.stopped += 1;
            return;
        };
        let satisfying = labels.ones();
        let told = (result.satisfying.to_string(), result.states.to_string(), result.holds);
        let truth = (satisfying.to_string(), graph.count().to_string(), labels.has(0));
        if told != truth {
            self.complain(&formula.text, &format!("{told:?} on sets, {truth:?} by labels"));
        }
        let is_same = |&at: &usize| {
            let values = states.read(&graph.states[at]);
            values.is_some_and(|values| evaluator.contains(&result.set, &values)) == labels.has(at)
        };
        let stride = graph.count().div_ceil(SAMPLE);
        if let Some(at) = (0..graph.count()).step_by(stride).find(|at| !is_same(at)) {
            self.complain(&formula.text, &format!("the labels of state {at} differ"));
        }
        if let Some(fixpoints) = by_fixpoints(translated, evaluator, &mut states) {
            self.compared.translated += 1;
            if fixpoints.as_ref() != Ok(&told.0) {
                let why = format!("{fixpoints:?} in the mu-calculus, {} in CTL", told.0);
                self.complain(&formula.text, &why);
            }
        }
        self.compared.formulas += 1;
        self.compared.satisfying += satisfying as u64;
        self.compared.states += graph.count() as u64;
        self.compared.holding += usize::from(result.holds);
        if let Some(witness) = &result.witness {
            self.compared.witnesses += 1;
            if let Some(mistake) = self.labelling.mistake(&formula.formula, result.holds, witness) {
                self.complain(&formula.text, &format!("witness: {mistake}"));
            }
        }
    }
}

/// The number of states that satisfy a formula of CTL after its translation to the mu-calculus;
/// `None` for other formulas, and where a limit is reached.
fn by_fixpoints(
    formula: &TemporalFormula,
    evaluator: &mut BranchingEvaluator<'_>,
    states: &mut SpaceStates<'_>,
) -> Option<Result<String, String>> {
    let TemporalFormula::CtlStar(formula) = formula else { return None };
    let formula = mu_of_ctl(&Ctl::new(formula)?, &MuSteps::Extended);
    evaluator.set_limits(limits());
    match evaluator.evaluate(&TemporalFormula::Mu(formula), states) {
        Ok(result) => Some(Ok(result.satisfying.to_string())),
        Err(error) if error.stop().is_some() => None,
        Err(error) => Some(Err(error.to_string())),
    }
}

fn limits() -> DiagramLimits {
    let polls = AtomicU32::new(0);
    let interrupt =
        Box::new(move |_| (polls.fetch_add(1, Ordering::Relaxed) >= POLLS).then_some(Stop::Time));
    DiagramLimits { bytes: BYTES, interrupt, ..DiagramLimits::default() }
}
