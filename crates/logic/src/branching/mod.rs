//! Branching time: CTL*, its fragment CTL, and the mu-calculus, over numbered atoms.
//!
//! A [`StateFormula`] is true or false in a state; a [`PathFormula`] is true or false of a path. A
//! state without successors loops.

mod ctl;
mod mu;
mod mu_of_ctl;
mod state_formula;

pub use ctl::Ctl;
pub use mu::{FixpointVariable, Mu};
pub use mu_of_ctl::mu_of_ctl;
pub use state_formula::{PathFormula, StateFormula};
