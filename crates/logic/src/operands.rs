//! The disjuncts and the conjuncts of a formula, through nested operators and negations.

use std::sync::Arc;

use crate::formula::Formula;

/// The operator whose operands are collected.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Joint {
    And,
    Or,
}

/// Formulas whose disjunction is the formula, in the order of the text.
pub(crate) fn disjuncts(formula: &Formula) -> Vec<Formula> {
    parts(formula, Joint::Or)
}

/// Formulas whose conjunction is the formula, in the order of the text.
pub(crate) fn conjuncts(formula: &Formula) -> Vec<Formula> {
    parts(formula, Joint::And)
}

/// A negated conjunction is a disjunction, and the reverse.
fn parts(formula: &Formula, joint: Joint) -> Vec<Formula> {
    let mut found = Vec::new();
    let mut waiting = vec![(Arc::new(formula.clone()), true)];
    while let Some((part, positive)) = waiting.pop() {
        let and = if positive { Joint::And } else { Joint::Or };
        let both = match &*part {
            Formula::Not(one) => {
                waiting.push((one.clone(), !positive));
                continue;
            }
            Formula::And(one, two) if joint == and => Some((one, two)),
            Formula::Or(one, two) if joint != and => Some((one, two)),
            _ => None,
        };
        match both {
            Some((one, two)) => {
                waiting.extend([(two.clone(), positive), (one.clone(), positive)]);
            }
            None if positive => found.push((*part).clone()),
            None => found.push(Formula::Not(part)),
        }
    }
    found
}
