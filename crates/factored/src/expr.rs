//! Expressions over factors. Values are 32-bit integers that wrap around; 0 is false.

use crate::arithmetic::{Binary, IntWidth, Unary, apply};
use crate::factor::FactorId;
use crate::interval::Interval;

/// An array element: factors at a constant stride, selected by an index.
#[derive(Clone, Debug, PartialEq)]
pub struct Element {
    /// The factor at index 0.
    pub first: FactorId,
    /// Distance between consecutive factors.
    pub stride: u32,
    /// Number of elements.
    pub count: u32,
    /// The index. An index out of bounds has no value: the failing step is another operator.
    pub index: Box<FactorExpr>,
}

impl Element {
    /// The factor at an index, if it is within bounds.
    #[inline]
    pub fn at(&self, index: i32) -> Option<FactorId> {
        let index = u32::try_from(index).ok().filter(|&index| index < self.count)?;
        Some(FactorId(self.first.0 + index * self.stride))
    }

    /// The index of a factor.
    pub fn position(&self, factor: FactorId) -> Option<u32> {
        let behind = factor.0.checked_sub(self.first.0)?;
        let at = behind / self.stride.max(1);
        (at < self.count && self.first.0 + at * self.stride == factor.0).then_some(at)
    }
}

/// An expression.
#[derive(Clone, Debug, PartialEq)]
pub enum FactorExpr {
    /// A constant.
    Const(i32),
    /// The value of a factor.
    Factor(FactorId),
    /// The value of an array element.
    Element(Element),
    /// A unary operation.
    Unary(Unary, Box<FactorExpr>),
    /// A binary operation.
    Binary(Binary, Box<FactorExpr>, Box<FactorExpr>),
    /// The second if the first is not 0, else the third.
    Conditional(Box<FactorExpr>, Box<FactorExpr>, Box<FactorExpr>),
    /// Any value of an interval: unknown in this view.
    Any(Interval),
}

impl FactorExpr {
    /// True.
    pub const TRUE: FactorExpr = FactorExpr::Const(1);

    /// `!self`, simplified.
    #[must_use]
    pub fn negated(self) -> FactorExpr {
        match self {
            FactorExpr::Const(value) => FactorExpr::Const(i32::from(value == 0)),
            FactorExpr::Unary(Unary::Not, inner) if inner.is_truth() => *inner,
            FactorExpr::Binary(Binary::Equal, a, b) => FactorExpr::Binary(Binary::NotEqual, a, b),
            FactorExpr::Binary(Binary::NotEqual, a, b) => FactorExpr::Binary(Binary::Equal, a, b),
            FactorExpr::Binary(Binary::Less, a, b) => FactorExpr::Binary(Binary::LessEqual, b, a),
            FactorExpr::Binary(Binary::LessEqual, a, b) => FactorExpr::Binary(Binary::Less, b, a),
            FactorExpr::Binary(Binary::And, a, b) => a.negated().or(b.negated()),
            FactorExpr::Binary(Binary::Or, a, b) => a.negated().and(b.negated()),
            FactorExpr::Any(interval) if interval == Interval::TRUTH => FactorExpr::Any(interval),
            other => FactorExpr::Unary(Unary::Not, Box::new(other)),
        }
    }

    /// `self && other`, simplified.
    #[must_use]
    pub fn and(self, other: FactorExpr) -> FactorExpr {
        match (self, other) {
            (FactorExpr::Const(0), _) | (_, FactorExpr::Const(0)) => FactorExpr::Const(0),
            (FactorExpr::Const(_), one) | (one, FactorExpr::Const(_)) if one.is_truth() => one,
            (a, b) => FactorExpr::Binary(Binary::And, Box::new(a), Box::new(b)),
        }
    }

    /// `self || other`, simplified.
    #[must_use]
    pub fn or(self, other: FactorExpr) -> FactorExpr {
        match (self, other) {
            (FactorExpr::Const(0), one) | (one, FactorExpr::Const(0)) if one.is_truth() => one,
            (FactorExpr::Const(value), _) | (_, FactorExpr::Const(value)) if value != 0 => {
                FactorExpr::TRUE
            }
            (a, b) => FactorExpr::Binary(Binary::Or, Box::new(a), Box::new(b)),
        }
    }

