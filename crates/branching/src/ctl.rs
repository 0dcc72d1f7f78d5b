//! CTL: the states that satisfy a formula, from its parts to the whole.
//!
//! Source: [EMJ05], CTL model checking. Under fairness constraints, path quantifiers are about fair
//! paths: a successor or the end of an until must have one.

use beeline_logic::branching::Ctl;
use beeline_symbolic::{Set, SymbolicError};

use crate::evaluation::Evaluation;
use crate::product::Product;

impl Evaluation<'_> {
    /// The states that satisfy a formula.
    pub(crate) fn ctl(&mut self, formula: &Ctl) -> Result<Set, SymbolicError> {
        if let Some(states) = self.known.get(formula) {
            return Ok(states.clone());
        }
        let states = self.ctl_from_parts(formula)?;
        self.known.insert(formula.clone(), states.clone());
        Ok(states)
    }

    fn ctl_from_parts(&mut self, formula: &Ctl) -> Result<Set, SymbolicError> {
        Ok(match formula {
            Ctl::Constant(true) => self.structure.all().clone(),
            Ctl::Constant(false) => self.structure.none(),
            Ctl::Atom(atom) => self.structure.atom(atom.0)?,
            Ctl::Not(operand) => {
                let operand = self.ctl(operand)?;
                self.structure.not(&operand)?
            }
            Ctl::And(a, b) => {
                let (a, b) = (self.ctl(a)?, self.ctl(b)?);
                self.structure.and(&a, &b)?
            }
            Ctl::Or(a, b) => {
                let (a, b) = (self.ctl(a)?, self.ctl(b)?);
                self.structure.or(&a, &b)?
            }
            Ctl::ExistsNext(operand) => {
                let operand = self.fair_ctl(operand)?;
                self.structure.before_or_dead(&operand)?
            }
            Ctl::ExistsUntil(a, b) => {
                let (a, b) = (self.ctl(a)?, self.fair_ctl(b)?);
                self.until(&a, &b)?
            }
            Ctl::ExistsAlways(operand) => {
                let operand = self.ctl(operand)?;
                self.always(&operand)?
            }
        })
    }

    /// The states that satisfy a formula and have a fair path.
    pub(crate) fn fair_ctl(&mut self, formula: &Ctl) -> Result<Set, SymbolicError> {
        let states = self.ctl(formula)?;
        match self.fair.clone() {
            Some(fair) => self.structure.and(&states, &fair),
            None => Ok(states),
        }
    }

    fn until(&mut self, a: &Set, b: &Set) -> Result<Set, SymbolicError> {
        let mut product = Product::trivial(&mut self.structure);
        let (a, b) = (product.everywhere(a), product.everywhere(b));
        Ok(product.until(&a, &b)?.swap_remove(0))
    }

    pub(crate) fn always(&mut self, operand: &Set) -> Result<Set, SymbolicError> {
        let mut product = Product::trivial(&mut self.structure);
        let operand = product.everywhere(operand);
        Ok(product.always(&operand, &mut self.constraints)?.swap_remove(0))
    }
}
