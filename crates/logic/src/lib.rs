//! Linear temporal logic: formulas, small Büchi automata for them, and what can be
//! said about both.
//!
//! [`parse()`] reads a formula, [`translate()`] makes its automaton, [`Classes`] says what
//! kind of automaton it is, [`mod@never`], [`hoa`] and [`dot`] print it, and
//! [`word`] is the meaning of both, independent of the translation. Nothing here
//! knows Promela.
#![forbid(unsafe_code)]

mod bits;
pub mod buchi;
pub mod classify;
mod components;
mod cube;
mod degeneralize;
pub mod dot;
mod expand;
pub mod formula;
pub mod fragment;
pub mod hoa;
mod implication;
mod marked;
pub mod never;
pub mod parse;
mod pool;
mod rewrite;
mod simulation;
pub mod translate;
mod weak;
pub mod word;

pub use buchi::{Buchi, Edge, Guard, Literal, State};
pub use classify::{Classes, Cycles, Shape};
pub use formula::{Atom, Formula};
pub use fragment::Fragment;
pub use parse::{Names, ParseError, parse};
pub use translate::{TooLarge, translate, translate_within};
pub use word::{Letters, Word, accepts, satisfies};
