//! Constant propagation: operators for states where some factors have known values.
//!
//! Conditions `factor == constant` that an operator requires are such knowledge themselves. The
//! result is equivalent on states with the known values, and mentions fewer factors: above all,
//! array elements with a known index become factors.

use std::collections::{BTreeMap, BTreeSet};

use beeline_factored::{
    Assignment, AssignmentTarget, Binary, Element, FactorExpr, FactorId, Instruction, Operator,
    Ranges, Unary,
};

/// Known values of factors before an operator.
pub(crate) type Known = BTreeMap<FactorId, i32>;

/// Specialises an operator; `None` if it is never applicable. Adds what its conditions tell about
/// the values before it to `known`.
pub(crate) fn specialise(
    operator: &Operator,
    known: &mut Known,
    ranges: &Ranges,
) -> Option<Operator> {
    let mut actions = operator.actions.clone();
    loop {
        let count = known.len();
        actions = Pass::new(known, ranges).instructions(&actions)?;
        if known.len() == count {
            break;
        }
    }
    let name = operator.name.clone();
    Some(Operator { actions, ..Operator::new(name, operator.label, operator.cost, Vec::new()) })
}

/// The known values after instructions that were specialised for known values before them.
pub(crate) fn known_after(actions: &[Instruction], known: &Known, ranges: &Ranges) -> Known {
    let mut before = known.clone();
    let mut pass = Pass::new(&mut before, ranges);
    if pass.instructions(actions).is_none() {
        return Known::new();
    }
    let written = std::mem::take(&mut pass.written);
    before.retain(|factor, _| !written.contains_key(factor));
    before.extend(written.iter().filter_map(|(&factor, new)| Some((factor, new.value?))));
    before
}

/// What is known of a factor after an assignment.
#[derive(Clone, Default)]
struct Written {
    value: Option<i32>,
    /// Factors whose values before the operator the new value depends on.
    origins: BTreeSet<FactorId>,
}

/// One pass over the instructions of an operator.
pub(crate) struct Pass<'a> {
    known: &'a mut Known,
    ranges: &'a Ranges,
    /// The factors that were or may have been assigned.
    written: BTreeMap<FactorId, Written>,
}

