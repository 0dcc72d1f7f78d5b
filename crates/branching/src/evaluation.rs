//! What the evaluation of a formula works with.

use std::collections::HashMap;

use beeline_logic::branching::Ctl;
use beeline_symbolic::Set;

use crate::fairness::FairnessConstraint;
use crate::kripke::KripkeStructure;

/// The evaluation of a formula.
#[derive(Debug)]
pub(crate) struct Evaluation<'p> {
    pub(crate) structure: KripkeStructure<'p>,
    pub(crate) constraints: Vec<FairnessConstraint>,
    /// The states with a fair path; `None` if all paths are fair.
    pub(crate) fair: Option<Set>,
    /// The states of the formulas of CTL so far: witnesses ask for them again.
    pub(crate) known: HashMap<Ctl, Set>,
}
