//! Execution of Promela: process automata, the layout of states, and the interpreter that is the
//! reference for everything else.
#![forbid(unsafe_code)]

pub mod arithmetic;
pub mod automata;
pub mod claim;
mod claim_automaton;
pub mod constants;
mod declaration;
pub mod frame;
pub mod interpreter;
mod labels;
pub mod layout;
pub mod layout_signature;
pub mod local_constants;
pub mod loop_detector;
mod permanent;
mod scalar;
pub mod trail;
