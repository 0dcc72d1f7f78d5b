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
mod component;
mod compose;
mod distance;
mod dpa;
mod factor_groups;
mod from_factors;
mod label_reduction;
mod labels;
mod local_distance;
mod merge_strategy;
mod options;
mod shrink;
mod system;

pub use budget::{MergeBudget, Shortage};
pub use component::{FREE, LabelledComponent, LabelledComponents, LabelledEdge, StateFactors, TAU};
pub use dpa::Dpa;
pub use from_factors::FromFactors;
pub use label_reduction::LabelReduction;
pub use local_distance::LocalDistance;
pub use merge_strategy::MergeOrder;
pub use options::{MergeAndShrinkOptions, MergeAndShrinkSettings};
pub use shrink::{BucketOrder, Shrinking};
pub use system::Abstraction;
