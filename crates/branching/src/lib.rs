//! Model checking of branching time on sets of states: CTL, CTL* and the mu-calculus.
//!
//! Source: `[EMJ05]`, CTL, CTL* and the mu-calculus. A [`KripkeStructure`] has the reachable states
//! of an exact factored system; a formula becomes the set of states that satisfy it, from its parts
//! to the whole. Path quantifiers over formulas of linear time go through Büchi automata. A state
//! without steps loops: all paths are infinite.
#![forbid(unsafe_code)]

mod ctl;
mod ctl_star;
mod error;
mod evaluate;
mod evaluation;
mod fairness;
mod kripke;
mod mu;
mod product;
mod witness;

pub use error::BranchingError;
pub use evaluate::{BranchingEvaluator, BranchingResult};
pub use fairness::FairnessRequest;
pub use kripke::KripkeStructure;
pub use witness::{ExplicitStates, SpaceStates, Witness, WitnessPath};