    /// `self op other`, folded if both are constants.
    #[must_use]
    pub fn binary(self, op: Binary, other: FactorExpr) -> FactorExpr {
        if let (FactorExpr::Const(a), FactorExpr::Const(b)) = (&self, &other)
            && let Some(value) = apply(op, *a, *b)
        {
            return FactorExpr::Const(value);
        }
        FactorExpr::Binary(op, Box::new(self), Box::new(other))
    }

    /// `self == value`
    #[must_use]
    pub fn equals(self, value: i32) -> FactorExpr {
        self.binary(Binary::Equal, FactorExpr::Const(value))
    }

    /// Truncates it to a width.
    #[must_use]
    pub fn cut(self, width: Option<IntWidth>) -> FactorExpr {
        match (width, self) {
            (None, value) => value,
            (Some(width), FactorExpr::Const(value)) => FactorExpr::Const(width.cut(value)),
            (Some(width), value) => FactorExpr::Unary(Unary::Cut(width), Box::new(value)),
        }
    }

    /// The disjuncts.
    pub fn disjuncts(&self) -> Vec<&FactorExpr> {
        let (mut parts, mut waiting) = (Vec::new(), vec![self]);
        while let Some(part) = waiting.pop() {
            match part {
                FactorExpr::Binary(Binary::Or, a, b) => waiting.extend([&**b, &**a]),
                part => parts.push(part),
            }
        }
        parts
    }

    /// Whether the factors determine its value: no part may have any of several values.
    pub fn is_determined(&self) -> bool {
        match self {
            FactorExpr::Any(_) => false,
            FactorExpr::Const(_) | FactorExpr::Factor(_) => true,
            FactorExpr::Element(element) => element.index.is_determined(),
            FactorExpr::Unary(_, operand) => operand.is_determined(),
            FactorExpr::Binary(_, a, b) => a.is_determined() && b.is_determined(),
            FactorExpr::Conditional(condition, yes, no) => {
                condition.is_determined() && yes.is_determined() && no.is_determined()
            }
        }
    }

    /// Whether its value is 0 or 1.
    pub fn is_truth(&self) -> bool {
        match self {
            FactorExpr::Const(value) => (0..=1).contains(value),
            FactorExpr::Unary(Unary::Not, _) => true,
            FactorExpr::Binary(op, ..) => matches!(
                op,
                Binary::Less
                    | Binary::LessEqual
                    | Binary::Equal
                    | Binary::NotEqual
                    | Binary::And
                    | Binary::Or
            ),
            FactorExpr::Any(interval) => *interval == Interval::TRUTH,
            _ => false,
        }
    }

    /// Visits every factor that the value may depend on.
    pub fn factors(&self, visit: &mut impl FnMut(FactorId)) {
        match self {
            FactorExpr::Const(_) | FactorExpr::Any(_) => {}
            FactorExpr::Factor(factor) => visit(*factor),
            FactorExpr::Element(element) => {
                element.index.factors(visit);
                (0..element.count)
                    .for_each(|at| visit(FactorId(element.first.0 + at * element.stride)));
            }
            FactorExpr::Unary(_, operand) => operand.factors(visit),
            FactorExpr::Binary(_, a, b) => {
                a.factors(visit);
                b.factors(visit);
            }
            FactorExpr::Conditional(condition, yes, no) => {
                condition.factors(visit);
                yes.factors(visit);
                no.factors(visit);
            }
        }
    }

    /// Adds the conjuncts.
    pub fn conjuncts<'a>(&'a self, parts: &mut Vec<&'a FactorExpr>) {
        match self {
            FactorExpr::Binary(Binary::And, a, b) => {
                a.conjuncts(parts);
                b.conjuncts(parts);
            }
            other => parts.push(other),
        }
    }
}
