//! Formulas as claims: the negation of a formula describes its violating runs.
//!
//! The atoms of a formula are its largest parts without temporal operators, so that the automaton
//! is independent of their content.

use std::fmt;

use beeline_kernel::StatePath;
use beeline_logic::{Atom, AutomatonClasses, AutomatonTooLarge, Buchi, Formula, Fragment, Word};
use beeline_promela::hir::{BinaryOp, Expr, ExprKind, Model, UnaryOp};

use super::conditions::{DistinctExprs, LiteralTruth};
use crate::claim_automaton::{Claim, ClaimLiteral, ClaimMove, ClaimState, Origin};
use crate::interpreter::{DecodedState, Machine};

/// Size limit of the automaton of a formula, in edges.
const MOST_EDGES: usize = 200_000;

/// Why there is no claim for a formula.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClaimError {
    /// Its automaton would be too large.
    AutomatonTooLarge,
    /// A number is compared with a temporal formula: `[] x == 1` is `([] x) == 1`.
    Arithmetic,
}

impl fmt::Display for ClaimError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            ClaimError::AutomatonTooLarge => "the automaton of the formula is too large",
            ClaimError::Arithmetic => {
                "the formula uses the truth value of a temporal operator as a number, as in `[] x \
                 == 1`, which means `([] x) == 1`; put the comparison in parentheses: `[] (x == 1)`"
            }
        })
    }
}

impl std::error::Error for ClaimError {}

/// A temporal formula over numbered expressions.
#[derive(Clone, Debug)]
pub struct AtomizedFormula {
    /// The formula.
    pub formula: Formula,
    /// Its atoms, by number.
    pub atoms: Vec<Expr>,
}

impl AtomizedFormula {
    /// An `ltl` formula of a model.
    ///
    /// # Errors
    ///
    /// When it is not a temporal formula.
    pub fn of(model: &Model, expr: &Expr) -> Result<AtomizedFormula, ClaimError> {
        AtomizedFormula::with_grain(model, expr, Grain::Coarse)
    }

    /// The same with smaller atoms, without `&&` and `||`.
    ///
    /// # Errors
    ///
    /// When it is not a temporal formula.
    pub fn in_detail(model: &Model, expr: &Expr) -> Result<AtomizedFormula, ClaimError> {
        AtomizedFormula::with_grain(model, expr, Grain::Fine)
    }

    fn with_grain(model: &Model, expr: &Expr, grain: Grain) -> Result<AtomizedFormula, ClaimError> {
        let mut atoms = DistinctExprs::new(model);
        let formula = read(expr, grain, &mut atoms)?;
        Ok(AtomizedFormula { formula, atoms: atoms.exprs })
    }

    /// The automaton of its violating runs.
    ///
    /// # Errors
    ///
    /// When it would be too large.
    pub fn violations(&self) -> Result<Buchi, ClaimError> {
        beeline_logic::translate_within(&self.formula.clone().not(), MOST_EDGES)
            .map_err(|AutomatonTooLarge| ClaimError::AutomatonTooLarge)
    }

    /// Whether it has a next-step operator, so that the number of steps matters.
    pub fn counts_steps(&self) -> bool {
        !Fragment::of(&self.formula).stutter_invariant
    }
}

/// The size of atoms.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Grain {
    Coarse,
    Fine,
}

impl Grain {
    fn splits(self, op: BinaryOp) -> bool {
        self == Grain::Fine && matches!(op, BinaryOp::And | BinaryOp::Or)
    }
}

/// The temporal formula of an expression.
fn read(expr: &Expr, grain: Grain, atoms: &mut DistinctExprs<'_>) -> Result<Formula, ClaimError> {
    Ok(match &expr.kind {
        ExprKind::Const(value) if *value != 0 => Formula::True,
        ExprKind::Const(_) => Formula::False,
        ExprKind::Unary(UnaryOp::Not, operand) => read(operand, grain, atoms)?.not(),
        ExprKind::Unary(UnaryOp::Always, operand) => read(operand, grain, atoms)?.always(),
        ExprKind::Unary(UnaryOp::Eventually, operand) => read(operand, grain, atoms)?.eventually(),
        ExprKind::Unary(UnaryOp::Next, operand) => read(operand, grain, atoms)?.next(),
        ExprKind::Binary(op, left, right) if is_temporal(expr) || grain.splits(*op) => {
            let (left, right) = (read(left, grain, atoms)?, read(right, grain, atoms)?);
            match op {
                BinaryOp::And => left.and(right),
                BinaryOp::Or => left.or(right),
                BinaryOp::Implies => left.implies(right),
                BinaryOp::Equivalent => left.iff(right),
                BinaryOp::Until => left.until(right),
                BinaryOp::WeakUntil => left.weak_until(right),
                BinaryOp::Release => left.release(right),
                _ => return Err(ClaimError::Arithmetic),
            }
        }
        _ if is_temporal(expr) => return Err(ClaimError::Arithmetic),
        _ => Formula::atom(atoms.number(expr)),
    })
}

