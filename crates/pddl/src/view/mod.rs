//! The factored views of an encoded task.
//!
//! In the view for heuristics, a derived fact is a factor that axioms make true by operators without costs, and that
//! may become false at any time. So this view has more steps than the task if there are axioms. In the view for sets
//! of states, formulas of the other factors replace derived facts.

mod builder;
mod derived_formulas;

use std::sync::{Arc, Mutex};

use beeline_factored::{
    Deviation, FactorExpr, FactorId, FactorKind, FactorReader, FactoredView, Goal, Instruction,
    Interval, Operator, Ranges, System,
};
use beeline_kernel::StepLabel;

use crate::axiom_evaluator::AxiomEvaluator;
use crate::ground::GroundTask;
use crate::number_bounds::are_exact;
use crate::space::PlanningSpace;
use crate::task::NumberRange;
use builder::{DerivedFacts, ViewBuilder};
use derived_formulas::derived_formulas;

/// The label of axioms: no step has it.
const NO_STEP: StepLabel = StepLabel { edge: u32::MAX, process: 0 };

/// Builds the view for heuristics.
pub(crate) fn view(space: &Arc<PlanningSpace>, ground: &GroundTask) -> FactoredView {
    let derived = space.task.groups.len() as u32;
    view_with(space, ground, DerivedFacts::Factors(derived))
}

/// Builds the view without derived facts. `None` if axioms depend on each other in a cycle, or if their formulas are
/// too large.
pub(crate) fn view_without_axioms(
    space: &Arc<PlanningSpace>,
    ground: &GroundTask,
) -> Option<FactoredView> {
    let formulas = derived_formulas(&space.task)?;
    Some(view_with(space, ground, DerivedFacts::Formulas(formulas)))
}

fn view_with(
    space: &Arc<PlanningSpace>,
    ground: &GroundTask,
    derived_facts: DerivedFacts,
) -> FactoredView {
    let task = &space.task;
    let factors = match derived_facts {
        DerivedFacts::Factors(_) => task.derived.len(),
        DerivedFacts::Formulas(_) => 0,
    };
    let mut system = System::default();
    for group in &task.groups {
        let name = match &group.facts[..] {
            [one] => ground.facts[*one as usize].name.clone(),
            several => {
                let first = &ground.facts[several[0] as usize].name;
                format!("{first}…")
            }
        };
        let domain = Interval { least: 0, greatest: i64::from(group.size()) - 1 };
        system.add(name, FactorKind::Variable, domain, group.initial as i32);
    }
    let derived = task.groups.len() as u32;
    let mut evaluator = space.axioms();
    evaluator.evaluate(task, &space.layout, &space.initial_state());
    for (at, one) in task.derived[..factors].iter().enumerate() {
        let name = ground.facts[one.fact as usize].name.clone();
        let initial = i32::from(evaluator.holds[at]);
        system.add(name, FactorKind::Variable, Interval::TRUTH, initial);
    }
    let numbers = derived + factors as u32;
    let NumberRange { least, greatest } = task.range;
    let domain = Interval { least: i64::from(least), greatest: i64::from(greatest) };
    for ((name, _), &value) in ground.fluents.iter().zip(&task.numbers) {
        system.add(name.clone(), FactorKind::Variable, domain, value as i32);
    }
    system.tell_names_apart();
    let builder = ViewBuilder { task, derived: derived_facts, numbers };
    for (at, operator) in (0..).zip(&task.operators) {
        let actions = builder.actions(operator);
        let label = StepLabel { edge: at, process: 0 };
        system.steps.push(Operator::new(String::new(), label, operator.cost, actions));
    }
    for axiom in task.axioms.iter().filter(|_| factors > 0) {
        let require = Instruction::Require(builder.all(&axiom.body));
        let set = builder.set(FactorId(derived + axiom.head), FactorExpr::Const(1));
        system.steps.push(Operator::new(String::new(), NO_STEP, 0, vec![require, set]));
    }
    if let Some(goal) = &task.goal {
        let conditions = goal.iter().map(|&one| builder.condition(one)).collect();
        system.goals.push(Goal { name: "goal".to_owned(), conditions });
    }
    for fact in 0..factors as u32 {
        let set = builder.set(FactorId(derived + fact), FactorExpr::Const(0));
        system.steps.push(Operator::new(String::new(), NO_STEP, 0, vec![set]));
    }
    if factors > 0 {
        system.precision.lose("derived predicates change at any time", Deviation::MoreSteps);
    }
    // The values of factors are their facts; only numbers need an analysis.
    let ranges = match task.numbers.is_empty() {
        true => Ranges::given(&system, system.factors.iter().map(|factor| factor.domain).collect()),
        false => Ranges::of(&system),
    };
    let bounds = |fluent: u32| {
        let of = ranges.get(FactorId(numbers + fluent));
        (of.least, of.greatest)
    };
    if !are_exact(task, &bounds) {
        let why = "numbers have no bounds, and results that are none";
        system.precision.lose(why, Deviation::OtherSteps);
    }
    let axioms = (factors > 0).then(|| Mutex::new(evaluator));
    let reading = Arc::new(PlanningReader { space: space.clone(), axioms });
    FactoredView { system: Arc::new(system), ranges, reading }
}

/// Reads states of the space.
struct PlanningReader {
    space: Arc<PlanningSpace>,
    /// If derived facts are factors.
    axioms: Option<Mutex<AxiomEvaluator>>,
}

impl FactorReader for PlanningReader {
    fn read(&self, state: &[u8], tell: &mut dyn FnMut(FactorId, i32)) -> bool {
        let PlanningSpace { task, layout, .. } = &*self.space;
        for factor in 0..task.groups.len() as u32 {
            tell(FactorId(factor), layout.get(state, factor) as i32);
        }
        let mut numbers = task.groups.len() as u32;
        if let Some(axioms) = &self.axioms {
            let mut axioms = axioms.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
            axioms.evaluate(task, layout, state);
            for &holds in &axioms.holds {
                tell(FactorId(numbers), i32::from(holds));
                numbers += 1;
            }
        }
        for fluent in 0..task.numbers.len() as u32 {
            tell(FactorId(numbers + fluent), layout.number(state, fluent) as i32);
        }
        true
    }
}
