//! A model as factors and steps: variables of bounded domains, and what steps ask of them and
//! do to them.
//!
//! Everything that looks at a whole system at once works on this view: relaxation, abstraction,
//! pattern databases. It knows no language. A [`System`] may allow more than the model it stands
//! for, never less: who finds no way to an error in it has proved that there is none.
#![forbid(unsafe_code)]

mod arithmetic;
mod dump;
mod evaluate;
mod execute;
mod expr;
mod factor;
mod factor_reader;
mod flat;
mod interval;
mod ranges;
mod system;

pub use arithmetic::{Binary, IntWidth, Unary, apply};
pub use dump::dump;
pub use evaluate::{evaluate, evaluate_some, narrow};
pub use execute::{TooManyOutcomes, holds, successors};
pub use expr::{Element, FactorExpr};
pub use factor::{Factor, FactorId, FactorKind};
pub use factor_reader::FactorReader;
pub use flat::FlatOperator;
pub use interval::Interval;
pub use ranges::{RangeScratch, Ranges};
pub use system::{ANY_PROCESS, Assignment, AssignmentTarget, Goal, Instruction, Operator, System};
