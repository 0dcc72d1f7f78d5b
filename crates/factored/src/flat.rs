//! A step with all its actions at once: conditions about the state before it, and values that
//! places get, from that state, too.
//!
//! What an action reads that an earlier one has set is put in its place. Where that grows too
//! large, or rows of different shape overlap, it is any value of the range: more than the step
//! allows, never less.

use crate::expr::{Binary, Element, Expr};
use crate::interval::Interval;
use crate::ranges::Ranges;
use crate::system::{Action, Assignment, FactorId, Goal, Place, Step, System};

/// Parts of an expression, at most.
const LARGEST: usize = 200;

/// A step, or a goal, with all its actions at once.
#[derive(Clone, Debug, PartialEq)]
pub struct Flat {
    /// None of them is a conjunction.
    pub conditions: Vec<Expr>,
    /// What is set. A place that one of a crowd may be is never set twice by one of them only.
    pub effects: Vec<Assignment>,
}

impl Flat {
    /// A step; none if it can never be taken.
    pub fn step(system: &System, ranges: &Ranges, step: &Step) -> Option<Flat> {
        let mut log = Log { system, ranges, written: Vec::new() };
        let mut conditions = Vec::new();
        for action in &step.actions {
            match action {
                Action::Require(condition) => {
                    let largest = LARGEST.max(size(condition));
                    require(&log.before(condition), largest, &mut conditions)?;
                }
                Action::Set(all) => {
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
        Some(Flat { conditions, effects: log.effects() })
    }

    /// A goal; none if it can never be reached.
    pub fn goal(goal: &Goal) -> Option<Flat> {
        let mut conditions = Vec::new();
        for condition in &goal.conditions {
            require(condition, usize::MAX, &mut conditions)?;
        }
        Some(Flat { conditions, effects: Vec::new() })
    }
}

/// Adds the parts of a condition, unless they are too large; none if it is never true.
fn require(condition: &Expr, largest: usize, conditions: &mut Vec<Expr>) -> Option<()> {
    let mut parts = Vec::new();
    condition.conjuncts(&mut parts);
    for part in parts {
        match part {
            Expr::Const(0) => return None,
            Expr::Const(_) => {}
            // It may be true or not: it is not worth asking.
            part if size(part) > largest => {}
            part if conditions.contains(part) => {}
            part => conditions.push(part.clone()),
        }
    }
    Some(())
}

/// What was set so far, in order.
struct Log<'a> {
    system: &'a System,
    ranges: &'a Ranges,
    written: Vec<Assignment>,
}

impl Log<'_> {
    /// An expression in terms of the state before the step.
    fn before(&self, expr: &Expr) -> Expr {
        if self.written.is_empty() {
            return expr.clone();
        }
        match expr {
            Expr::Const(_) | Expr::Any(_) => expr.clone(),
            Expr::Factor(factor) => self.factor(*factor, self.written.len()),
            Expr::Element(element) => self.element(element),
            Expr::Unary(op, operand) => match self.before(operand) {
                Expr::Const(value) => Expr::Const(op.apply(value)),
                operand => Expr::Unary(*op, Box::new(operand)),
            },
            Expr::Binary(Binary::And, a, b) => self.before(a).and(self.before(b)),
            Expr::Binary(Binary::Or, a, b) => self.before(a).or(self.before(b)),
            Expr::Binary(op, a, b) => self.before(a).binary(*op, self.before(b)),
            Expr::Conditional(condition, yes, no) => {
                choose(self.before(condition), self.before(yes), self.before(no))
            }
        }
    }

    /// A factor behind the first so many things that were set.
    fn factor(&self, factor: FactorId, behind: usize) -> Expr {
        let mut found: Vec<(Expr, Expr)> = Vec::new();
        let mut last = Expr::Factor(factor);
        for one in self.written[..behind].iter().rev() {
            let condition = match &one.place {
                Place::Factor(written) => (*written == factor).then_some(Expr::TRUE),
                Place::Element(row) => {
                    row.position(factor).map(|at| row.index.as_ref().clone().equals(at as i32))
                }
            };
            let Some(mut condition) = condition else { continue };
            if self.system.factor(factor).is_crowd {
                condition = Expr::Any(Interval::TRUTH).and(condition);
            }
            if condition == Expr::TRUE {
                last = one.value.clone();
                break;
            }
            found.push((condition, one.value.clone()));
        }
        let made =
            found.into_iter().rev().fold(last, |no, (condition, yes)| choose(condition, yes, no));
        if size(&made) > LARGEST { Expr::Any(self.ranges.get(factor)) } else { made }
    }

    /// One of a row behind all that was set.
    fn element(&self, element: &Element) -> Expr {
        let index = self.before(&element.index);
        if let Expr::Const(index) = index {
            return match element.at(index) {
                Some(factor) => self.factor(factor, self.written.len()),
                None => never(),
            };
        }
        let row = Element { index: Box::new(index.clone()), ..element.clone() };
        let mut made = Expr::Element(row);
        for one in &self.written {
            let (condition, is_crowd) = match &one.place {
                Place::Factor(written) => match element.position(*written) {
                    None => continue,
                    Some(at) => {
                        (index.clone().equals(at as i32), self.system.factor(*written).is_crowd)
                    }
                },
                Place::Element(other) => {
                    let shape = |row: &Element| (row.first, row.stride, row.count);
                    if shape(other) == shape(element) {
                        let other_index = other.index.as_ref().clone();
                        let is_crowd = self.system.factor(other.first).is_crowd;
                        (index.clone().binary(Binary::Equal, other_index), is_crowd)
                    } else if one.place.factors().any(|one| element.position(one).is_some()) {
                        return Expr::Any(self.any(element));
                    } else {
                        continue;
                    }
                }
            };
            let condition =
                if is_crowd { Expr::Any(Interval::TRUTH).and(condition) } else { condition };
            made = choose(condition, one.value.clone(), made);
        }
        if size(&made) > LARGEST { Expr::Any(self.any(element)) } else { made }
    }

    /// All values in a row.
    fn any(&self, element: &Element) -> Interval {
        let row = Place::Element(element.clone());
        let all = row.factors().map(|factor| self.ranges.get(factor)).reduce(Interval::hull);
        all.unwrap_or(Interval::ALL)
    }

    /// Where something is set, in terms of the state before; none outside of the row.
    fn place(&self, place: &Place) -> Option<Place> {
        Some(match place {
            Place::Factor(factor) => Place::Factor(*factor),
            Place::Element(element) => match self.before(&element.index) {
                Expr::Const(index) => Place::Factor(element.at(index)?),
                index => {
                    let row = Interval { least: 0, greatest: i64::from(element.count) - 1 };
                    let index = if size(&index) > LARGEST { Expr::Any(row) } else { index };
                    Place::Element(Element { index: Box::new(index), ..element.clone() })
                }
            },
        })
    }

    fn unless_large(&self, value: Expr, place: &Place) -> Expr {
        if size(&value) <= LARGEST {
            return value;
        }
        let all = place.factors().map(|factor| self.ranges.get(factor)).reduce(Interval::hull);
        Expr::Any(all.unwrap_or(Interval::ALL))
    }

    /// What is left in the end: what is surely set again later is not.
    fn effects(self) -> Vec<Assignment> {
        let mut kept: Vec<Assignment> = Vec::new();
        for one in self.written.into_iter().rev() {
            let is_lost = match &one.place {
                Place::Factor(factor) if !self.system.factor(*factor).is_crowd => {
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
fn never() -> Expr {
    Expr::Binary(Binary::Divide, Box::new(Expr::Const(0)), Box::new(Expr::Const(0)))
}

fn choose(condition: Expr, yes: Expr, no: Expr) -> Expr {
    match condition {
        Expr::Const(0) => no,
        Expr::Const(_) => yes,
        condition => Expr::Conditional(Box::new(condition), Box::new(yes), Box::new(no)),
    }
}

/// How many parts an expression has.
fn size(expr: &Expr) -> usize {
    1 + match expr {
        Expr::Const(_) | Expr::Factor(_) | Expr::Any(_) => 0,
        Expr::Element(element) => size(&element.index),
        Expr::Unary(_, operand) => size(operand),
        Expr::Binary(_, a, b) => size(a) + size(b),
        Expr::Conditional(condition, yes, no) => size(condition) + size(yes) + size(no),
    }
}
