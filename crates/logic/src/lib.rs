//! Temporal logic: formulas of linear time, small Büchi automata for them, their classification;
//! formulas of branching time.
//!
//! [`parse()`] reads a formula, [`translate()`] builds its automaton, [`AutomatonClasses`]
//! classifies it, [`mod@never`], [`hoa`] and [`dot`] print it, and [`word`] defines the semantics
//! of both, independently of the translation. The crate does not depend on Promela.
#![forbid(unsafe_code)]

mod bits;
pub mod branching;
pub mod buchi;
pub mod classify;
mod cube;
mod degeneralize;
pub mod dot;
mod expand;
pub mod formula;
pub mod fragment;
pub mod hoa;
mod implication;
pub mod never;
mod obligation;
mod operands;
pub mod parse;
mod pool;
mod rewrite;
pub mod satisfiable;
mod scc;
mod simulation;
mod transition_buchi;
pub mod translate;
mod union;
pub mod word;

pub use buchi::{AtomLiteral, Buchi, BuchiEdge, BuchiState, Guard};
pub use classify::{AutomatonClasses, CycleAcceptance, Strength};
pub use formula::{Atom, Formula};
pub use fragment::Fragment;
pub use parse::{AtomNames, ParseError, parse};
pub use satisfiable::is_satisfiable_within;
pub use translate::{AutomatonTooLarge, translate, translate_disjuncts, translate_within};
pub use word::{Letters, Word, accepts, satisfies};
