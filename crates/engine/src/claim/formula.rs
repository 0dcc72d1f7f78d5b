//! Formulas as claims: a formula is violated by the runs that its negation describes.
//!
//! The conditions of a formula are its largest parts without temporal operators, so that
//! the automaton need not know what they consist of.

use std::fmt;

use beeline_logic::{Atom, Buchi, Classes, Formula, Fragment, TooLarge, Word};
use beeline_promela::hir::{BinaryOp, Expr, ExprKind, Model, UnaryOp};

use super::{Claim, ClaimMove, Distinct, Known, Literal, Origin, Place};
use crate::interpreter::{Machine, Now};

/// A formula whose automaton has more edges than this on the way is not checked.
const MOST_EDGES: usize = 200_000;

/// Why a formula has no automaton.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoAutomaton {
    /// It would be huge.
    TooLarge(TooLarge),
    /// The formula computes with something that is about the future: `[]<> x == 1` is
    /// `([]<> x) == 1`.
    Arithmetic,
}

impl fmt::Display for NoAutomaton {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NoAutomaton::TooLarge(error) => error.fmt(f),
            NoAutomaton::Arithmetic => f.write_str(
                "the formula computes with a temporal operator, which binds tighter than \
                 arithmetic: brackets are missing",
            ),
        }
    }
}

impl std::error::Error for NoAutomaton {}

/// What a formula says: temporal logic over numbered expressions.
#[derive(Clone, Debug)]
pub struct Said {
    /// The formula.
    pub formula: Formula,
    /// Its atoms, by number.
    pub atoms: Vec<Expr>,
}

impl Said {
    /// What an `ltl` formula of a model says; nothing if it computes with what is to come.
    pub fn of(model: &Model, expr: &Expr) -> Option<Said> {
        let mut atoms = Distinct::new(model);
        let formula = read(expr, &mut atoms)?;
        Some(Said { formula, atoms: atoms.exprs })
    }

    /// The automaton of the runs that violate it.
    ///
    /// # Errors
    ///
    /// When it would be huge.
    pub fn violations(&self) -> Result<Buchi, TooLarge> {
        beeline_logic::translate_within(&self.formula.clone().not(), MOST_EDGES)
    }

    /// Whether it speaks about the very next step, so that it matters how many there are.
    pub fn counts_steps(&self) -> bool {
        !Fragment::of(&self.formula).stutter_invariant
    }
}

/// What an expression with temporal operators says.
fn read(expr: &Expr, atoms: &mut Distinct<'_>) -> Option<Formula> {
    Some(match &expr.kind {
        ExprKind::Const(value) if *value != 0 => Formula::True,
        ExprKind::Const(_) => Formula::False,
        ExprKind::Unary(UnaryOp::Not, operand) => read(operand, atoms)?.not(),
        ExprKind::Unary(UnaryOp::Always, operand) => read(operand, atoms)?.always(),
        ExprKind::Unary(UnaryOp::Eventually, operand) => read(operand, atoms)?.eventually(),
        ExprKind::Unary(UnaryOp::Next, operand) => read(operand, atoms)?.next(),
        ExprKind::Binary(op, left, right) if is_logical(*op) && is_temporal(expr) => {
            let (left, right) = (read(left, atoms)?, read(right, atoms)?);
            match op {
                BinaryOp::And => left.and(right),
                BinaryOp::Or => left.or(right),
                BinaryOp::Implies => left.implies(right),
                BinaryOp::Equivalent => left.iff(right),
                BinaryOp::Until => left.until(right),
                BinaryOp::WeakUntil => left.weak_until(right),
                _ => left.release(right),
            }
        }
        _ if is_about_the_future(expr) => return None,
        _ => Formula::atom(atoms.number(expr)),
    })
}

fn is_logical(op: BinaryOp) -> bool {
    matches!(op, BinaryOp::And | BinaryOp::Or) || op.is_temporal()
}

/// Whether an expression cannot be evaluated in a state.
fn is_about_the_future(expr: &Expr) -> bool {
    expr.any(|part| match &part.kind {
        ExprKind::Unary(op, _) => op.is_temporal(),
        ExprKind::Binary(op, ..) => {
            matches!(op, BinaryOp::Until | BinaryOp::WeakUntil | BinaryOp::Release)
        }
        _ => false,
    })
}

/// Whether there is something in an expression that is not about single states.
pub fn is_temporal(expr: &Expr) -> bool {
    expr.any(|part| match &part.kind {
        ExprKind::Unary(op, _) => op.is_temporal(),
        ExprKind::Binary(op, ..) => op.is_temporal(),
        _ => false,
    })
}

impl Machine<'_> {
    /// What the formula of this number says; nothing if it computes with what is to come.
    pub fn said(&self, formula: usize) -> Option<Said> {
        Said::of(self.model(), &self.model().formulas[formula].formula)
    }

    /// The claim that is violated when the formula of this number is.
    ///
    /// # Errors
    ///
    /// When its automaton would be huge, or there is none.
    pub fn formula_claim(&self, formula: usize) -> Result<Claim, NoAutomaton> {
        let said = self.said(formula).ok_or(NoAutomaton::Arithmetic)?;
        let automaton = said.violations().map_err(NoAutomaton::TooLarge)?;
        Ok(claim(self.model(), Origin::Formula(formula), &said.atoms, &automaton))
    }

    /// Whether a formula is violated by a run that goes round for ever: by what it says, and
    /// not by its automaton.
    pub fn violates(&self, formula: usize, stem: &[Vec<u8>], cycle: &[Vec<u8>]) -> bool {
        let Some(said) = self.said(formula) else { return false };
        let letters = |state: &Vec<u8>| {
            let now: Now = self.open(state);
            let atoms = said.atoms.iter().enumerate();
            let holds = |expr| self.value(expr, &now, 0).is_some_and(|value| value != 0);
            atoms.filter(|(_, expr)| holds(expr)).map(|(at, _)| Atom(at as u32)).collect()
        };
        let word =
            Word::new(stem.iter().map(letters).collect(), cycle.iter().map(letters).collect());
        word.is_some_and(|word| !beeline_logic::satisfies(&said.formula, &word))
    }
}

/// An automaton as a claim. Where every run is accepted, it has seen enough.
fn claim(model: &Model, origin: Origin, atoms: &[Expr], automaton: &Buchi) -> Claim {
    let classes = Classes::of(automaton);
    let mut conditions = Distinct::new(model);
    let mut moved = |edges: &[beeline_logic::Edge]| {
        let moves = edges.iter().filter_map(|edge| {
            let mut when: Vec<Literal> = Vec::new();
            for literal in edge.guard.literals() {
                match conditions.literal(&atoms[literal.atom.0 as usize], literal.positive) {
                    Known::Always => {}
                    Known::Never => return None,
                    Known::When(literal) => when.push(literal),
                }
            }
            let violated = classes.accepts_everything(edge.to);
            Some(ClaimMove { when, to: edge.to, violated, edges: Vec::new() })
        });
        moves.collect()
    };
    let mut places: Vec<Place> = automaton
        .states
        .iter()
        .map(|state| {
            let moves = moved(&state.edges);
            Place { accepting: state.accepting, moves, ..Place::default() }
        })
        .collect();
    if classes.accepts_everything(automaton.start) {
        let at_once =
            ClaimMove { when: vec![], to: automaton.start, violated: true, edges: vec![] };
        places[automaton.start as usize].moves = vec![at_once];
    }
    Claim::new(origin, conditions.exprs, places, automaton.start)
}
