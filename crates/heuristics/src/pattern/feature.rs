//! What is kept of a state: the value of a factor, the class of one, or whether something is true.
//!
//! Source: [EMJ05] Abstraction as Simulation: projection, data abstraction, predicate abstraction.

use beeline_factored::{FactorExpr, FactorId, apply};

use super::classes::ValueClasses;

/// One number that is kept of a state.
#[derive(Clone, Debug, PartialEq)]
pub enum Feature {
    /// The value of a factor.
    Value(FactorId),
    /// The class of the value of a factor.
    Class(FactorId, ValueClasses),
    /// 1 where this is true, else 0. It asks for no rows, divides by numbers that are not 0
    /// only, and knows everything: so it always has one value.
    Predicate(Predicate),
}

/// A condition, and its negation.
#[derive(Clone, Debug, PartialEq)]
pub struct Predicate {
    pub(crate) condition: FactorExpr,
    /// The parts of both, all of which are true where it is.
    pub(crate) yes: Vec<FactorExpr>,
    pub(crate) no: Vec<FactorExpr>,
}

impl Predicate {
    /// Of a condition that always has a value.
    pub(crate) fn new(condition: FactorExpr) -> Predicate {
        let split = |expr: &FactorExpr| {
            let mut parts = Vec::new();
            expr.conjuncts(&mut parts);
            parts.into_iter().cloned().collect()
        };
        let (yes, no) = (split(&condition), split(&condition.clone().negated()));
        Predicate { condition, yes, no }
    }
}

impl Feature {
    /// What is kept of a state where factors have these values.
    pub(crate) fn of(&self, values: &[i32]) -> i32 {
        match self {
            Feature::Value(factor) => values[factor.index()],
            Feature::Class(factor, classes) => classes.of(values[factor.index()]),
            Feature::Predicate(truth) => i32::from(value(&truth.condition, values) != 0),
        }
    }

    /// Calls `visit` on every factor that it looks at.
    pub(crate) fn factors(&self, visit: &mut impl FnMut(FactorId)) {
        match self {
            Feature::Value(factor) | Feature::Class(factor, _) => visit(*factor),
            Feature::Predicate(truth) => truth.condition.factors(visit),
        }
    }
}

/// The value of an expression of a [`Feature::Predicate`].
fn value(expr: &FactorExpr, values: &[i32]) -> i32 {
    match expr {
        FactorExpr::Const(value) => *value,
        FactorExpr::Factor(factor) => values[factor.index()],
        FactorExpr::Unary(op, operand) => op.apply(value(operand, values)),
        FactorExpr::Binary(op, a, b) => {
            let (a, b) = (value(a, values), value(b, values));
            apply(*op, a, b).expect("divisors are numbers that are not 0")
        }
        FactorExpr::Element(_) | FactorExpr::Conditional(..) | FactorExpr::Any(_) => {
            unreachable!("conditions have no such parts")
        }
    }
}
