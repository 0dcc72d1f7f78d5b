//! Formulas of branching time on sets of states against an independent labelling of all states.

mod adjacency;
mod compare;
mod fixpoint;
mod formulas;
mod graph;
mod labelling;
mod labels;
mod witness;

pub use compare::{BranchingCompared, compare};
pub use formulas::{SHAPES, atoms_of, random_formula, shape};
pub use graph::ExplicitGraph;
pub use labelling::Labelling;
pub use labels::Labels;
