//! The factored view of an encoded task, for heuristics: axioms are operators without costs.
//!
//! A derived fact is a factor that axioms make true, and that may become false at any time. So the
//! view has more steps than the task if there are axioms.

use std::sync::Arc;
use std::sync::Mutex;

use beeline_factored::{
    Assignment, AssignmentTarget, Binary, Deviation, FactorExpr, FactorId, FactorKind,
    FactorReader, FactoredView, Goal, Instruction, Interval, Operator, Ranges, System,
};
use beeline_kernel::StepLabel;

use crate::axiom_evaluator::AxiomEvaluator;
use crate::encode::{EncodedTask, StateCondition, ValueChange};
use crate::ground::{GroundComparison, GroundNumber, GroundOperation, GroundTask};
use crate::number_bounds::{GREAT, are_exact};
use crate::space::PlanningSpace;
use crate::task::{NumberRange, NumericChange, NumericComparison};

/// The label of axioms: no step has it.
const NO_STEP: StepLabel = StepLabel { edge: u32::MAX, process: 0 };

/// Builds the view.
pub(crate) fn view(space: &Arc<PlanningSpace>, ground: &GroundTask) -> FactoredView {
    let task = &space.task;
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
    for (at, one) in task.derived.iter().enumerate() {
        let name = ground.facts[one.fact as usize].name.clone();
        let initial = i32::from(evaluator.holds[at]);
        system.add(name, FactorKind::Variable, Interval::TRUTH, initial);
    }
    let numbers = derived + task.derived.len() as u32;
    let NumberRange { least, greatest } = task.range;
    let domain = Interval { least: i64::from(least), greatest: i64::from(greatest) };
    for ((name, _), &value) in ground.fluents.iter().zip(&task.numbers) {
        system.add(name.clone(), FactorKind::Variable, domain, value as i32);
    }
    system.tell_names_apart();
    let builder = ViewBuilder { task, derived, numbers };
    for (at, operator) in (0..).zip(&task.operators) {
        let actions = builder.actions(operator);
        let label = StepLabel { edge: at, process: 0 };
        system.steps.push(Operator::new(String::new(), label, operator.cost, actions));
    }
    for axiom in &task.axioms {
        let require = Instruction::Require(builder.all(&axiom.body));
        let set = builder.set(FactorId(derived + axiom.head), FactorExpr::Const(1));
        system.steps.push(Operator::new(String::new(), NO_STEP, 0, vec![require, set]));
    }
    if let Some(goal) = &task.goal {
        let conditions = goal.iter().map(|&one| builder.condition(one)).collect();
        system.goals.push(Goal { name: "goal".to_owned(), conditions });
    }
    for fact in 0..task.derived.len() as u32 {
        let set = builder.set(FactorId(derived + fact), FactorExpr::Const(0));
        system.steps.push(Operator::new(String::new(), NO_STEP, 0, vec![set]));
    }
    if !task.derived.is_empty() {
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
    let axioms = Mutex::new(evaluator);
    let reading = Arc::new(PlanningReader { space: space.clone(), axioms });
    FactoredView { system: Arc::new(system), ranges, reading }
}

/// Translates conditions and effects.
struct ViewBuilder<'a> {
    task: &'a EncodedTask,
    /// The first factor of derived facts, and of numbers.
    derived: u32,
    numbers: u32,
}

