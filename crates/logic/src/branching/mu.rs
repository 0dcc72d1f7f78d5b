//! The mu-calculus: least and greatest fixpoints of formulas with steps.
//!
//! Source: [EMJ05], the mu-calculus.

use std::fmt;

use crate::formula::Atom;

/// The number of a variable that a fixpoint binds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FixpointVariable(pub u32);

/// A formula of the mu-calculus over kinds of steps `S`. Negations stand in front of atoms only, so
/// that all formulas are monotone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Mu<S> {
    /// Holds in all states, or in none.
    Constant(bool),
    /// The atom holds in the state, or does not.
    Literal(Atom, bool),
    /// The value of a fixpoint.
    Variable(FixpointVariable),
    /// Both hold.
    And(Box<Mu<S>>, Box<Mu<S>>),
    /// At least one holds.
    Or(Box<Mu<S>>, Box<Mu<S>>),
    /// Some step of this kind leads to a state that satisfies the operand: `<s>`.
    Diamond(S, Box<Mu<S>>),
    /// All steps of this kind lead to such states: `[s]`.
    Box(S, Box<Mu<S>>),
    /// The least set that the formula maps to itself.
    Least(FixpointVariable, Box<Mu<S>>),
    /// The greatest such set.
    Greatest(FixpointVariable, Box<Mu<S>>),
}

impl<S> Mu<S> {
    /// The alternation depth: the longest chain of nested fixpoints of alternating kinds in which
    /// the inner one depends on the outer one. 0 without fixpoints.
    pub fn alternation_depth(&self) -> usize {
        match self {
            Mu::Constant(_) | Mu::Literal(..) | Mu::Variable(_) => 0,
            Mu::And(a, b) | Mu::Or(a, b) => a.alternation_depth().max(b.alternation_depth()),
            Mu::Diamond(_, operand) | Mu::Box(_, operand) => operand.alternation_depth(),
            Mu::Least(variable, body) => body.depth_in(*variable, true).max(1),
            Mu::Greatest(variable, body) => body.depth_in(*variable, false).max(1),
        }
    }

    /// The alternation depth of a fixpoint with this variable and body.
    fn depth_in(&self, outer: FixpointVariable, is_least: bool) -> usize {
        match self {
            Mu::Constant(_) | Mu::Literal(..) | Mu::Variable(_) => 0,
            Mu::And(a, b) | Mu::Or(a, b) => {
                a.depth_in(outer, is_least).max(b.depth_in(outer, is_least))
            }
            Mu::Diamond(_, operand) | Mu::Box(_, operand) => operand.depth_in(outer, is_least),
            Mu::Least(_, body) | Mu::Greatest(_, body) => {
                let inner_least = matches!(self, Mu::Least(..));
                let own = self.alternation_depth();
                let alternates = inner_least != is_least && body.mentions(outer);
                let deeper = body.depth_in(outer, is_least);
                own.max(deeper).max(if alternates { own + 1 } else { 0 })
            }
        }
    }

    /// Whether a variable occurs free.
    pub fn mentions(&self, variable: FixpointVariable) -> bool {
        match self {
            Mu::Constant(_) | Mu::Literal(..) => false,
            Mu::Variable(own) => *own == variable,
            Mu::And(a, b) | Mu::Or(a, b) => a.mentions(variable) || b.mentions(variable),
            Mu::Diamond(_, operand) | Mu::Box(_, operand) => operand.mentions(variable),
            Mu::Least(own, body) | Mu::Greatest(own, body) => {
                *own != variable && body.mentions(variable)
            }
        }
    }

    /// The dual formula: the negation if no variable is free.
    #[must_use]
    pub fn dual(self) -> Mu<S> {
        let dual = |operand: Box<Mu<S>>| Box::new(operand.dual());
        match self {
            Mu::Constant(value) => Mu::Constant(!value),
            Mu::Literal(atom, is) => Mu::Literal(atom, !is),
            Mu::Variable(variable) => Mu::Variable(variable),
            Mu::And(a, b) => Mu::Or(dual(a), dual(b)),
            Mu::Or(a, b) => Mu::And(dual(a), dual(b)),
            Mu::Diamond(steps, operand) => Mu::Box(steps, dual(operand)),
            Mu::Box(steps, operand) => Mu::Diamond(steps, dual(operand)),
            Mu::Least(variable, body) => Mu::Greatest(variable, dual(body)),
            Mu::Greatest(variable, body) => Mu::Least(variable, dual(body)),
        }
    }
}

impl<S: fmt::Display> fmt::Display for Mu<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Mu::Constant(value) => value.fmt(f),
            Mu::Literal(Atom(number), true) => write!(f, "p{number}"),
            Mu::Literal(Atom(number), false) => write!(f, "!p{number}"),
            Mu::Variable(FixpointVariable(number)) => write!(f, "Z{number}"),
            Mu::And(a, b) => write!(f, "({a} && {b})"),
            Mu::Or(a, b) => write!(f, "({a} || {b})"),
            Mu::Diamond(steps, operand) => write!(f, "<{steps}> {operand}"),
            Mu::Box(steps, operand) => write!(f, "[{steps}] {operand}"),
            Mu::Least(FixpointVariable(number), body) => write!(f, "mu Z{number}. {body}"),
            Mu::Greatest(FixpointVariable(number), body) => write!(f, "nu Z{number}. {body}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const X: FixpointVariable = FixpointVariable(0);
    const Y: FixpointVariable = FixpointVariable(1);

    fn step(operand: Mu<u8>) -> Box<Mu<u8>> {
        Box::new(Mu::Diamond(0, Box::new(operand)))
    }

    #[test]
    fn fixpoints_alternate_only_if_they_depend_on_each_other() {
        let p = || Box::new(Mu::Literal(Atom(0), true));
        // EF p
        let reachable = Mu::Least(X, Box::new(Mu::Or(p(), step(Mu::Variable(X)))));
        assert_eq!(reachable.alternation_depth(), 1);
        // EG EF p: the inner fixpoint does not depend on the outer one.
        let both = Mu::And(Box::new(reachable), step(Mu::Variable(Y)));
        assert_eq!(Mu::Greatest(Y, Box::new(both)).alternation_depth(), 1);
        // Infinitely often p on some path.
        let again = Mu::And(p(), step(Mu::Variable(Y)));
        let often = Mu::Least(X, Box::new(Mu::Or(Box::new(again), step(Mu::Variable(X)))));
        let often = Mu::Greatest(Y, Box::new(often));
        assert_eq!(often.alternation_depth(), 2);
        assert_eq!(often.clone().dual().alternation_depth(), 2);
        assert_eq!(often.clone().dual().dual(), often);
    }
}
