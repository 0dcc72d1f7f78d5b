//! A grounded task: facts, operators and axioms without variables; conditions are conjunctions.

use crate::task::{Arithmetic, NumberRange, NumericChange, NumericComparison, PlanningTask};

/// A fact that may change.
#[derive(Clone, Debug)]
pub struct GroundFact {
    /// Its name, as `(at truck1 depot)`.
    pub name: String,
    /// The predicate and the objects; `None` for a part of a condition that has a name of its own.
    pub(crate) atom: Option<(u32, Box<[u32]>)>,
    /// The stratum, if axioms derive it.
    pub(crate) layer: Option<u32>,
    /// Whether it holds initially.
    pub is_initial: bool,
}

impl GroundFact {
    /// Whether axioms derive it.
    pub fn is_derived(&self) -> bool {
        self.layer.is_some()
    }
}

/// A condition without parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Literal {
    /// A fact is true, or false.
    Fact(u32, bool),
    /// A comparison of numbers holds, or does not.
    Compare(u32, bool),
}

/// A numeric expression on fluents, by their numbers.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum GroundNumber {
    Const(i64),
    Fluent(u32),
    Operation(GroundOperation, Box<GroundNumber>, Box<GroundNumber>),
}

/// An operation of a numeric expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum GroundOperation {
    Add,
    Subtract,
    Multiply,
    Divide,
}

impl From<Arithmetic> for GroundOperation {
    fn from(operation: Arithmetic) -> GroundOperation {
        match operation {
            Arithmetic::Add => GroundOperation::Add,
            Arithmetic::Subtract => GroundOperation::Subtract,
            Arithmetic::Multiply => GroundOperation::Multiply,
            Arithmetic::Divide => GroundOperation::Divide,
        }
    }
}

impl GroundOperation {
    pub(crate) fn apply(self, a: i64, b: i64) -> Option<i64> {
        match self {
            GroundOperation::Add => a.checked_add(b),
            GroundOperation::Subtract => a.checked_sub(b),
            GroundOperation::Multiply => a.checked_mul(b),
            GroundOperation::Divide => (a.checked_rem(b)? == 0).then(|| a / b),
        }
    }
}

impl GroundNumber {
    /// Its value; `None` if it is not an integer or too large.
    pub(crate) fn value(&self, fluents: &impl Fn(u32) -> i64) -> Option<i64> {
        match self {
            GroundNumber::Const(value) => Some(*value),
            GroundNumber::Fluent(fluent) => Some(fluents(*fluent)),
            GroundNumber::Operation(operation, a, b) => {
                operation.apply(a.value(fluents)?, b.value(fluents)?)
            }
        }
    }

    pub(crate) fn fluents(&self, visit: &mut impl FnMut(u32)) {
        match self {
            GroundNumber::Const(_) => {}
            GroundNumber::Fluent(fluent) => visit(*fluent),
            GroundNumber::Operation(_, a, b) => {
                a.fluents(visit);
                b.fluents(visit);
            }
        }
    }
}

/// A comparison of two numbers.
#[derive(Clone, Debug)]
pub(crate) struct GroundComparison {
    pub(crate) comparison: NumericComparison,
    pub(crate) left: GroundNumber,
    pub(crate) right: GroundNumber,
}

impl GroundComparison {
    /// Whether it holds; a side without a value makes it false.
    pub(crate) fn holds(&self, fluents: &impl Fn(u32) -> i64) -> bool {
        match (self.left.value(fluents), self.right.value(fluents)) {
            (Some(left), Some(right)) => self.comparison.holds(left, right),
            _ => false,
        }
    }
}

/// What an effect changes.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum GroundChange {
    Add(u32),
    Delete(u32),
    Number(NumericChange, u32, GroundNumber),
}

/// An effect under a condition.
#[derive(Clone, Debug)]
pub(crate) struct GroundEffect {
    pub(crate) conditions: Vec<Literal>,
    pub(crate) change: GroundChange,
}

/// An action without variables. A disjunctive precondition makes several of them.
#[derive(Clone, Debug)]
pub(crate) struct GroundOperator {
    pub(crate) schema: u32,
    pub(crate) arguments: Box<[u32]>,
    pub(crate) cost: u32,
    pub(crate) preconditions: Vec<Literal>,
    pub(crate) effects: Vec<GroundEffect>,
}

/// An axiom without variables.
#[derive(Clone, Debug)]
pub(crate) struct GroundAxiom {
    pub(crate) head: u32,
    pub(crate) body: Vec<Literal>,
}

/// A task without variables.
#[derive(Clone, Debug)]
pub struct GroundTask {
    /// The facts that may change.
    pub facts: Vec<GroundFact>,
    pub(crate) operators: Vec<GroundOperator>,
    pub(crate) axioms: Vec<GroundAxiom>,
    pub(crate) comparisons: Vec<GroundComparison>,
    /// The names and initial values of numeric fluents.
    pub(crate) fluents: Vec<(String, i64)>,
    /// The values of numeric fluents.
    pub(crate) range: NumberRange,
    /// The goal; `None` if it cannot be reached.
    pub(crate) goal: Option<Vec<Literal>>,
}

impl GroundTask {
    /// The numbers of operators and of axioms.
    pub fn sizes(&self) -> (usize, usize) {
        (self.operators.len(), self.axioms.len())
    }

    /// An action as it is written in plans.
    pub(crate) fn action_name(&self, task: &PlanningTask, operator: usize) -> String {
        let GroundOperator { schema, arguments, .. } = &self.operators[operator];
        let mut text = format!("({}", task.actions[*schema as usize].name);
        for &object in arguments.iter() {
            text.push(' ');
            text.push_str(&task.objects[object as usize].name);
        }
        text.push(')');
        text
    }
}
