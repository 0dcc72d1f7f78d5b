//! Execution of operators and goals on concrete values: one for each factor, so a summary factor is
//! a single object.
//!
//! Unknown values of expressions are enumerated.

use crate::arithmetic::{Binary, apply};
use crate::expr::FactorExpr;
use crate::system::{AssignmentTarget, Goal, Instruction, Operator};

/// Upper bound on the outcomes of one operator.
const MOST: usize = 1 << 16;

/// An operator has too many outcomes to enumerate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooManyOutcomes;

/// Enumerates the outcomes of an operator on `values`.
///
/// # Errors
///
/// When there are too many outcomes; some may have been reported.
pub fn successors(
    step: &Operator,
    values: &[i32],
    tell: &mut impl FnMut(&[i32]),
) -> Result<(), TooManyOutcomes> {
    let mut after = Vec::new();
    each_way(|choices| {
        after.clear();
        after.extend_from_slice(values);
        if take(step, &mut after, choices).is_some() {
            tell(&after);
        }
        false
    })
}

/// Whether a goal holds.
///
/// # Errors
///
/// When there are too many values to enumerate.
pub fn holds(goal: &Goal, values: &[i32]) -> Result<bool, TooManyOutcomes> {
    let mut found = false;
    each_way(|choices| {
        let mut all = goal.conditions.iter();
        found = all.all(|condition| value(condition, values, choices).is_some_and(|v| v != 0));
        found
    })?;
    Ok(found)
}

/// The choices so far, each with its number of alternatives.
struct Choices {
    made: Vec<(u64, u64)>,
    used: usize,
}

impl Choices {
    fn choose(&mut self, among: u64) -> u64 {
        if self.used == self.made.len() {
            self.made.push((0, among));
        }
        self.used += 1;
        self.made[self.used - 1].0
    }
}

/// Enumerates the combinations of choices until `is_done`.
fn each_way(mut is_done: impl FnMut(&mut Choices) -> bool) -> Result<(), TooManyOutcomes> {
    let mut choices = Choices { made: Vec::new(), used: 0 };
    for _ in 0..MOST {
        choices.used = 0;
        if is_done(&mut choices) {
            return Ok(());
        }
        while choices.made.last().is_some_and(|&(at, among)| at + 1 == among) {
            choices.made.pop();
        }
        match choices.made.last_mut() {
            Some((at, _)) => *at += 1,
            None => return Ok(()),
        }
    }
    Err(TooManyOutcomes)
}

fn take(step: &Operator, values: &mut [i32], choices: &mut Choices) -> Option<()> {
    let mut new = Vec::new();
    for action in &step.actions {
        match action {
            Instruction::Require(condition) => {
                if value(condition, values, choices)? == 0 {
                    return None;
                }
            }
            Instruction::Set(all) => {
                for one in all {
                    let at = match &one.place {
                        AssignmentTarget::Factor(factor) => factor.index(),
                        AssignmentTarget::Element(element) => {
                            let index = value(&element.index, values, choices)?;
                            element.at(index)?.index()
                        }
                    };
                    new.push((at, value(&one.value, values, choices)?));
                }
                new.drain(..).for_each(|(at, value)| values[at] = value);
            }
        }
    }
    Some(())
}

/// The value of an expression, if it has one.
fn value(expr: &FactorExpr, values: &[i32], choices: &mut Choices) -> Option<i32> {
    Some(match expr {
        FactorExpr::Const(value) => *value,
        FactorExpr::Factor(factor) => values[factor.index()],
        FactorExpr::Any(interval) => {
            (interval.least + choices.choose(interval.size()) as i64) as i32
        }
        FactorExpr::Element(element) => {
            let index = value(&element.index, values, choices)?;
            values[element.at(index)?.index()]
        }
        FactorExpr::Unary(op, operand) => op.apply(value(operand, values, choices)?),
        FactorExpr::Binary(op, a, b) => {
            let a = value(a, values, choices)?;
            match op {
                Binary::And if a == 0 => 0,
                Binary::Or if a != 0 => 1,
                _ => apply(*op, a, value(b, values, choices)?)?,
            }
        }
        FactorExpr::Conditional(condition, yes, no) => {
            let chosen = if value(condition, values, choices)? != 0 { yes } else { no };
            value(chosen, values, choices)?
        }
    })
}
