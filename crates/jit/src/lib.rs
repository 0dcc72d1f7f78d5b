//! Computation of successors in native code.
//!
//! The code of each process type is compiled, with the addresses of variables and the numbers of
//! locations folded in; `code` generates it, and `context` is its data. Its results are those of
//! the interpreter, state by state and in the same order: the interpreter is the reference, and
//! tests compare the two.
//!
//! Some models are not compiled: see [`NotCompiled`]. They are interpreted.

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
