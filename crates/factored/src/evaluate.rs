//! The values of an expression where each factor has an interval of them, and what is left of
//! these where a condition is true.

use crate::arithmetic::Binary;
use crate::expr::FactorExpr;
use crate::factor::FactorId;
use crate::interval::Interval;

/// The values of an expression, where each factor can have those that `of` says; none if there
/// are no values that it could have.
pub fn evaluate(expr: &FactorExpr, of: &impl Fn(FactorId) -> Interval) -> Option<Interval> {
    evaluate_some(expr, &|factor| Some(of(factor)))
}

/// The same where some factors have no value at all: then nothing that needs one has.
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
                // The left side alone may decide.
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

/// Tells bounds within which factors are where a condition, which is no conjunction, is true.
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

/// What it means for a factor to be equal to one of some values, or not equal to a single one.
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

/// An interval without a value at one of its ends.
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