/// Whether an expression has temporal operators.
pub fn is_temporal(expr: &Expr) -> bool {
    expr.any(|part| match &part.kind {
        ExprKind::Unary(op, _) => op.is_temporal(),
        ExprKind::Binary(op, ..) => op.is_temporal(),
        _ => false,
    })
}

impl Machine<'_> {
    /// The formula of this number over its atoms.
    ///
    /// # Errors
    ///
    /// When it is not a temporal formula.
    pub fn atomized(&self, formula: usize) -> Result<AtomizedFormula, ClaimError> {
        AtomizedFormula::of(self.model(), &self.model().formulas[formula].formula)
    }

    /// The claim for the negation of the formula of this number.
    ///
    /// # Errors
    ///
    /// When there is no claim.
    pub fn formula_claim(&self, formula: usize) -> Result<Claim, ClaimError> {
        let atomized = self.atomized(formula)?;
        let automaton = atomized.violations()?;
        let claim = claim(self.model(), Origin::Formula(formula), &atomized.atoms, &automaton);
        Ok(claim.with_fault_moves(self))
    }

    /// Whether a lasso violates a formula: by its semantics, without its automaton.
    pub fn violates(&self, formula: usize, stem: &StatePath, cycle: &StatePath) -> bool {
        let Ok(atomized) = self.atomized(formula) else { return false };
        let letters = |state: Vec<u8>| {
            let now: DecodedState = self.decode(&state);
            let atoms = atomized.atoms.iter().enumerate();
            let holds = |expr| self.value(expr, &now, 0).is_some_and(|value| value != 0);
            atoms.filter(|(_, expr)| holds(expr)).map(|(at, _)| Atom(at as u32)).collect()
        };
        let word = Word::new(stem.iter().map(letters), cycle.iter().map(letters));
        word.is_some_and(|word| !beeline_logic::satisfies(&atomized.formula, &word))
    }
}

/// An automaton as a claim. A state in which every run is accepted ends the claim.
fn claim(model: &Model, origin: Origin, atoms: &[Expr], automaton: &Buchi) -> Claim {
    let classes = AutomatonClasses::of(automaton);
    let mut conditions = DistinctExprs::new(model);
    let mut moved = |edges: &[beeline_logic::BuchiEdge]| {
        let moves = edges.iter().filter_map(|edge| {
            let mut when: Vec<ClaimLiteral> = Vec::new();
            for literal in edge.guard.literals() {
                match conditions.literal(&atoms[literal.atom.0 as usize], literal.positive) {
                    LiteralTruth::Always => {}
                    LiteralTruth::Never => return None,
                    LiteralTruth::When(literal) => when.push(literal),
                }
            }
            let violated = classes.accepts_everything(edge.to);
            Some(ClaimMove { when, to: edge.to, violated, edges: Vec::new() })
        });
        moves.collect()
    };
    let mut states: Vec<ClaimState> = automaton
        .states
        .iter()
        .enumerate()
        .map(|(at, state)| {
            let mut moves: Vec<ClaimMove> = moved(&state.edges);
            // Moves to another state come before loops, as in SPIN's claims: depth-first search
            // then finds cycles sooner.
            moves.sort_by_key(|step| {
                let target = &automaton.states[step.to as usize];
                (!step.violated, step.to as usize == at, !target.accepting)
            });
            ClaimState { accepting: state.accepting, moves, ..ClaimState::default() }
        })
        .collect();
    if classes.accepts_everything(automaton.start) {
        let at_once =
            ClaimMove { when: vec![], to: automaton.start, violated: true, edges: vec![] };
        states[automaton.start as usize].moves = vec![at_once];
    }
    Claim::new(origin, conditions.exprs, states, automaton.start)
}
