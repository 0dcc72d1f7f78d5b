//! Conditions and effects of an encoded task as expressions and assignments on factors.

use beeline_factored::{Assignment, AssignmentTarget, Binary, FactorExpr, FactorId, Instruction};

use crate::encode::{EncodedOperator, EncodedTask, StateCondition, ValueChange};
use crate::ground::{GroundComparison, GroundNumber, GroundOperation};
use crate::number_bounds::GREAT;
use crate::task::{NumberRange, NumericChange, NumericComparison};

/// What a condition on a derived fact becomes.
pub(super) enum DerivedFacts {
    /// One on a factor; that of the first derived fact.
    Factors(u32),
    /// A formula of the other factors, by derived fact.
    Formulas(Vec<FactorExpr>),
}

/// Joins expressions, in their order, by a tree of little depth: expressions are visited by recursion.
pub(super) fn joined(
    mut parts: Vec<FactorExpr>,
    join: impl Fn(FactorExpr, FactorExpr) -> FactorExpr,
) -> Option<FactorExpr> {
    while parts.len() > 1 {
        let mut pairs = parts.into_iter();
        parts = Vec::new();
        while let Some(first) = pairs.next() {
            parts.push(match pairs.next() {
                Some(second) => join(first, second),
                None => first,
            });
        }
    }
    parts.pop()
}

/// Translates conditions and effects.
pub(super) struct ViewBuilder<'a> {
    pub(super) task: &'a EncodedTask,
    pub(super) derived: DerivedFacts,
    /// The first factor of numbers.
    pub(super) numbers: u32,
}

impl ViewBuilder<'_> {
    pub(super) fn condition(&self, condition: StateCondition) -> FactorExpr {
        match condition {
            StateCondition::Is(factor, value) => {
                FactorExpr::Factor(FactorId(factor)).equals(value as i32)
            }
            StateCondition::IsNot(factor, value) => FactorExpr::Factor(FactorId(factor))
                .binary(Binary::NotEqual, FactorExpr::Const(value as i32)),
            StateCondition::Derived(fact, is) => match &self.derived {
                DerivedFacts::Factors(first) => {
                    FactorExpr::Factor(FactorId(first + fact)).equals(i32::from(is))
                }
                DerivedFacts::Formulas(formulas) => {
                    let formula = formulas[fact as usize].clone();
                    if is { formula } else { formula.negated() }
                }
            },
            StateCondition::Compare(comparison, is) => {
                let made = self.comparison(&self.task.comparisons[comparison as usize]);
                if is { made } else { made.negated() }
            }
        }
    }

    pub(super) fn all(&self, conditions: &[StateCondition]) -> FactorExpr {
        let each = conditions.iter().map(|&one| self.condition(one)).collect();
        joined(each, FactorExpr::and).unwrap_or(FactorExpr::TRUE)
    }

    /// A comparison; constants are on the right, so that ranges can be narrowed by it.
    pub(super) fn comparison(&self, of: &GroundComparison) -> FactorExpr {
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

    pub(super) fn number(&self, number: &GroundNumber) -> FactorExpr {
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
    pub(super) fn in_range(&self, number: &FactorExpr) -> FactorExpr {
        let NumberRange { least, greatest } = self.task.range;
        let below = number.clone().binary(Binary::LessEqual, FactorExpr::Const(greatest));
        FactorExpr::Const(least).binary(Binary::LessEqual, number.clone()).and(below)
    }

    pub(super) fn set(&self, factor: FactorId, value: FactorExpr) -> Instruction {
        Instruction::Set(vec![Assignment { place: AssignmentTarget::Factor(factor), value }])
    }

    /// The instructions of an operator: all values are those before it.
    pub(super) fn actions(&self, operator: &EncodedOperator) -> Vec<Instruction> {
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
