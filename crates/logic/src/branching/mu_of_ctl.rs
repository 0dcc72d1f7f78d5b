//! CTL in the mu-calculus.
//!
//! Source: [EMJ05], translating CTL in the mu-calculus: E[p U q] is the least fixpoint of
//! q || p && <>Z, and EG p the greatest one of p && <>Z.

use super::ctl::Ctl;
use super::mu::{FixpointVariable, Mu};

/// The formula of the mu-calculus with the same states, in which all steps are of one kind.
pub fn mu_of_ctl<S: Clone>(formula: &Ctl, steps: &S) -> Mu<S> {
    Translation { steps, variables: 0 }.translate(formula)
}

struct Translation<'s, S> {
    steps: &'s S,
    /// The number of variables so far.
    variables: u32,
}

impl<S: Clone> Translation<'_, S> {
    fn translate(&mut self, formula: &Ctl) -> Mu<S> {
        match formula {
            Ctl::Constant(value) => Mu::Constant(*value),
            Ctl::Atom(atom) => Mu::Literal(*atom, true),
            // No variable is free.
            Ctl::Not(operand) => self.translate(operand).dual(),
            Ctl::And(a, b) => Mu::And(self.boxed(a), self.boxed(b)),
            Ctl::Or(a, b) => Mu::Or(self.boxed(a), self.boxed(b)),
            Ctl::ExistsNext(operand) => Mu::Diamond(self.steps.clone(), self.boxed(operand)),
            Ctl::ExistsUntil(a, b) => {
                let (a, b) = (self.boxed(a), self.boxed(b));
                let (variable, next) = self.next();
                Mu::Least(variable, Box::new(Mu::Or(b, Box::new(Mu::And(a, next)))))
            }
            Ctl::ExistsAlways(operand) => {
                let operand = self.boxed(operand);
                let (variable, next) = self.next();
                Mu::Greatest(variable, Box::new(Mu::And(operand, next)))
            }
        }
    }

    fn boxed(&mut self, formula: &Ctl) -> Box<Mu<S>> {
        Box::new(self.translate(formula))
    }

    /// A new variable, and the states with a step into its value.
    fn next(&mut self) -> (FixpointVariable, Box<Mu<S>>) {
        let variable = FixpointVariable(self.variables);
        self.variables += 1;
        let next = Mu::Diamond(self.steps.clone(), Box::new(Mu::Variable(variable)));
        (variable, Box::new(next))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formula::Atom;

    #[test]
    fn the_example_of_the_tutorial() {
        let (p, q) = (Ctl::Atom(Atom(0)), Ctl::Atom(Atom(1)));
        let until = Ctl::ExistsUntil(Box::new(p), Box::new(q));
        let formula = mu_of_ctl(&Ctl::ExistsAlways(Box::new(until)), &"t");
        let told = "nu Z1. (mu Z0. (p1 || (p0 && <t> Z0)) && <t> Z1)";
        assert_eq!(formula.to_string(), told);
        assert_eq!(formula.alternation_depth(), 1);
    }
}
