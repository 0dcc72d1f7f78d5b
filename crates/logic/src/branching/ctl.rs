//! CTL: formulas of CTL* in which each temporal operator follows a path quantifier, in the normal
//! form with EX, EU and EG.
//!
//! Source: [EMJ05], CTL and CTL*.

use super::state_formula::{PathFormula, StateFormula};
use crate::formula::Atom;

/// A formula of CTL in existential normal form.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Ctl {
    /// Holds in all states, or in none.
    Constant(bool),
    /// The atom holds in the state.
    Atom(Atom),
    /// The operand does not hold.
    Not(Box<Ctl>),
    /// Both hold.
    And(Box<Ctl>, Box<Ctl>),
    /// At least one holds.
    Or(Box<Ctl>, Box<Ctl>),
    /// Some successor satisfies the operand.
    ExistsNext(Box<Ctl>),
    /// On some path, the right operand holds eventually, the left one until then.
    ExistsUntil(Box<Ctl>, Box<Ctl>),
    /// On some path, the operand holds always.
    ExistsAlways(Box<Ctl>),
}

impl Ctl {
    /// The normal form of a formula; `None` if it is not one of CTL.
    pub fn new(formula: &StateFormula) -> Option<Ctl> {
        Some(match formula {
            StateFormula::Constant(value) => Ctl::Constant(*value),
            StateFormula::Atom(atom) => Ctl::Atom(*atom),
            StateFormula::Not(operand) => Ctl::new(operand)?.not(),
            StateFormula::And(a, b) => Ctl::new(a)?.and(Ctl::new(b)?),
            StateFormula::Or(a, b) => Ctl::new(a)?.or(Ctl::new(b)?),
            StateFormula::Exists(path) => Ctl::exists(path)?,
            StateFormula::ForAll(path) => Ctl::exists(&path.negated())?.not(),
        })
    }

    /// Some path satisfies a formula.
    fn exists(path: &PathFormula) -> Option<Ctl> {
        let state = |path: &PathFormula| Ctl::new(&path.as_state()?);
        Some(match path {
            PathFormula::Next(operand) => Ctl::ExistsNext(Box::new(state(operand)?)),
            PathFormula::Eventually(operand) => Ctl::Constant(true).until(state(operand)?),
            PathFormula::Always(operand) => state(operand)?.always(),
            PathFormula::Until(a, b) => state(a)?.until(state(b)?),
            PathFormula::WeakUntil(a, b) => {
                let (a, b) = (state(a)?, state(b)?);
                a.clone().until(b).or(a.always())
            }
            PathFormula::Release(a, b) => {
                let (a, b) = (state(a)?, state(b)?);
                b.clone().until(a.and(b.clone())).or(b.always())
            }
            PathFormula::Not(operand) => match &**operand {
                PathFormula::State(_) | PathFormula::And(..) | PathFormula::Or(..) => state(path)?,
                temporal => Ctl::exists(&temporal.negated())?,
            },
            PathFormula::State(_) | PathFormula::And(..) | PathFormula::Or(..) => state(path)?,
        })
    }

    /// `!self`
    #[must_use]
    #[allow(clippy::should_implement_trait, reason = "`!formula` would say no more than this")]
    pub fn not(self) -> Ctl {
        match self {
            Ctl::Constant(value) => Ctl::Constant(!value),
            Ctl::Not(operand) => *operand,
            formula => Ctl::Not(Box::new(formula)),
        }
    }

    /// `self && other`
    #[must_use]
    pub fn and(self, other: Ctl) -> Ctl {
        Ctl::And(Box::new(self), Box::new(other))
    }

    /// `self || other`
    #[must_use]
    pub fn or(self, other: Ctl) -> Ctl {
        Ctl::Or(Box::new(self), Box::new(other))
    }

    fn until(self, other: Ctl) -> Ctl {
        Ctl::ExistsUntil(Box::new(self), Box::new(other))
    }

    fn always(self) -> Ctl {
        Ctl::ExistsAlways(Box::new(self))
    }
}

impl PathFormula {
    /// The negation, with temporal operators in front of negations: that of CTL is one of CTL.
    fn negated(&self) -> PathFormula {
        let not = |operand: &PathFormula| Box::new(operand.negated());
        match self {
            PathFormula::State(formula) => PathFormula::State(formula.clone().not()),
            PathFormula::Not(operand) => (**operand).clone(),
            PathFormula::And(a, b) => PathFormula::Or(not(a), not(b)),
            PathFormula::Or(a, b) => PathFormula::And(not(a), not(b)),
            // Each state has a successor.
            PathFormula::Next(operand) => PathFormula::Next(not(operand)),
            PathFormula::Eventually(operand) => PathFormula::Always(not(operand)),
            PathFormula::Always(operand) => PathFormula::Eventually(not(operand)),
            PathFormula::Until(a, b) => PathFormula::Release(not(a), not(b)),
            PathFormula::Release(a, b) => PathFormula::Until(not(a), not(b)),
            PathFormula::WeakUntil(a, b) => {
                // a W b is b V (a || b).
                let either = PathFormula::Or(a.clone(), b.clone());
                PathFormula::Until(not(b), Box::new(either.negated()))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn p() -> PathFormula {
        PathFormula::State(StateFormula::atom(0))
    }

    fn q() -> PathFormula {
        PathFormula::State(StateFormula::atom(1))
    }

    fn atom(number: u32) -> Ctl {
        Ctl::Atom(Atom(number))
    }

    fn exists_eventually(formula: Ctl) -> Ctl {
        Ctl::Constant(true).until(formula)
    }

    #[test]
    fn all_paths_are_no_exceptions() {
        let always = StateFormula::ForAll(Box::new(PathFormula::Always(Box::new(p()))));
        assert_eq!(Ctl::new(&always), Some(exists_eventually(atom(0).not()).not()));
        let eventually = StateFormula::ForAll(Box::new(PathFormula::Eventually(Box::new(p()))));
        assert_eq!(Ctl::new(&eventually), Some(atom(0).not().always().not()));
        let next = StateFormula::ForAll(Box::new(PathFormula::Next(Box::new(p()))));
        assert_eq!(Ctl::new(&next), Some(Ctl::ExistsNext(Box::new(atom(0).not())).not()));
    }

    #[test]
    fn an_until_on_all_paths_has_no_path_that_releases() {
        let until = PathFormula::Until(Box::new(p()), Box::new(q()));
        let (p, q) = (atom(0).not(), atom(1).not());
        let released = q.clone().until(p.and(q.clone())).or(q.always());
        assert_eq!(Ctl::new(&StateFormula::ForAll(Box::new(until))), Some(released.not()));
    }

    #[test]
    fn nested_temporal_operators_are_not_ctl() {
        let often = PathFormula::Always(Box::new(PathFormula::Eventually(Box::new(p()))));
        assert_eq!(Ctl::new(&StateFormula::ForAll(Box::new(often))), None);
        let reachable = StateFormula::Exists(Box::new(PathFormula::Eventually(Box::new(p()))));
        let home = PathFormula::Always(Box::new(PathFormula::State(reachable)));
        let home = Ctl::new(&StateFormula::ForAll(Box::new(home)));
        assert_eq!(home, Some(exists_eventually(exists_eventually(atom(0)).not()).not()));
    }

    #[test]
    fn a_negation_before_a_temporal_operator_is_ctl() {
        let never = PathFormula::Not(Box::new(PathFormula::Eventually(Box::new(p()))));
        let exists = Ctl::new(&StateFormula::Exists(Box::new(never)));
        assert_eq!(exists, Some(atom(0).not().always()));
    }
}
