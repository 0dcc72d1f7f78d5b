//! The successors of a state in native code.
//!
//! The code of each process type is compiled, with the places of variables and
//! the numbers of locations folded in; see `code` for what is generated and
//! `context` for what it works on. What it finds is what the interpreter finds,
//! state by state and in the same order: the interpreter is the reference, and
//! tests hold the two against each other.
//!
//! Not everything is compiled: see [`NotCompiled`]. Whoever gets that answer uses
//! the interpreter.

mod code;
mod context;
mod expander;
mod module;
mod native;
mod receivers;
mod support;
mod tier_up;

pub use native::NativeSpace;
pub use support::NotCompiled;