impl<'a> Pass<'a> {
    pub(crate) fn new(known: &'a mut Known, ranges: &'a Ranges) -> Pass<'a> {
        Pass { known, ranges, written: BTreeMap::new() }
    }

    fn instructions(&mut self, actions: &[Instruction]) -> Option<Vec<Instruction>> {
        let mut new = Vec::new();
        for action in actions {
            match action {
                Instruction::Require(condition) => {
                    let mut parts = Vec::new();
                    condition.conjuncts(&mut parts);
                    for part in parts {
                        match self.expr(part) {
                            FactorExpr::Const(0) => return None,
                            FactorExpr::Const(_) => {}
                            part if is_never(&part) => return None,
                            part => {
                                if !self.learn(&part) {
                                    new.push(Instruction::Require(part));
                                }
                            }
                        }
                    }
                }
                Instruction::Set(all) => new.push(Instruction::Set(self.assign(all)?)),
            }
        }
        Some(new)
    }

    /// Takes a condition as knowledge, if it determines the value of a factor before the operator.
    fn learn(&mut self, condition: &FactorExpr) -> bool {
        let bit = |factor: &FactorId| {
            let range = self.ranges.get(*factor);
            range.least >= 0 && range.greatest <= 1
        };
        let told = match condition {
            FactorExpr::Factor(factor) if bit(factor) => Some((*factor, 1)),
            FactorExpr::Unary(Unary::Not, operand) => match &**operand {
                FactorExpr::Factor(factor) => Some((*factor, 0)),
                _ => None,
            },
            FactorExpr::Binary(Binary::Equal, a, b) => match (&**a, &**b) {
                (FactorExpr::Factor(factor), FactorExpr::Const(value))
                | (FactorExpr::Const(value), FactorExpr::Factor(factor)) => Some((*factor, *value)),
                _ => None,
            },
            _ => None,
        };
        let Some((factor, value)) = told else { return false };
        if self.written.contains_key(&factor) {
            return false;
        }
        self.known.insert(factor, value);
        true
    }

    /// Simplifies simultaneous assignments; `None` if one of them fails.
    pub(crate) fn assign(&mut self, all: &[Assignment]) -> Option<Vec<Assignment>> {
        let mut new = Vec::with_capacity(all.len());
        for one in all {
            let value = self.expr(&one.value);
            if is_never(&value) {
                return None;
            }
            let place = match &one.place {
                AssignmentTarget::Factor(factor) => AssignmentTarget::Factor(*factor),
                AssignmentTarget::Element(element) => match self.expr(&element.index) {
                    FactorExpr::Const(index) => AssignmentTarget::Factor(element.at(index)?),
                    index if is_never(&index) => return None,
                    index => AssignmentTarget::Element(Element {
                        index: Box::new(index),
                        ..element.clone()
                    }),
                },
            };
            new.push(Assignment { place, value });
        }
        for one in &new {
            let is_sure = matches!(one.place, AssignmentTarget::Factor(_));
            let value = match one.value {
                FactorExpr::Const(value) if is_sure => Some(value),
                _ => None,
            };
            let origins = self.origins(&one.value);
            for factor in one.place.factors() {
                self.written.insert(factor, Written { value, origins: origins.clone() });
            }
        }
        Some(new)
    }

    /// The factors whose values before the operator the value of an expression depends on.
    pub(crate) fn origins(&self, expr: &FactorExpr) -> BTreeSet<FactorId> {
        let mut found = BTreeSet::new();
        expr.factors(&mut |factor| match self.written.get(&factor) {
            Some(written) => found.extend(&written.origins),
            None => {
                found.insert(factor);
            }
        });
        found
    }

    fn value(&self, factor: FactorId) -> Option<i32> {
        match self.written.get(&factor) {
            Some(written) => written.value,
            None => self.known.get(&factor).copied().or_else(|| self.ranges.get(factor).single()),
        }
    }

    /// Simplifies an expression. Operands that would be evaluated are never dropped, as one without
    /// a value makes the operator fail.
    fn expr(&self, expr: &FactorExpr) -> FactorExpr {
        match expr {
            FactorExpr::Const(_) => expr.clone(),
            FactorExpr::Any(interval) => interval.single().map_or(expr.clone(), FactorExpr::Const),
            FactorExpr::Factor(factor) => {
                self.value(*factor).map_or(expr.clone(), FactorExpr::Const)
            }
            FactorExpr::Element(element) => match self.expr(&element.index) {
                FactorExpr::Const(index) => match element.at(index) {
                    Some(factor) => self.expr(&FactorExpr::Factor(factor)),
                    None => never(),
                },
                index if is_never(&index) => never(),
                index => FactorExpr::Element(Element { index: Box::new(index), ..element.clone() }),
            },
            FactorExpr::Unary(op, operand) => match self.expr(operand) {
                FactorExpr::Const(value) => FactorExpr::Const(op.apply(value)),
                operand if is_never(&operand) => never(),
                operand => FactorExpr::Unary(*op, Box::new(operand)),
            },
            FactorExpr::Binary(op, a, b) => self.binary(*op, a, b),
            FactorExpr::Conditional(condition, yes, no) => match self.expr(condition) {
                FactorExpr::Const(0) => self.expr(no),
                FactorExpr::Const(_) => self.expr(yes),
                condition if is_never(&condition) => never(),
                condition => FactorExpr::Conditional(
                    Box::new(condition),
                    Box::new(self.expr(yes)),
                    Box::new(self.expr(no)),
                ),
            },
        }
    }

    fn binary(&self, op: Binary, a: &FactorExpr, b: &FactorExpr) -> FactorExpr {
        let a = self.expr(a);
        match (op, &a) {
            (Binary::And, FactorExpr::Const(0)) => return FactorExpr::Const(0),
            (Binary::Or, FactorExpr::Const(value)) if *value != 0 => return FactorExpr::TRUE,
            (Binary::And | Binary::Or, FactorExpr::Const(_)) => {
                let b = self.expr(b);
                return if b.is_truth() || is_never(&b) {
                    b
                } else {
                    b.binary(Binary::NotEqual, FactorExpr::Const(0))
                };
            }
            (_, a) if is_never(a) => return never(),
            _ => {}
        }
        let b = self.expr(b);
        // The right operand of `&&` and `||` may remain unevaluated.
        if is_never(&b) && !matches!(op, Binary::And | Binary::Or) {
            return never();
        }
        a.binary(op, b)
    }
}

/// An expression without a value.
fn never() -> FactorExpr {
    let zero = || Box::new(FactorExpr::Const(0));
    FactorExpr::Binary(Binary::Divide, zero(), zero())
}

/// Whether an expression is a division of constants, which has no value: it would be folded
/// otherwise.
fn is_never(expr: &FactorExpr) -> bool {
    matches!(expr, FactorExpr::Binary(Binary::Divide | Binary::Modulo, a, b)
        if matches!((&**a, &**b), (FactorExpr::Const(_), FactorExpr::Const(0))))
}
