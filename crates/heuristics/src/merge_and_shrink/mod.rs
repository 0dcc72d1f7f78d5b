//! Merge-and-shrink abstraction: the error distance in an abstract system that is built by
//! repeatedly composing (merging) two components and shrinking the result.
//!
//! Source: \[DFP06\] §§3 to 5, where it is called distance-preserving abstraction. Components are
//! labelled transition systems; labels have any number of participants. A network has a component
//! for each process, and labels with two participants.
//!
//! `component` has the data. `compose` merges two components and `shrink` shrinks the result until
//! one is left (`system`), in the order of `merge_strategy`, within a `budget`. [`Dpa`] looks up
//! states in the result; [`LocalDistance`] uses the components without merging.

mod budget;
mod component;
mod compose;
mod distance;
mod dpa;
mod exact;
mod factor_groups;
mod from_factors;
mod label_reduction;
mod labels;
mod local_distance;
mod merge_strategy;
mod options;
pub(crate) mod row;
mod shrink;
mod system;

pub use budget::{MergeBudget, Shortage};
pub use component::{FREE, LabelledComponent, LabelledComponents, LabelledEdge, StateFactors, TAU};
pub use dpa::Dpa;
pub use exact::cascading_tables;
pub use from_factors::{ErrorSets, FromFactors};
pub use label_reduction::LabelReduction;
pub use local_distance::LocalDistance;
pub use merge_strategy::MergeOrder;
pub use options::{MergeAndShrinkOptions, MergeAndShrinkSettings};
pub use shrink::{BucketOrder, Shrinking};
pub use system::Abstraction;
