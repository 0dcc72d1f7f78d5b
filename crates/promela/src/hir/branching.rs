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
    pub formula: Branching,
    /// The formula as it is written.
    pub text: Arc<str>,
}

/// A formula about states and paths.
#[derive(Clone, Debug)]
pub enum Branching {
    /// An expression without operators of formulas, and without `!`, `&&` and `||` around it.
    Atom(Expr),
    /// `deadlock`: the state has no successor.
    Deadlock,
    /// `!`, or a temporal operator.
    Unary(UnaryOp, Box<Branching>),
    /// `&&`, `||`, `->`, `<->`, or a temporal operator.
    Binary(BinaryOp, Box<Branching>, Box<Branching>),
    /// A path quantifier.
    Quantified(PathQuantifier, Box<Branching>),
    /// A fixpoint, with the number of its variable.
    Fixpoint(Fixpoint, u32, Box<Branching>),
    /// The variable of an enclosing fixpoint.
    Variable(u32),
    /// A modality.
    Modal(Modality, ActionPattern, Box<Branching>),
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

impl Branching {
    /// Visits the atoms.
    pub fn atoms<'a>(&'a self, visit: &mut impl FnMut(&'a Expr)) {
        match self {
            Branching::Atom(expr) => visit(expr),
            Branching::Deadlock | Branching::Variable(_) => {}
            Branching::Unary(_, operand)
            | Branching::Quantified(_, operand)
            | Branching::Fixpoint(_, _, operand)
            | Branching::Modal(_, _, operand) => operand.atoms(visit),
            Branching::Binary(_, left, right) => {
                left.atoms(visit);
                right.atoms(visit);
            }
        }
    }

    /// Visits the patterns of steps.
    pub fn patterns<'a>(&'a self, visit: &mut impl FnMut(&'a ActionPattern)) {
        match self {
            Branching::Atom(_) | Branching::Deadlock | Branching::Variable(_) => {}
            Branching::Modal(_, pattern, operand) => {
                visit(pattern);
                operand.patterns(visit);
            }
            Branching::Unary(_, operand)
            | Branching::Quantified(_, operand)
            | Branching::Fixpoint(_, _, operand) => operand.patterns(visit),
            Branching::Binary(_, left, right) => {
                left.patterns(visit);
                right.patterns(visit);
            }
        }
    }

    /// Whether single steps matter: it has a modality or a next-step operator.
    pub fn counts_steps(&self) -> bool {
        match self {
            Branching::Atom(_) | Branching::Deadlock | Branching::Variable(_) => false,
            Branching::Modal(..) | Branching::Unary(UnaryOp::Next, _) => true,
            Branching::Unary(_, operand)
            | Branching::Quantified(_, operand)
            | Branching::Fixpoint(_, _, operand) => operand.counts_steps(),
            Branching::Binary(_, left, right) => left.counts_steps() || right.counts_steps(),
        }
    }
}
