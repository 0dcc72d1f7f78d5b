//! The discrete part of a network as a factored system: locations and variables are factors,
//! synchronisations are operators, clocks are left out.
//!
//! Source: the abstraction of \[DFP06\] §6 and of Mcta: a comparison of clocks may hold or not, and
//! time never stops. So each step of the network is a step of an operator, and each state that a
//! query asks for is a goal. What no expression over factors describes, such as the effect of a
//! function with loops, may be any value.

mod broadcasts;
mod effects;
mod expressions;
mod factors;
mod goals;
mod operators;
mod reader;
mod view;

pub use view::{DiscreteView, guides, may_fail};
