//! A model in factored form: variables with bounded domains (factors), and operators with
//! conditions and effects on them, as in planning.
//!
//! Heuristics that consider a whole system work on this view: relaxation, abstraction, pattern
//! databases. It is independent of the language. A [`System`] over-approximates its model: if no
//! error is reachable in it, none is in the model.
#![forbid(unsafe_code)]

mod arithmetic;
mod cascading_tables;
mod dump;
mod evaluate;
mod execute;
mod expr;
mod factor;
mod factor_reader;
mod flat;
mod interval;
mod precision;
mod ranges;
mod system;
mod view;

pub use arithmetic::{Binary, IntWidth, Unary, apply};
pub use cascading_tables::{CascadingTable, CascadingTables, ErrorValues, TableSource};
pub use dump::dump;
pub use evaluate::{evaluate, evaluate_some, narrow};
pub use execute::{TooManyOutcomes, holds, successors};
pub use expr::{Element, FactorExpr};
pub use factor::{Factor, FactorId, FactorKind};
pub use factor_reader::FactorReader;
pub use flat::FlatOperator;
pub use interval::Interval;
pub use precision::{Deviation, Precision};
pub use ranges::{RangeScratch, Ranges};
pub use system::{
    ANY_PROCESS, Assignment, AssignmentTarget, Goal, Instruction, Operator, ShutOutId, System,
};
pub use view::FactoredView;
