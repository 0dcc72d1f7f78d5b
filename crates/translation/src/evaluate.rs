//! Partial evaluation: operators and conditions on states of which only some values are known.

use std::cell::Cell;

use beeline_factored::{
    AssignmentTarget, Binary, Element, FactorExpr, FactorId, Instruction, Operator, apply,
};

/// A variable whose value decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Need(pub(crate) FactorId);

/// A value; `None` if the expression has none.
type Value = Option<i32>;

/// An assignment of an operator.
struct Write<'a> {
    place: &'a AssignmentTarget,
    value: &'a FactorExpr,
    /// The number of assignments before it.
    before: usize,
    /// Its value, once it is known.
    known: Cell<Option<Result<Value, Need>>>,
}

/// The execution of an operator where some values are known.
pub(crate) struct PartialRun<'a> {
    known: &'a [Option<i32>],
    writes: Vec<Write<'a>>,
}

impl<'a> PartialRun<'a> {
    /// A state without assignments.
    pub(crate) fn new(known: &'a [Option<i32>]) -> PartialRun<'a> {
        PartialRun { known, writes: Vec::new() }
    }

    /// Executes an operator; returns whether it is applicable. What is assigned has a value if the
    /// operator is applicable: an exact system has a condition for that.
    pub(crate) fn execute(&mut self, operator: &'a Operator) -> Result<bool, Need> {
        let mut need = None;
        for action in &operator.actions {
            match action {
                Instruction::Require(condition) => match self.holds(condition) {
                    Ok(true) => {}
                    Ok(false) => return Ok(false),
                    Err(unknown) => {
                        need.get_or_insert(unknown);
                    }
                },
                Instruction::Set(all) => {
                    let before = self.writes.len();
                    for one in all {
                        if let AssignmentTarget::Element(element) = &one.place {
                            match self.index(element, before) {
                                Ok(Some(_)) => {}
                                Ok(None) => return Ok(false),
                                Err(unknown) => {
                                    need.get_or_insert(unknown);
                                }
                            }
                        }
                    }
                    self.writes.extend(all.iter().map(|one| Write {
                        place: &one.place,
                        value: &one.value,
                        before,
                        known: Cell::new(None),
                    }));
                }
            }
        }
        need.map_or(Ok(true), Err)
    }

    /// Whether a conjunction holds after the assignments so far. A part that is false decides, even
    /// if other parts are unknown.
    pub(crate) fn holds(&self, condition: &FactorExpr) -> Result<bool, Need> {
        let mut parts = Vec::new();
        condition.conjuncts(&mut parts);
        let mut need = None;
        for part in parts {
            match self.value(part, self.writes.len()) {
                Ok(None | Some(0)) => return Ok(false),
                Ok(Some(_)) => {}
                Err(unknown) => {
                    need.get_or_insert(unknown);
                }
            }
        }
        need.map_or(Ok(true), Err)
    }

    /// The factors that are assigned, each once.
    pub(crate) fn targets(&self) -> Vec<FactorId> {
        let mut found = Vec::new();
        for write in &self.writes {
            match write.place {
                AssignmentTarget::Factor(factor) => found.push(*factor),
                AssignmentTarget::Element(element) => match self.index(element, write.before) {
                    Ok(Some(factor)) => found.push(factor),
                    Ok(None) => {}
                    Err(_) => found.extend(write.place.factors()),
                },
            }
        }
        found.sort_unstable();
        found.dedup();
        found
    }

    /// The value of a factor after all assignments.
    pub(crate) fn last(&self, factor: FactorId) -> Result<Value, Need> {
        self.factor(factor, self.writes.len())
    }

    /// The value that a factor is assigned, if it is.
    pub(crate) fn change(&self, factor: FactorId) -> Result<Option<Value>, Need> {
        self.assigned(factor, self.writes.len())
    }

    fn index(&self, element: &Element, before: usize) -> Result<Option<FactorId>, Need> {
        Ok(self.value(&element.index, before)?.and_then(|index| element.at(index)))
    }

    /// The value of a factor after the first assignments.
    fn factor(&self, factor: FactorId, before: usize) -> Result<Value, Need> {
        match self.assigned(factor, before)? {
            Some(value) => Ok(value),
            None => self.known[factor.index()].map(Some).ok_or(Need(factor)),
        }
    }

    /// The value that the first assignments give a factor, if they do.
    fn assigned(&self, factor: FactorId, before: usize) -> Result<Option<Value>, Need> {
        for write in self.writes[..before].iter().rev() {
            let is_assigned = match write.place {
                AssignmentTarget::Factor(assigned) => *assigned == factor,
                AssignmentTarget::Element(element) => {
                    element.position(factor).is_some()
                        && self.index(element, write.before)? == Some(factor)
                }
            };
            if is_assigned {
                if let Some(known) = write.known.get() {
                    return known.map(Some);
                }
                let value = self.value(write.value, write.before);
                write.known.set(Some(value));
                return value.map(Some);
            }
        }
        Ok(None)
    }

    /// The value of an expression after the first assignments.
    fn value(&self, expr: &FactorExpr, before: usize) -> Result<Value, Need> {
        Ok(match expr {
            FactorExpr::Const(value) => Some(*value),
            FactorExpr::Factor(factor) => self.factor(*factor, before)?,
            FactorExpr::Element(element) => match self.index(element, before)? {
                Some(factor) => self.factor(factor, before)?,
                None => None,
            },
            // Only systems that are not exact have such values.
            FactorExpr::Any(_) => None,
            FactorExpr::Unary(op, operand) => {
                self.value(operand, before)?.map(|value| op.apply(value))
            }
            FactorExpr::Binary(op, a, b) => {
                let Some(a) = self.value(a, before)? else { return Ok(None) };
                match op {
                    Binary::And if a == 0 => Some(0),
                    Binary::Or if a != 0 => Some(1),
                    _ => self.value(b, before)?.and_then(|b| apply(*op, a, b)),
                }
            }
            FactorExpr::Conditional(condition, yes, no) => {
                let Some(condition) = self.value(condition, before)? else { return Ok(None) };
                self.value(if condition != 0 { yes } else { no }, before)?
            }
        })
    }
}
