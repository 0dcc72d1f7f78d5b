//! Which paths show a formula: those of its existential parts that hold.

use beeline_logic::branching::{Ctl, StateFormula};
use beeline_symbolic::Set;

use super::walk::{Position, Walker};
use super::{ExplicitStates, WitnessPath};
use crate::error::BranchingError;
use crate::evaluation::Evaluation;
use crate::product::{Product, ProductAutomaton};

type Explained = Result<Vec<WitnessPath>, BranchingError>;

impl<'p> Evaluation<'p> {
    /// Paths from a state that show why a formula of CTL holds in it, or does not. Nothing if only
    /// all paths together show it.
    pub(crate) fn explain(
        &mut self,
        formula: &Ctl,
        state: &[u8],
        holds: bool,
        explicit: &mut dyn ExplicitStates,
    ) -> Explained {
        match (formula, holds) {
            (Ctl::Not(operand), _) => self.explain(operand, state, !holds, explicit),
            (Ctl::And(a, b), true) | (Ctl::Or(a, b), false) => {
                let mut paths = self.explain(a, state, holds, explicit)?;
                paths.extend(self.explain(b, state, holds, explicit)?);
                Ok(paths)
            }
            (Ctl::And(a, b), false) | (Ctl::Or(a, b), true) => {
                let first = self.ctl(a)?;
                let is_first = self.contains(&first, state, explicit) == holds;
                self.explain(if is_first { a } else { b }, state, holds, explicit)
            }
            (Ctl::ExistsNext(operand), true) => {
                let goal = self.fair_ctl(operand)?;
                let mut walker = self.walker(explicit);
                let from = Position { automaton: 0, state: state.to_vec() };
                let next = walker.step_into(&from, &vec![goal]).ok_or(BranchingError::NotAPath)?;
                if next.0.is_none() {
                    let paths = self.continued(vec![state.to_vec()], operand, explicit)?;
                    return Ok(paths.into_iter().map(|path| rested(path, explicit)).collect());
                }
                let end = next.1.state;
                self.continued(vec![state.to_vec(), end], operand, explicit)
            }
            (Ctl::ExistsUntil(a, b), true) => {
                let (p, goal) = (self.ctl(a)?, self.fair_ctl(b)?);
                let mut walker = self.walker(explicit);
                let rings = walker.product.rings(&vec![p], &vec![goal])?;
                let from = Position { automaton: 0, state: state.to_vec() };
                let path = walker.through(&rings, &from)?;
                self.continued(path.into_iter().map(|at| at.state).collect(), b, explicit)
            }
            (Ctl::ExistsAlways(_), true) => {
                let within = vec![self.ctl(formula)?];
                let mut constraints = std::mem::take(&mut self.constraints);
                let from = Position { automaton: 0, state: state.to_vec() };
                let lasso = self.walker(explicit).lasso(from, &within, &mut constraints);
                self.constraints = constraints;
                Ok(vec![rested(lasso?, explicit)])
            }
            _ => Ok(Vec::new()),
        }
    }

    /// Paths that show why a formula of CTL* holds in a state, or does not.
    pub(crate) fn explain_state(
        &mut self,
        formula: &StateFormula,
        state: &[u8],
        holds: bool,
        explicit: &mut dyn ExplicitStates,
    ) -> Explained {
        if let Some(ctl) = Ctl::new(formula) {
            return self.explain(&ctl, state, holds, explicit);
        }
        match (formula, holds) {
            (StateFormula::Not(operand), _) => self.explain_state(operand, state, !holds, explicit),
            (StateFormula::And(a, b), true) | (StateFormula::Or(a, b), false) => {
                let mut paths = self.explain_state(a, state, holds, explicit)?;
                paths.extend(self.explain_state(b, state, holds, explicit)?);
                Ok(paths)
            }
            (StateFormula::And(a, b), false) | (StateFormula::Or(a, b), true) => {
                let first = self.ctl_star(a)?;
                let is_first = self.contains(&first, state, explicit) == holds;
                self.explain_state(if is_first { a } else { b }, state, holds, explicit)
            }
            (StateFormula::Exists(path), true) | (StateFormula::ForAll(path), false) => {
                let automaton = self.path_automaton(path, holds)?;
                let automaton =
                    ProductAutomaton::new(&mut self.structure, &automaton.buchi, &automaton.atoms)?;
                let mut constraints = std::mem::take(&mut self.constraints);
                let product = Product { structure: &mut self.structure, automaton };
                let start = product.automaton.start;
                let mut walker = Walker { product, explicit };
                let all = walker.product.structure.all().clone();
                let all = walker.product.everywhere(&all);
                let lasso = walker.product.always(&all, &mut constraints);
                let from = Position { automaton: start, state: state.to_vec() };
                let lasso = match lasso {
                    Ok(within) => walker.lasso(from, &within, &mut constraints),
                    Err(error) => Err(error.into()),
                };
                self.constraints = constraints;
                Ok(vec![rested(lasso?, explicit)])
            }
            _ => Ok(Vec::new()),
        }
    }

    /// A path, continued by those that show why a formula holds at its end.
    fn continued(
        &mut self,
        states: Vec<Vec<u8>>,
        formula: &Ctl,
        explicit: &mut dyn ExplicitStates,
    ) -> Explained {
        let end = states.last().expect("a path has its first state").clone();
        let then = self.explain(formula, &end, true, explicit)?;
        if states.len() == 1 && !then.is_empty() {
            return Ok(then);
        }
        Ok(vec![WitnessPath { then, ..WitnessPath::plain(states) }])
    }

    fn contains(&mut self, set: &Set, state: &[u8], explicit: &mut dyn ExplicitStates) -> bool {
        let values = explicit.read(state);
        values.is_some_and(|values| self.structure.system.contains(set, &values))
    }

    fn walker<'w>(&'w mut self, explicit: &'w mut dyn ExplicitStates) -> Walker<'w, 'w, 'p> {
        Walker { product: Product::trivial(&mut self.structure), explicit }
    }
}

/// A path with a state without steps rests there.
fn rested(mut path: WitnessPath, explicit: &mut dyn ExplicitStates) -> WitnessPath {
    let rest = path.states.iter().position(|state| explicit.successors(state).is_empty());
    if let Some(rest) = rest {
        path.states.truncate(rest + 1);
        (path.cycle, path.rests) = (None, true);
    }
    path
}
