//! Formulas of branching time, an extension of Promela.

use super::{Expr, Ident};

/// `ctl name { formula }` or `mu name { formula }`: an extension of Promela.
#[derive(Clone, Debug, PartialEq)]
pub struct BranchingUnit {
    /// The language of the formula.
    pub language: BranchingLanguage,
    /// The name, if it has one.
    pub name: Option<Ident>,
    /// The formula.
    pub formula: Expr,
}

/// A language of branching time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BranchingLanguage {
    /// CTL and CTL*.
    Ctl,
    /// The mu-calculus.
    Mu,
}

impl BranchingLanguage {
    /// The word that begins a formula.
    pub fn text(self) -> &'static str {
        match self {
            BranchingLanguage::Ctl => "ctl",
            BranchingLanguage::Mu => "mu",
        }
    }
}

/// A quantifier over the paths from a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PathQuantifier {
    /// `A`: all paths.
    ForAll,
    /// `E`: some path.
    Exists,
}

impl PathQuantifier {
    /// How it is written.
    pub fn text(self) -> &'static str {
        match self {
            PathQuantifier::ForAll => "A",
            PathQuantifier::Exists => "E",
        }
    }
}

/// Least or greatest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fixpoint {
    /// `mu`
    Least,
    /// `nu`
    Greatest,
}

impl Fixpoint {
    /// How it is written.
    pub fn text(self) -> &'static str {
        match self {
            Fixpoint::Least => "mu",
            Fixpoint::Greatest => "nu",
        }
    }
}

/// A modality of the mu-calculus.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Modality {
    /// `<a>`: some step.
    Diamond,
    /// `[a]`: all steps.
    Box,
}

/// The steps of a modality.
#[derive(Clone, Debug, PartialEq)]
pub enum ActionPattern {
    /// All steps.
    Any,
    /// `P`, `P[e]`: the steps of processes.
    Process {
        /// The proctype.
        proctype: Ident,
        /// The process number.
        pid: Option<Box<Expr>>,
    },
    /// `P@label`, `P[e]@label`: the steps from a label.
    Label {
        /// The proctype.
        proctype: Ident,
        /// The process number.
        pid: Option<Box<Expr>>,
        /// The label.
        label: Ident,
    },
    /// `q!`: sends to the channel of a variable.
    Send(Ident),
    /// `q?`: receives from it.
    Receive(Ident),
}
