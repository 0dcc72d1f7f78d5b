//! The states of a set in which an expression is true.
//!
//! `&&`, `||`, `!` and conditionals become operations on sets. The remaining parts have small
//! supports; they are evaluated on the values that the set has. As in the evaluation of goals, an
//! expression without a value is neither true nor false, the right operand of `&&` and `||` may
//! remain unevaluated, and of an unknown value any possibility counts.

use beeline_factored::{Binary, FactorExpr, Instruction, Operator, Unary};
use beeline_kernel::StepLabel;

use crate::ldd::Set;
use crate::limits::SymbolicError;
use crate::system::SymbolicSystem;

/// Upper bound on the conditions whose values are kept.
const MOST_CONDITIONS: usize = 512;

/// The truth value that is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Truth {
    Yes,
    No,
}

impl Truth {
    pub(crate) fn other(self) -> Truth {
        match self {
            Truth::Yes => Truth::No,
            Truth::No => Truth::Yes,
        }
    }
}

impl SymbolicSystem<'_> {
    /// The states of a set in which an expression is true.
    ///
    /// # Errors
    ///
    /// When a limit is reached, or the expression has too many unknown values.
    pub fn states_where(&mut self, expr: &FactorExpr, within: &Set) -> Result<Set, SymbolicError> {
        self.states_with(expr, Truth::Yes, within)
    }

    /// The states of a set in which an expression has a truth value.
    pub(crate) fn states_with(
        &mut self,
        expr: &FactorExpr,
        truth: Truth,
        within: &Set,
    ) -> Result<Set, SymbolicError> {
        if within.is_empty() {
            return Ok(within.clone());
        }
        match expr {
            FactorExpr::Const(value) => Ok(match (*value != 0) == (truth == Truth::Yes) {
                true => within.clone(),
                false => self.forest.empty(),
            }),
            FactorExpr::Unary(Unary::Not, operand) => {
                self.states_with(operand, truth.other(), within)
            }
            FactorExpr::Binary(op @ (Binary::And | Binary::Or), a, b) => {
                // The truth value of the left operand with which the right one decides.
                let goes_on = if *op == Binary::And { Truth::Yes } else { Truth::No };
                let rest = self.states_with(a, goes_on, within)?;
                let second = self.states_with(b, truth, &rest)?;
                if truth == goes_on {
                    return Ok(second);
                }
                let first = self.states_with(a, truth, within)?;
                Ok(self.forest.union(&first, &second)?)
            }
            FactorExpr::Conditional(condition, yes, no) => {
                let chosen = self.states_with(condition, Truth::Yes, within)?;
                let yes = self.states_with(yes, truth, &chosen)?;
                let rest = self.states_with(condition, Truth::No, within)?;
                let no = self.states_with(no, truth, &rest)?;
                Ok(self.forest.union(&yes, &no)?)
            }
            atom => self.states_of_atom(atom, truth, within),
        }
    }

    fn states_of_atom(
        &mut self,
        atom: &FactorExpr,
        truth: Truth,
        within: &Set,
    ) -> Result<Set, SymbolicError> {
        let condition = match truth {
            Truth::Yes => atom.clone(),
            Truth::No => FactorExpr::Unary(Unary::Not, Box::new(atom.clone())),
        };
        let known = self.conditions.iter().position(|(known, _)| *known == condition);
        let (condition, mut test) = match known.and_then(|at| self.conditions.remove(at)) {
            Some(known) => known,
            None => {
                let label = StepLabel { edge: 0, process: 0 };
                let actions = vec![Instruction::Require(condition.clone())];
                let test = Operator::new("expression".to_owned(), label, 0, actions);
                (condition, self.applicable(&[&test]))
            }
        };
        let disabled = test.disabled(&mut self.forest, within);
        // The parts of an expression are often asked for again, in the same order: the condition of a
        // goal is, for each set. So the next one is at the front.
        self.conditions.push_back((condition, test));
        if self.conditions.len() > MOST_CONDITIONS {
            self.conditions.pop_front();
        }
        Ok(self.forest.difference(within, &disabled?)?)
    }
}
