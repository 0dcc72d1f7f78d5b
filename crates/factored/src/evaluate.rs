//! Interval evaluation of expressions, and narrowing of intervals by conditions.

use crate::arithmetic::Binary;
use crate::expr::FactorExpr;
use crate::factor::FactorId;
use crate::interval::Interval;

/// The interval of an expression, given the intervals of factors; `None` if it has no value.
pub fn evaluate(expr: &FactorExpr, of: &impl Fn(FactorId) -> Interval) -> Option<Interval> {
    evaluate_some(expr, &|factor| Some(of(factor)))
}

/// The interval of an expression where some factors have no value; an expression that needs one has
/// none.
pub fn evaluate_some(
    expr: &FactorExpr,
    of: &impl Fn(FactorId) -> Option<Interval>,
) -> Option<Interval> {
    Some(match expr {
        FactorExpr::Const(value) => Interval::one(*value),
        FactorExpr::Factor(factor) => of(*factor)?,
        FactorExpr::Any(interval) => *interval,
        FactorExpr::Element(element) => {
            let row = Interval { least: 0, greatest: i64::from(element.count) - 1 };
            let index = evaluate_some(&element.index, of)?.meet(row)?;
            let each = |at: i64| of(FactorId(element.first.0 + at as u32 * element.stride));
            (index.least..=index.greatest).filter_map(each).reduce(Interval::hull)?
        }
        FactorExpr::Unary(op, operand) => evaluate_some(operand, of)?.unary(*op),
        FactorExpr::Binary(op, a, b) => {
            let a = evaluate_some(a, of)?;
            match op {
                Binary::And if !a.may_be_true() => return Some(Interval::one(0)),
                Binary::Or if !a.may_be_false() => return Some(Interval::one(1)),
                _ => {}
            }
            match evaluate_some(b, of) {
                Some(b) => a.binary(*op, b)?,
                // The left operand alone may decide.
                None if *op == Binary::And && a.may_be_false() => Interval::one(0),
                None if *op == Binary::Or && a.may_be_true() => Interval::one(1),
                None => return None,
            }
        }
        FactorExpr::Conditional(condition, yes, no) => {
            let condition = evaluate_some(condition, of)?;
            let yes = if condition.may_be_true() { evaluate_some(yes, of) } else { None };
            let no = if condition.may_be_false() { evaluate_some(no, of) } else { None };
            match (yes, no) {
                (Some(yes), Some(no)) => yes.hull(no),
                (yes, no) => yes.or(no)?,
            }
        }
    })
}

/// Reports bounds on factors that a condition implies; the condition is no conjunction.
pub fn narrow(
    condition: &FactorExpr,
    of: &impl Fn(FactorId) -> Option<Interval>,
    tell: &mut impl FnMut(FactorId, Interval),
) {
    match condition {
        FactorExpr::Factor(factor) => {
            if let Some(values) = of(*factor) {
                tell(*factor, without(values, Some(0)));
            }
        }
        FactorExpr::Binary(op, left, right) => {
            if let FactorExpr::Factor(factor) = left.as_ref()
                && let Some(other) = evaluate_some(right, of)
            {
                match op {
                    Binary::Less => tell(*factor, below(other.greatest - 1)),
                    Binary::LessEqual => tell(*factor, below(other.greatest)),
                    _ => alike(*op, *factor, other, of, tell),
                }
            }
            if let FactorExpr::Factor(factor) = right.as_ref()
                && let Some(other) = evaluate_some(left, of)
            {
                match op {
                    Binary::Less => tell(*factor, above(other.least + 1)),
                    Binary::LessEqual => tell(*factor, above(other.least)),
                    _ => alike(*op, *factor, other, of, tell),
                }
            }
        }
        _ => {}
    }
}

/// Bounds of a factor that equals one of some values, or differs from a single one.
fn alike(
    op: Binary,
    factor: FactorId,
    other: Interval,
    of: &impl Fn(FactorId) -> Option<Interval>,
    tell: &mut impl FnMut(FactorId, Interval),
) {
    match (op, of(factor)) {
        (Binary::Equal, _) => tell(factor, other),
        (Binary::NotEqual, Some(values)) => tell(factor, without(values, other.single())),
        _ => {}
    }
}

fn below(greatest: i64) -> Interval {
    Interval { least: i64::MIN, greatest }
}

fn above(least: i64) -> Interval {
    Interval { least, greatest: i64::MAX }
}

/// Removes a value at one of the ends of an interval.
fn without(interval: Interval, value: Option<i32>) -> Interval {
    let Some(value) = value.map(i64::from) else { return interval };
    let Interval { least, greatest } = interval;
    if least == greatest {
        interval
    } else if value == least {
        Interval { least: least + 1, greatest }
    } else if value == greatest {
        Interval { least, greatest: greatest - 1 }
    } else {
        interval
    }
}
