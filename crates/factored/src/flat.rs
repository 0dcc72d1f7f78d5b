//! Flat operators: conditions and effects over the state before the operator.
//!
//! Reads of assigned factors are substituted. If an expression grows too large, or arrays of
//! different shape overlap, any value of the range replaces it: an over-approximation.

use crate::arithmetic::Binary;
use crate::expr::{Element, FactorExpr};
use crate::factor::FactorId;
use crate::interval::Interval;
use crate::ranges::Ranges;
use crate::system::{Assignment, AssignmentTarget, Goal, Instruction, Operator, System};

/// Upper bound on the size of an expression.
const LARGEST: usize = 200;

/// A flat operator or goal.
#[derive(Clone, Debug, PartialEq)]
pub struct FlatOperator {
    /// Conditions; none is a conjunction.
    pub conditions: Vec<FactorExpr>,
    /// Assignments. A summary factor may keep its value.
    pub effects: Vec<Assignment>,
}

impl FlatOperator {
    /// Flattens an operator; `None` if it is never applicable.
    pub fn step(system: &System, ranges: &Ranges, step: &Operator) -> Option<FlatOperator> {
        let mut log = Log { system, ranges, written: Vec::new() };
        let mut conditions = Vec::new();
        for action in &step.actions {
            match action {
                Instruction::Require(condition) => {
                    let largest = LARGEST.max(size(condition));
                    require(&log.before(condition), largest, &mut conditions)?;
                }
                Instruction::Set(all) => {
                    let mut new = Vec::new();
                    for one in all {
                        let place = log.place(&one.place)?;
                        let value = log.before(&one.value);
                        let value = log.unless_large(value, &place);
                        new.push(Assignment { place, value });
                    }
                    log.written.append(&mut new);
                }
            }
        }
        Some(FlatOperator { conditions, effects: log.effects() })
    }

    /// Flattens a goal; `None` if it is unreachable.
    pub fn goal(goal: &Goal) -> Option<FlatOperator> {
        let mut conditions = Vec::new();
        for condition in &goal.conditions {
            require(condition, usize::MAX, &mut conditions)?;
        }
        Some(FlatOperator { conditions, effects: Vec::new() })
    }
}

/// Adds the conjuncts of a condition except for too large ones; `None` if it is never true.
fn require(condition: &FactorExpr, largest: usize, conditions: &mut Vec<FactorExpr>) -> Option<()> {
    let mut parts = Vec::new();
    condition.conjuncts(&mut parts);
    for part in parts {
        match part {
            FactorExpr::Const(0) => return None,
            FactorExpr::Const(_) => {}
            // Dropped: the result is an over-approximation.
            part if size(part) > largest => {}
            part if conditions.contains(part) => {}
            part => conditions.push(part.clone()),
        }
    }
    Some(())
}

/// The assignments so far, in order.
struct Log<'a> {
    system: &'a System,
    ranges: &'a Ranges,
    written: Vec<Assignment>,
}

