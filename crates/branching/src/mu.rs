//! The mu-calculus: the states that satisfy a formula, by iteration of its fixpoints.
//!
//! Source: [EMJ05], the mu-calculus; E. A. Emerson and C.-L. Lei, "Efficient model checking in
//! fragments of the propositional mu-calculus", LICS 1986. When a fixpoint is computed again, it
//! continues from its last value, unless a fixpoint of the other kind around it, on which it
//! depends, has changed since.

use beeline_logic::branching::{FixpointVariable, Mu};
use beeline_model::MuSteps;
use beeline_symbolic::{Set, SymbolicError};

use crate::evaluation::Evaluation;

/// A formula with a number for each of its fixpoints.
enum Part {
    Constant(bool),
    Literal(u32, bool),
    /// The value of a fixpoint, by number.
    Value(usize),
    And(Box<Part>, Box<Part>),
    Or(Box<Part>, Box<Part>),
    Diamond(MuSteps, Box<Part>),
    Box(MuSteps, Box<Part>),
    Fixpoint(usize),
}

/// A fixpoint.
struct FixpointPart {
    is_least: bool,
    body: Part,
    /// The fixpoints of the other kind inside of it that depend on its value or on that of another
    /// fixpoint around them: they start again with each of its values.
    restarted: Vec<usize>,
}

/// The fixpoints of a formula, the outer ones after the inner ones.
#[derive(Default)]
struct Fixpoints {
    all: Vec<Option<FixpointPart>>,
    /// The variables in scope, with the numbers of their fixpoints.
    scope: Vec<(FixpointVariable, usize)>,
}

impl Fixpoints {
    fn read(&mut self, formula: &Mu<MuSteps>) -> Part {
        match formula {
            Mu::Constant(value) => Part::Constant(*value),
            Mu::Literal(atom, is) => Part::Literal(atom.0, *is),
            Mu::Variable(variable) => {
                let known = self.scope.iter().rev().find(|(own, _)| own == variable);
                Part::Value(known.expect("the formula is closed").1)
            }
            Mu::And(a, b) => Part::And(Box::new(self.read(a)), Box::new(self.read(b))),
            Mu::Or(a, b) => Part::Or(Box::new(self.read(a)), Box::new(self.read(b))),
            Mu::Diamond(steps, operand) => Part::Diamond(*steps, Box::new(self.read(operand))),
            Mu::Box(steps, operand) => Part::Box(*steps, Box::new(self.read(operand))),
            Mu::Least(variable, body) => self.fixpoint(*variable, body, true),
            Mu::Greatest(variable, body) => self.fixpoint(*variable, body, false),
        }
    }

    fn fixpoint(&mut self, variable: FixpointVariable, body: &Mu<MuSteps>, is_least: bool) -> Part {
        let number = self.all.len();
        self.all.push(None);
        self.scope.push((variable, number));
        let body = self.read(body);
        self.scope.pop();
        // All fixpoints with larger numbers so far are inside.
        let inside = number + 1..self.all.len();
        let restarted = inside.filter(|&inner| self.is_restarted(inner, is_least, number));
        let restarted = restarted.collect();
        self.all[number] = Some(FixpointPart { is_least, body, restarted });
        Part::Fixpoint(number)
    }

    /// Whether a fixpoint of the other kind has a free variable of the fixpoint `outer` or of one
    /// between both.
    fn is_restarted(&self, inner: usize, is_least: bool, outer: usize) -> bool {
        let part = self.all[inner].as_ref().expect("inner fixpoints are complete");
        part.is_least != is_least && self.depends(&part.body, inner, outer)
    }

    /// Whether a part of the body of `inner` has a variable of a fixpoint from `outer` up to it.
    fn depends(&self, part: &Part, inner: usize, outer: usize) -> bool {
        match part {
            Part::Constant(_) | Part::Literal(..) => false,
            Part::Value(number) => (outer..inner).contains(number),
            Part::And(a, b) | Part::Or(a, b) => {
                self.depends(a, inner, outer) || self.depends(b, inner, outer)
            }
            Part::Diamond(_, operand) | Part::Box(_, operand) => {
                self.depends(operand, inner, outer)
            }
            Part::Fixpoint(number) => {
                let body = &self.all[*number].as_ref().expect("inner ones are complete").body;
                self.depends(body, inner, outer)
            }
        }
    }
}

impl Evaluation<'_> {
    /// The states that satisfy a closed formula.
    pub(crate) fn mu(&mut self, formula: &Mu<MuSteps>) -> Result<Set, SymbolicError> {
        let mut fixpoints = Fixpoints::default();
        let whole = fixpoints.read(formula);
        let parts: Vec<FixpointPart> =
            fixpoints.all.into_iter().map(|part| part.expect("all are complete")).collect();
        let mut values: Vec<Set> = Vec::new();
        for part in &parts {
            values.push(self.first_value(part));
        }
        Iteration { evaluation: self, parts: &parts, values }.states(&whole)
    }

    fn first_value(&mut self, part: &FixpointPart) -> Set {
        if part.is_least { self.structure.none() } else { self.structure.all().clone() }
    }
}

struct Iteration<'i, 'e> {
    evaluation: &'i mut Evaluation<'e>,
    parts: &'i [FixpointPart],
    /// The latest value of each fixpoint.
    values: Vec<Set>,
}

impl Iteration<'_, '_> {
    fn states(&mut self, part: &Part) -> Result<Set, SymbolicError> {
        Ok(match part {
            Part::Constant(true) => self.evaluation.structure.all().clone(),
            Part::Constant(false) => self.evaluation.structure.none(),
            Part::Literal(atom, is) => {
                let states = self.evaluation.structure.atom(*atom)?;
                if *is { states } else { self.evaluation.structure.not(&states)? }
            }
            Part::Value(number) => self.values[*number].clone(),
            Part::And(a, b) => {
                let (a, b) = (self.states(a)?, self.states(b)?);
                self.evaluation.structure.and(&a, &b)?
            }
            Part::Or(a, b) => {
                let (a, b) = (self.states(a)?, self.states(b)?);
                self.evaluation.structure.or(&a, &b)?
            }
            Part::Diamond(steps, operand) => {
                let operand = self.states(operand)?;
                self.evaluation.diamond(*steps, &operand)?
            }
            Part::Box(steps, operand) => {
                let operand = self.states(operand)?;
                let outside = self.evaluation.structure.not(&operand)?;
                let outside = self.evaluation.diamond(*steps, &outside)?;
                self.evaluation.structure.not(&outside)?
            }
            Part::Fixpoint(number) => self.iterate(*number)?,
        })
    }

    fn iterate(&mut self, number: usize) -> Result<Set, SymbolicError> {
        let parts = self.parts;
        loop {
            for &inner in &parts[number].restarted {
                self.values[inner] = self.evaluation.first_value(&parts[inner]);
            }
            let new = self.states(&parts[number].body)?;
            if new == self.values[number] {
                return Ok(new);
            }
            self.values[number] = new;
        }
    }
}

impl Evaluation<'_> {
    /// The states with a step of a kind into a set.
    fn diamond(&mut self, steps: MuSteps, set: &Set) -> Result<Set, SymbolicError> {
        match steps {
            MuSteps::All => self.structure.before(set),
            MuSteps::Extended => self.structure.before_or_dead(set),
            MuSteps::Kind(kind) => {
                let mut kinds = std::mem::take(&mut self.structure.kinds);
                let before = self.structure.before_by(&mut kinds[kind as usize], set);
                self.structure.kinds = kinds;
                before
            }
        }
    }
}
