//! Formulas of branching time: `ctl` and `mu`.

use std::sync::Arc;

use super::{Expr, LabelId, ProcessId};
use crate::ast::{BinaryOp, Ident, UnaryOp};
pub use crate::ast::{BranchingLanguage, Fixpoint, Modality, PathQuantifier};

/// A `ctl` or `mu` formula.
#[derive(Clone, Debug)]
pub struct BranchingFormula {
    /// Its name, or one made of its number.
    pub name: Ident,
    /// Its language.
    pub language: BranchingLanguage,
    /// The formula.
    pub formula: BranchingExpr,
    /// The formula as it is written.
    pub text: Arc<str>,
}

/// A formula about states and paths.
#[derive(Clone, Debug)]
pub enum BranchingExpr {
    /// An expression without operators of formulas, and without `!`, `&&` and `||` around it.
    Atom(Expr),
    /// `deadlock`: the state has no successor.
    Deadlock,
    /// `!`, or a temporal operator.
    Unary(UnaryOp, Box<BranchingExpr>),
    /// `&&`, `||`, `->`, `<->`, or a temporal operator.
    Binary(BinaryOp, Box<BranchingExpr>, Box<BranchingExpr>),
    /// A path quantifier.
    Quantified(PathQuantifier, Box<BranchingExpr>),
    /// A fixpoint, with the number of its variable.
    Fixpoint(Fixpoint, u32, Box<BranchingExpr>),
    /// The variable of an enclosing fixpoint.
    Variable(u32),
    /// A modality.
    Modal(Modality, ActionPattern, Box<BranchingExpr>),
}

/// The steps of a modality.
#[derive(Clone, Debug)]
pub enum ActionPattern {
    /// All steps.
    Any,
    /// The steps of processes of a type, perhaps only of the process with a number, perhaps only
    /// from a label.
    Process {
        /// The type.
        process: ProcessId,
        /// The process number.
        pid: Option<i32>,
        /// The label.
        label: Option<LabelId>,
    },
    /// Sends to the channel of a global variable, or receives from it.
    Channel {
        /// The variable.
        channel: super::GlobalId,
        /// Whether it is a send.
        sends: bool,
    },
}

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

    /// Visits the patterns of steps.
    pub fn patterns<'a>(&'a self, visit: &mut impl FnMut(&'a ActionPattern)) {
        match self {
            BranchingExpr::Atom(_) | BranchingExpr::Deadlock | BranchingExpr::Variable(_) => {}
            BranchingExpr::Modal(_, pattern, operand) => {
                visit(pattern);
                operand.patterns(visit);
            }
            BranchingExpr::Unary(_, operand)
            | BranchingExpr::Quantified(_, operand)
            | BranchingExpr::Fixpoint(_, _, operand) => operand.patterns(visit),
            BranchingExpr::Binary(_, left, right) => {
                left.patterns(visit);
                right.patterns(visit);
            }
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
