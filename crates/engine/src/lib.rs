//! How Promela runs: process automata, the layout of a state, and the
//! interpreter that is the reference for everything else.
#![forbid(unsafe_code)]

pub mod automata;
pub mod claim;
pub mod constants;
pub mod frame;
pub mod interpreter;
pub mod layout;
pub mod layout_signature;
pub mod local_constants;
pub mod loop_detector;
mod permanent;
pub mod trail;
