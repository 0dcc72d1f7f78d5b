//! Properties of branching time over the factored view of a system.

use beeline_factored::{FactorExpr, FactoredView};
use beeline_logic::branching::{Mu, StateFormula};

use crate::unsupported::Unsupported;

/// Formulas of branching time about one system, with their atoms and kinds of steps.
#[derive(Clone)]
pub struct BranchingProblem {
    /// The system.
    pub view: FactoredView,
    /// The formulas, or why a formula has no form over the factors.
    pub formulas: Vec<Result<TemporalFormula, Unsupported>>,
    /// Their atoms, by number.
    pub atoms: Vec<StateAtom>,
    /// Kinds of steps, by number: operators by their positions in the system.
    pub step_kinds: Vec<Vec<u32>>,
    /// Conditions that fair paths satisfy infinitely often.
    pub fairness: Vec<FactorExpr>,
}

/// A formula of branching time.
#[derive(Clone, Debug)]
pub enum TemporalFormula {
    /// CTL or CTL*.
    CtlStar(StateFormula),
    /// The mu-calculus.
    Mu(Mu<MuSteps>),
}

/// The steps of a modality.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MuSteps {
    /// All steps.
    All,
    /// All steps; a state without one has a step to itself.
    Extended,
    /// The steps of a kind of [`BranchingProblem::step_kinds`].
    Kind(u32),
}

/// An atom: a set of states.
#[derive(Clone, Debug, PartialEq)]
pub enum StateAtom {
    /// Where an expression is true. Where it has no value, it is not.
    Holds(FactorExpr),
    /// Where no step is possible.
    Deadlock,
    /// Where one of these operators is applicable.
    Enabled(Vec<u32>),
}
