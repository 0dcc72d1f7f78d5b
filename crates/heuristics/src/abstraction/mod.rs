//! Distance-preserving abstraction: the error distance of a small system that is made of the whole
//! one by composing two components at a time and shrinking what comes of it.
//!
//! Source: \[DFP06\] §§3 to 5. Nothing here knows where components come from: they are states, edges
//! with labels, and which components take part in each label. A network has a component for each
//! process, and labels with two participants; other systems may have any number.
//!
//! `component` is what is composed (`compose`) and shrunk (`shrink`) as often as there are
//! two of them left (`system`), in an order that `strategy` decides, and within a `budget`.
//! [`Dpa`] looks up states in what is left then; [`LocalDistance`] is what one gets without
//! composing anything.

mod budget;
mod combine;
mod component;
mod compose;
mod distance;
mod dpa;
mod from_factors;
mod labels;
mod local_distance;
mod options;
mod parts;
mod request;
mod shrink;
mod strategy;
mod system;

pub use budget::{Budget, Shortage};
pub use combine::LabelReduction;
pub use component::{Component, Components, Edge, FREE, Factors, TAU};
pub use dpa::Dpa;
pub use from_factors::FromFactors;
pub use local_distance::LocalDistance;
pub use options::{Options, Settings};
pub use shrink::{Buckets, Shrinking};
pub use strategy::Order;
pub use system::Abstraction;