impl ViewBuilder<'_> {
    fn condition(&self, condition: StateCondition) -> FactorExpr {
        match condition {
            StateCondition::Is(factor, value) => {
                FactorExpr::Factor(FactorId(factor)).equals(value as i32)
            }
            StateCondition::IsNot(factor, value) => FactorExpr::Factor(FactorId(factor))
                .binary(Binary::NotEqual, FactorExpr::Const(value as i32)),
            StateCondition::Derived(fact, is) => {
                FactorExpr::Factor(FactorId(self.derived + fact)).equals(i32::from(is))
            }
            StateCondition::Compare(comparison, is) => {
                let made = self.comparison(&self.task.comparisons[comparison as usize]);
                if is { made } else { made.negated() }
            }
        }
    }

    fn all(&self, conditions: &[StateCondition]) -> FactorExpr {
        let each = conditions.iter().map(|&one| self.condition(one));
        each.reduce(FactorExpr::and).unwrap_or(FactorExpr::TRUE)
    }

    /// A comparison; constants are on the right, so that ranges can be narrowed by it.
    fn comparison(&self, of: &GroundComparison) -> FactorExpr {
        let (mut left, mut right, mut comparison) =
            (of.left.clone(), of.right.clone(), of.comparison);
        if matches!(left, GroundNumber::Const(_)) {
            (left, right) = (right, left);
            comparison = match comparison {
                NumericComparison::Less => NumericComparison::Greater,
                NumericComparison::LessEqual => NumericComparison::GreaterEqual,
                NumericComparison::Equal => NumericComparison::Equal,
                NumericComparison::GreaterEqual => NumericComparison::LessEqual,
                NumericComparison::Greater => NumericComparison::Less,
            };
        }
        while let (GroundNumber::Operation(operation, a, b), GroundNumber::Const(known)) =
            (&left, &right)
        {
            let moved = match (operation, &**a, &**b) {
                (GroundOperation::Add, other, GroundNumber::Const(by))
                | (GroundOperation::Add, GroundNumber::Const(by), other) => {
                    Some((other.clone(), known - by))
                }
                (GroundOperation::Subtract, other, GroundNumber::Const(by)) => {
                    Some((other.clone(), known + by))
                }
                _ => None,
            };
            let Some((other, known)) = moved else { break };
            (left, right) = (other, GroundNumber::Const(known));
        }
        let (a, b) = (self.number(&left), self.number(&right));
        match comparison {
            NumericComparison::Less => a.binary(Binary::Less, b),
            NumericComparison::LessEqual => a.binary(Binary::LessEqual, b),
            NumericComparison::Equal => a.binary(Binary::Equal, b),
            NumericComparison::GreaterEqual => b.binary(Binary::LessEqual, a),
            NumericComparison::Greater => b.binary(Binary::Less, a),
        }
    }

    fn number(&self, number: &GroundNumber) -> FactorExpr {
        match number {
            GroundNumber::Const(value) => FactorExpr::Const((*value).clamp(-GREAT, GREAT) as i32),
            GroundNumber::Fluent(fluent) => FactorExpr::Factor(FactorId(self.numbers + fluent)),
            GroundNumber::Operation(operation, a, b) => {
                let op = match operation {
                    GroundOperation::Add => Binary::Add,
                    GroundOperation::Subtract => Binary::Subtract,
                    GroundOperation::Multiply => Binary::Multiply,
                    GroundOperation::Divide => Binary::Divide,
                };
                self.number(a).binary(op, self.number(b))
            }
        }
    }

    /// Whether a number is in the range.
    fn in_range(&self, number: &FactorExpr) -> FactorExpr {
        let NumberRange { least, greatest } = self.task.range;
        let below = number.clone().binary(Binary::LessEqual, FactorExpr::Const(greatest));
        FactorExpr::Const(least).binary(Binary::LessEqual, number.clone()).and(below)
    }

    fn set(&self, factor: FactorId, value: FactorExpr) -> Instruction {
        Instruction::Set(vec![Assignment { place: AssignmentTarget::Factor(factor), value }])
    }

    /// The instructions of an operator: all values are those before it.
    fn actions(&self, operator: &crate::encode::EncodedOperator) -> Vec<Instruction> {
        let mut actions = Vec::new();
        if !operator.preconditions.is_empty() {
            actions.push(Instruction::Require(self.all(&operator.preconditions)));
        }
        // By factor: its value after the effects so far.
        let mut values: Vec<(FactorId, FactorExpr)> = Vec::new();
        for effect in &operator.effects {
            let factor = match &effect.change {
                ValueChange::Set(factor, _) => FactorId(*factor),
                ValueChange::Number(_, fluent, _) => FactorId(self.numbers + fluent),
            };
            let at = match values.iter().position(|one| one.0 == factor) {
                Some(at) => at,
                None => {
                    values.push((factor, FactorExpr::Factor(factor)));
                    values.len() - 1
                }
            };
            let old = values[at].1.clone();
            let new = match &effect.change {
                ValueChange::Set(_, value) => FactorExpr::Const(*value as i32),
                ValueChange::Number(kind, _, by) => {
                    let by = self.number(by);
                    match kind {
                        NumericChange::Assign => by,
                        NumericChange::Increase => old.clone().binary(Binary::Add, by),
                        NumericChange::Decrease => old.clone().binary(Binary::Subtract, by),
                        NumericChange::ScaleUp => old.clone().binary(Binary::Multiply, by),
                        NumericChange::ScaleDown => old.clone().binary(Binary::Divide, by),
                    }
                }
            };
            let condition = self.all(&effect.conditions);
            let is_number = matches!(effect.change, ValueChange::Number(..));
            if is_number && self.task.range != NumberRange::ALL {
                let fits = self.in_range(&new);
                actions.push(Instruction::Require(condition.clone().negated().or(fits)));
            }
            values[at].1 = match effect.conditions.is_empty() {
                true => new,
                false => FactorExpr::Conditional(Box::new(condition), Box::new(new), Box::new(old)),
            };
        }
        let assignments = values
            .into_iter()
            .map(|(factor, value)| Assignment { place: AssignmentTarget::Factor(factor), value });
        actions.push(Instruction::Set(assignments.collect()));
        actions
    }
}

/// Reads states of the space.
struct PlanningReader {
    space: Arc<PlanningSpace>,
    axioms: Mutex<AxiomEvaluator>,
}

impl FactorReader for PlanningReader {
    fn read(&self, state: &[u8], tell: &mut dyn FnMut(FactorId, i32)) -> bool {
        let PlanningSpace { task, layout, .. } = &*self.space;
        for factor in 0..task.groups.len() as u32 {
            tell(FactorId(factor), layout.get(state, factor) as i32);
        }
        let derived = task.groups.len() as u32;
        if !task.derived.is_empty() {
            let mut axioms = self.axioms.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
            axioms.evaluate(task, layout, state);
            for (at, &holds) in (derived..).zip(&axioms.holds) {
                tell(FactorId(at), i32::from(holds));
            }
        }
        let numbers = derived + task.derived.len() as u32;
        for fluent in 0..task.numbers.len() as u32 {
            tell(FactorId(numbers + fluent), layout.number(state, fluent) as i32);
        }
        true
    }
}
