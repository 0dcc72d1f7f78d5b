//! Features of a state: the value of a factor, its class, or the truth of a predicate.
//!
//! Source: [EMJ05] Abstraction as Simulation: projection, data abstraction, predicate abstraction.

use beeline_factored::{FactorExpr, FactorId, apply};

use super::classes::ValueClasses;

/// A feature of abstract states.
#[derive(Clone, Debug, PartialEq)]
pub enum Feature {
    /// The value of a factor.
    Value(FactorId),
    /// The class of the value of a factor.
    Class(FactorId, ValueClasses),
    /// 1 if this predicate is true, else 0. Predicates have no array elements, constant non-zero
    /// divisors and no unknown values, so they always have a value.
    Predicate(Predicate),
}

/// A predicate and its negation.
#[derive(Clone, Debug, PartialEq)]
pub struct Predicate {
    pub(crate) condition: FactorExpr,
    /// The conjuncts of both.
    pub(crate) yes: Vec<FactorExpr>,
    pub(crate) no: Vec<FactorExpr>,
}

impl Predicate {
    /// A predicate that always has a value.
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
    /// The feature value, given the values of the factors.
    pub(crate) fn of(&self, values: &[i32]) -> i32 {
        match self {
            Feature::Value(factor) => values[factor.index()],
            Feature::Class(factor, classes) => classes.of(values[factor.index()]),
            Feature::Predicate(truth) => i32::from(value(&truth.condition, values) != 0),
        }
    }

    /// Visits the factors of the feature.
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
