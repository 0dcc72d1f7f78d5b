//! Networks of timed automata: the modelling language of UPPAAL, and the text format of TChecker.
//!
//! ```text
//! text ──read──▶ syntax tree ──resolve──▶ network ──▶ symbolic states ──▶ runs with time stamps
//!                                          └──▶ discrete part as a factored system, for heuristics
//! ```
#![forbid(unsafe_code)]

pub mod discrete;
pub mod front_end;
pub mod generate;
pub mod model;
pub mod network;
mod read;
pub mod resolve;
pub mod semantics;
mod syntax;
pub mod zones;
