//! CTL*: state formulas with path quantifiers over path formulas, which are formulas of linear time
//! over state formulas.
//!
//! Source: [EMJ05], CTL and CTL*.

use std::fmt;

use crate::formula::Atom;

/// A formula about a state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StateFormula {
    /// Holds in all states, or in none.
    Constant(bool),
    /// The atom holds in the state.
    Atom(Atom),
    /// The operand does not hold.
    Not(Box<StateFormula>),
    /// Both hold.
    And(Box<StateFormula>, Box<StateFormula>),
    /// At least one holds.
    Or(Box<StateFormula>, Box<StateFormula>),
    /// Some path from the state satisfies the operand.
    Exists(Box<PathFormula>),
    /// All paths from the state satisfy the operand.
    ForAll(Box<PathFormula>),
}

/// A formula about a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PathFormula {
    /// The first state satisfies the operand.
    State(StateFormula),
    /// The operand does not hold.
    Not(Box<PathFormula>),
    /// Both hold.
    And(Box<PathFormula>, Box<PathFormula>),
    /// At least one holds.
    Or(Box<PathFormula>, Box<PathFormula>),
    /// The operand holds of the path without its first state.
    Next(Box<PathFormula>),
    /// The operand holds of some suffix.
    Eventually(Box<PathFormula>),
    /// The operand holds of all suffixes.
    Always(Box<PathFormula>),
    /// The right operand holds of some suffix, the left one of all before it.
    Until(Box<PathFormula>, Box<PathFormula>),
    /// The same, or the left operand holds of all suffixes.
    WeakUntil(Box<PathFormula>, Box<PathFormula>),
    /// The right operand holds up to a suffix where both do, or of all suffixes.
    Release(Box<PathFormula>, Box<PathFormula>),
}

impl StateFormula {
    /// The state formula of an atom.
    pub fn atom(number: u32) -> StateFormula {
        StateFormula::Atom(Atom(number))
    }

    /// `!self`
    #[must_use]
    #[allow(clippy::should_implement_trait, reason = "`!formula` would say no more than this")]
    pub fn not(self) -> StateFormula {
        StateFormula::Not(Box::new(self))
    }

    /// `self && other`
    #[must_use]
    pub fn and(self, other: StateFormula) -> StateFormula {
        StateFormula::And(Box::new(self), Box::new(other))
    }

    /// `self || other`
    #[must_use]
    pub fn or(self, other: StateFormula) -> StateFormula {
        StateFormula::Or(Box::new(self), Box::new(other))
    }
}

impl PathFormula {
    /// The state formula that it is, if no temporal operator is outside of a path quantifier.
    pub fn as_state(&self) -> Option<StateFormula> {
        Some(match self {
            PathFormula::State(formula) => formula.clone(),
            PathFormula::Not(operand) => operand.as_state()?.not(),
            PathFormula::And(a, b) => a.as_state()?.and(b.as_state()?),
            PathFormula::Or(a, b) => a.as_state()?.or(b.as_state()?),
            PathFormula::Next(_)
            | PathFormula::Eventually(_)
            | PathFormula::Always(_)
            | PathFormula::Until(..)
            | PathFormula::WeakUntil(..)
            | PathFormula::Release(..) => return None,
        })
    }
}

impl fmt::Display for StateFormula {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            StateFormula::Constant(value) => value.fmt(f),
            StateFormula::Atom(Atom(number)) => write!(f, "p{number}"),
            StateFormula::Not(operand) => write!(f, "!{operand}"),
            StateFormula::And(a, b) => write!(f, "({a} && {b})"),
            StateFormula::Or(a, b) => write!(f, "({a} || {b})"),
            StateFormula::Exists(path) => write!(f, "E {path}"),
            StateFormula::ForAll(path) => write!(f, "A {path}"),
        }
    }
}

impl fmt::Display for PathFormula {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PathFormula::State(formula) => formula.fmt(f),
            PathFormula::Not(operand) => write!(f, "!{operand}"),
            PathFormula::And(a, b) => write!(f, "({a} && {b})"),
            PathFormula::Or(a, b) => write!(f, "({a} || {b})"),
            PathFormula::Next(operand) => write!(f, "X {operand}"),
            PathFormula::Eventually(operand) => write!(f, "F {operand}"),
            PathFormula::Always(operand) => write!(f, "G {operand}"),
            PathFormula::Until(a, b) => write!(f, "({a} U {b})"),
            PathFormula::WeakUntil(a, b) => write!(f, "({a} W {b})"),
            PathFormula::Release(a, b) => write!(f, "({a} V {b})"),
        }
    }
}