impl Log<'_> {
    /// Rewrites an expression over the state before the operator.
    fn before(&self, expr: &FactorExpr) -> FactorExpr {
        if self.written.is_empty() {
            return expr.clone();
        }
        match expr {
            FactorExpr::Const(_) | FactorExpr::Any(_) => expr.clone(),
            FactorExpr::Factor(factor) => self.factor(*factor, self.written.len()),
            FactorExpr::Element(element) => self.element(element),
            FactorExpr::Unary(op, operand) => match self.before(operand) {
                FactorExpr::Const(value) => FactorExpr::Const(op.apply(value)),
                operand => FactorExpr::Unary(*op, Box::new(operand)),
            },
            FactorExpr::Binary(Binary::And, a, b) => self.before(a).and(self.before(b)),
            FactorExpr::Binary(Binary::Or, a, b) => self.before(a).or(self.before(b)),
            FactorExpr::Binary(op, a, b) => self.before(a).binary(*op, self.before(b)),
            FactorExpr::Conditional(condition, yes, no) => {
                choose(self.before(condition), self.before(yes), self.before(no))
            }
        }
    }

    /// The value of a factor after the first `behind` assignments.
    fn factor(&self, factor: FactorId, behind: usize) -> FactorExpr {
        let mut found: Vec<(FactorExpr, FactorExpr)> = Vec::new();
        let mut last = FactorExpr::Factor(factor);
        for one in self.written[..behind].iter().rev() {
            let condition = match &one.place {
                AssignmentTarget::Factor(written) => {
                    (*written == factor).then_some(FactorExpr::TRUE)
                }
                AssignmentTarget::Element(row) => {
                    row.position(factor).map(|at| row.index.as_ref().clone().equals(at as i32))
                }
            };
            let Some(mut condition) = condition else { continue };
            if self.system.factor(factor).is_summary {
                condition = FactorExpr::Any(Interval::TRUTH).and(condition);
            }
            if condition == FactorExpr::TRUE {
                last = one.value.clone();
                break;
            }
            found.push((condition, one.value.clone()));
        }
        let made =
            found.into_iter().rev().fold(last, |no, (condition, yes)| choose(condition, yes, no));
        if size(&made) > LARGEST { FactorExpr::Any(self.ranges.get(factor)) } else { made }
    }

    /// The value of an array element after all assignments.
    fn element(&self, element: &Element) -> FactorExpr {
        let index = self.before(&element.index);
        if let FactorExpr::Const(index) = index {
            return match element.at(index) {
                Some(factor) => self.factor(factor, self.written.len()),
                None => never(),
            };
        }
        let row = Element { index: Box::new(index.clone()), ..element.clone() };
        let mut made = FactorExpr::Element(row);
        for one in &self.written {
            let (condition, is_summary) = match &one.place {
                AssignmentTarget::Factor(written) => match element.position(*written) {
                    None => continue,
                    Some(at) => {
                        (index.clone().equals(at as i32), self.system.factor(*written).is_summary)
                    }
                },
                AssignmentTarget::Element(other) => {
                    let shape = |row: &Element| (row.first, row.stride, row.count);
                    if shape(other) == shape(element) {
                        let other_index = other.index.as_ref().clone();
                        let is_summary = self.system.factor(other.first).is_summary;
                        (index.clone().binary(Binary::Equal, other_index), is_summary)
                    } else if one.place.factors().any(|one| element.position(one).is_some()) {
                        return FactorExpr::Any(self.any(element));
                    } else {
                        continue;
                    }
                }
            };
            let condition = if is_summary {
                FactorExpr::Any(Interval::TRUTH).and(condition)
            } else {
                condition
            };
            made = choose(condition, one.value.clone(), made);
        }
        if size(&made) > LARGEST { FactorExpr::Any(self.any(element)) } else { made }
    }

    /// The hull of the ranges of all elements.
    fn any(&self, element: &Element) -> Interval {
        let row = AssignmentTarget::Element(element.clone());
        let all = row.factors().map(|factor| self.ranges.get(factor)).reduce(Interval::hull);
        all.unwrap_or(Interval::ALL)
    }

    /// Rewrites an assignment target; `None` if it is out of bounds.
    fn place(&self, place: &AssignmentTarget) -> Option<AssignmentTarget> {
        Some(match place {
            AssignmentTarget::Factor(factor) => AssignmentTarget::Factor(*factor),
            AssignmentTarget::Element(element) => match self.before(&element.index) {
                FactorExpr::Const(index) => AssignmentTarget::Factor(element.at(index)?),
                index => {
                    let row = Interval { least: 0, greatest: i64::from(element.count) - 1 };
                    let index = if size(&index) > LARGEST { FactorExpr::Any(row) } else { index };
                    AssignmentTarget::Element(Element { index: Box::new(index), ..element.clone() })
                }
            },
        })
    }

    fn unless_large(&self, value: FactorExpr, place: &AssignmentTarget) -> FactorExpr {
        if size(&value) <= LARGEST {
            return value;
        }
        let all = place.factors().map(|factor| self.ranges.get(factor)).reduce(Interval::hull);
        FactorExpr::Any(all.unwrap_or(Interval::ALL))
    }

    /// The effects: assignments that are surely overwritten are dropped.
    fn effects(self) -> Vec<Assignment> {
        let mut kept: Vec<Assignment> = Vec::new();
        for one in self.written.into_iter().rev() {
            let is_lost = match &one.place {
                AssignmentTarget::Factor(factor) if !self.system.factor(*factor).is_summary => {
                    kept.iter().any(|later| later.place == one.place)
                }
                _ => false,
            };
            if !is_lost {
                kept.push(one);
            }
        }
        kept.reverse();
        kept
    }
}

/// An expression without a value.
fn never() -> FactorExpr {
    FactorExpr::Binary(
        Binary::Divide,
        Box::new(FactorExpr::Const(0)),
        Box::new(FactorExpr::Const(0)),
    )
}

fn choose(condition: FactorExpr, yes: FactorExpr, no: FactorExpr) -> FactorExpr {
    match condition {
        FactorExpr::Const(0) => no,
        FactorExpr::Const(_) => yes,
        condition => FactorExpr::Conditional(Box::new(condition), Box::new(yes), Box::new(no)),
    }
}

/// The size of an expression.
fn size(expr: &FactorExpr) -> usize {
    1 + match expr {
        FactorExpr::Const(_) | FactorExpr::Factor(_) | FactorExpr::Any(_) => 0,
        FactorExpr::Element(element) => size(&element.index),
        FactorExpr::Unary(_, operand) => size(operand),
        FactorExpr::Binary(_, a, b) => size(a) + size(b),
        FactorExpr::Conditional(condition, yes, no) => size(condition) + size(yes) + size(no),
    }
}
