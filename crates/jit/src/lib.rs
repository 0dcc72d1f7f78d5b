//! Computation of successors in native code.
//!
//! The code of each process type is compiled, with the addresses of variables and the numbers of
//! locations folded in; `code` generates it, and `context` is its data. Its results are those of
//! the interpreter, state by state and in the same order: the interpreter is the reference, and
//! tests compare the two.
//!
//! Most states of a model have the same processes. A structure of states that occurs often gets a
//! function of its own, which expands a state without looking up where its processes are.
//!
//! Some models are not compiled: see [`NotCompiled`]. They are interpreted.

mod code;
mod context;
mod expander;
mod fair;
mod module;
mod native;
mod process_starts;
mod receivers;
mod support;
mod tier_up;

pub use fair::NativeFairSpace;
pub use native::NativeSpace;
pub use support::NotCompiled;
