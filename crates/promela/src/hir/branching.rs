//! Formulas of branching time: `ctl` and `mu`.

pub use super::{ActionPattern, BranchingExpr};
use super::{Expr, UnaryOp};
pub use crate::ast::{BranchingLanguage, Fixpoint, Modality, PathQuantifier};

impl BranchingExpr {
    /// Visits the atoms.
    pub fn atoms<'a>(&'a self, visit: &mut impl FnMut(&'a Expr)) {
        match self {
            BranchingExpr::Atom(expr) => visit(expr),
            BranchingExpr::Deadlock | BranchingExpr::Variable(_) => {}
            BranchingExpr::Unary(_, operand)
            | BranchingExpr::Quantified(_, operand)
            | BranchingExpr::Fixpoint(_, _, operand)
            | BranchingExpr::Modal(_, _, operand) => operand.atoms(visit),
            BranchingExpr::Binary(_, left, right) => {
                left.atoms(visit);
                right.atoms(visit);
            }
        }
    }

    /// Whether a temporal operator stands outside of path quantifiers.
    pub fn has_path_operator(&self) -> bool {
        match self {
            BranchingExpr::Unary(op, operand) => op.is_temporal() || operand.has_path_operator(),
            BranchingExpr::Binary(op, left, right) => {
                op.is_about_paths() || left.has_path_operator() || right.has_path_operator()
            }
            _ => false,
        }
    }

    /// Whether single steps matter: it has a modality or a next-step operator.
    pub fn counts_steps(&self) -> bool {
        match self {
            BranchingExpr::Atom(_) | BranchingExpr::Deadlock | BranchingExpr::Variable(_) => false,
            BranchingExpr::Modal(..) | BranchingExpr::Unary(UnaryOp::Next, _) => true,
            BranchingExpr::Unary(_, operand)
            | BranchingExpr::Quantified(_, operand)
            | BranchingExpr::Fixpoint(_, _, operand) => operand.counts_steps(),
            BranchingExpr::Binary(_, left, right) => left.counts_steps() || right.counts_steps(),
        }
    }
}
