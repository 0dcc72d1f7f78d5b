//! How Promela runs: process automata, the layout of a state, and the
//! interpreter that is the reference for everything else.
#![forbid(unsafe_code)]

pub mod automata;
pub mod claim;
pub mod constants;
pub mod factored;
pub mod facts;
pub mod footprints;
pub mod frame;
pub mod interpreter;
pub mod layout;
pub mod likeness;
pub mod reduction;
pub mod settled;
mod standing;
pub mod trail;
