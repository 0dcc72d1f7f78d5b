//! CTL*: state formulas from the inside out; a path quantifier over a formula of linear time goes
//! through its Büchi automaton.
//!
//! Source: [EMJ05], CTL*. The state formulas inside of a path formula are computed first and become
//! its atoms. E φ holds where the product with the automaton of φ has a fair accepting path, A φ
//! where E !φ does not.

use beeline_logic::branching::{Ctl, PathFormula, StateFormula};
use beeline_logic::{Buchi, Formula, translate_within};
use beeline_symbolic::{Set, SymbolicError};

use crate::error::BranchingError;
use crate::evaluation::Evaluation;
use crate::product::{Product, ProductAutomaton};

/// Upper bound on the edges of the automaton of a path formula.
const MOST_EDGES: usize = 20_000;

/// A path formula as an automaton over sets of states.
pub(crate) struct PathAutomaton {
    pub(crate) buchi: Buchi,
    pub(crate) atoms: Vec<Set>,
}

impl Evaluation<'_> {
    /// The states that satisfy a formula.
    pub(crate) fn ctl_star(&mut self, formula: &StateFormula) -> Result<Set, BranchingError> {
        if let Some(ctl) = Ctl::new(formula) {
            return Ok(self.ctl(&ctl)?);
        }
        Ok(match formula {
            StateFormula::Constant(_) | StateFormula::Atom(_) => {
                unreachable!("constants and atoms are formulas of CTL")
            }
            StateFormula::Not(operand) => {
                let operand = self.ctl_star(operand)?;
                self.structure.not(&operand)?
            }
            StateFormula::And(a, b) => {
                let (a, b) = (self.ctl_star(a)?, self.ctl_star(b)?);
                self.structure.and(&a, &b)?
            }
            StateFormula::Or(a, b) => {
                let (a, b) = (self.ctl_star(a)?, self.ctl_star(b)?);
                self.structure.or(&a, &b)?
            }
            StateFormula::Exists(path) => {
                let automaton = self.path_automaton(path, true)?;
                self.exists(&automaton)?
            }
            StateFormula::ForAll(path) => {
                let automaton = self.path_automaton(path, false)?;
                let violating = self.exists(&automaton)?;
                self.structure.not(&violating)?
            }
        })
    }

    /// The automaton of a path formula, or of its negation.
    pub(crate) fn path_automaton(
        &mut self,
        path: &PathFormula,
        is_positive: bool,
    ) -> Result<PathAutomaton, BranchingError> {
        let mut atoms = Vec::new();
        let mut formula = self.linear(path, &mut atoms)?;
        if !is_positive {
            formula = formula.not();
        }
        let buchi = translate_within(&formula, MOST_EDGES)
            .map_err(|_| BranchingError::AutomatonTooLarge)?;
        Ok(PathAutomaton { buchi, atoms })
    }

    /// The formula of linear time of a path formula.
    fn linear(
        &mut self,
        path: &PathFormula,
        atoms: &mut Vec<Set>,
    ) -> Result<Formula, BranchingError> {
        Ok(match path {
            PathFormula::State(formula) => {
                let states = self.ctl_star(formula)?;
                let at = atoms.iter().position(|known| *known == states).unwrap_or_else(|| {
                    atoms.push(states);
                    atoms.len() - 1
                });
                Formula::atom(at as u32)
            }
            PathFormula::Not(operand) => self.linear(operand, atoms)?.not(),
            PathFormula::And(a, b) => self.linear(a, atoms)?.and(self.linear(b, atoms)?),
            PathFormula::Or(a, b) => self.linear(a, atoms)?.or(self.linear(b, atoms)?),
            PathFormula::Next(operand) => self.linear(operand, atoms)?.next(),
            PathFormula::Eventually(operand) => self.linear(operand, atoms)?.eventually(),
            PathFormula::Always(operand) => self.linear(operand, atoms)?.always(),
            PathFormula::Until(a, b) => self.linear(a, atoms)?.until(self.linear(b, atoms)?),
            PathFormula::WeakUntil(a, b) => {
                self.linear(a, atoms)?.weak_until(self.linear(b, atoms)?)
            }
            PathFormula::Release(a, b) => self.linear(a, atoms)?.release(self.linear(b, atoms)?),
        })
    }

    /// The states with a fair path that an automaton accepts.
    fn exists(&mut self, path: &PathAutomaton) -> Result<Set, SymbolicError> {
        let automaton = ProductAutomaton::new(&mut self.structure, &path.buchi, &path.atoms)?;
        let mut product = Product { structure: &mut self.structure, automaton };
        let all = product.structure.all().clone();
        let all = product.everywhere(&all);
        let start = product.automaton.start;
        Ok(product.always(&all, &mut self.constraints)?.swap_remove(start))
    }
}
