//! Words of formulas of branching time, an extension of Promela.

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
