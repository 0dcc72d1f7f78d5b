//! Formulas of branching time on sets of states against an independent labelling of all states.

mod compare;
mod formulas;
mod graph;
mod labelling;
mod witness;

pub use compare::{BranchingCompared, compare};
pub use formulas::{SHAPES, atoms_of, random_formula, shape};
pub use graph::ExplicitGraph;
pub use labelling::Labelling;
