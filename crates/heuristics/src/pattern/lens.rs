//! What is kept of a state: the value of a factor, the class of one, or whether something is true.
//!
//! Source: [EMJ05] Abstraction as Simulation: projection, data abstraction, predicate abstraction.

use beeline_factored::{Expr, FactorId, apply};

use super::classes::Classes;

/// One number that is kept of a state.
#[derive(Clone, Debug, PartialEq)]
pub enum Lens {
    /// The value of a factor.
    Value(FactorId),
    /// The class of the value of a factor.
    Class(FactorId, Classes),
    /// 1 where this is true, else 0. It asks for no rows, divides by numbers that are not 0
    /// only, and knows everything: so it always has one value.
    Truth(Truth),
}

/// A condition, and its negation.
#[derive(Clone, Debug, PartialEq)]
pub struct Truth {
    pub(crate) condition: Expr,
    /// The parts of both, all of which are true where it is.
    pub(crate) yes: Vec<Expr>,
    pub(crate) no: Vec<Expr>,
}

impl Truth {
    /// Of a condition that always has a value.
    pub(crate) fn new(condition: Expr) -> Truth {
        let split = |expr: &Expr| {
            let mut parts = Vec::new();
            expr.conjuncts(&mut parts);
            parts.into_iter().cloned().collect()
        };
        let (yes, no) = (split(&condition), split(&condition.clone().negated()));
        Truth { condition, yes, no }
    }
}

impl Lens {
    /// What is kept of a state where factors have these values.
    pub(crate) fn of(&self, values: &[i32]) -> i32 {
        match self {
            Lens::Value(factor) => values[factor.index()],
            Lens::Class(factor, classes) => classes.of(values[factor.index()]),
            Lens::Truth(truth) => i32::from(value(&truth.condition, values) != 0),
        }
    }

    /// Calls `visit` on every factor that it looks at.
    pub(crate) fn factors(&self, visit: &mut impl FnMut(FactorId)) {
        match self {
            Lens::Value(factor) | Lens::Class(factor, _) => visit(*factor),
            Lens::Truth(truth) => truth.condition.factors(visit),
        }
    }
}

/// The value of an expression of a [`Lens::Truth`].
fn value(expr: &Expr, values: &[i32]) -> i32 {
    match expr {
        Expr::Const(value) => *value,
        Expr::Factor(factor) => values[factor.index()],
        Expr::Unary(op, operand) => op.apply(value(operand, values)),
        Expr::Binary(op, a, b) => {
            let (a, b) = (value(a, values), value(b, values));
            apply(*op, a, b).expect("divisors are numbers that are not 0")
        }
        Expr::Element(_) | Expr::Conditional(..) | Expr::Any(_) => {
            unreachable!("conditions have no such parts")
        }
    }
}
