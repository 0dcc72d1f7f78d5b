//! How a system is made small.

use super::budget::MergeBudget;
use super::label_reduction::LabelReduction;
use super::merge_strategy::MergeOrder;
use super::shrink::{BucketOrder, Shrinking};

/// How a system is made small, as one asks for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MergeAndShrinkSettings {
    /// How many states a component may have: N of the paper.
    pub n: usize,
    /// In which order components are composed.
    pub order: MergeOrder,
    /// Which buckets are split first.
    pub buckets: BucketOrder,
    /// Whether labels are combined that no other component tells apart.
    pub labels: LabelReduction,
    /// When bisimilar states become one.
    pub shrink: Shrinking,
}

impl Default for MergeAndShrinkSettings {
    fn default() -> MergeAndShrinkSettings {
        MergeAndShrinkSettings {
            n: 50,
            order: MergeOrder::default(),
            buckets: BucketOrder::default(),
            labels: LabelReduction::default(),
            shrink: Shrinking::default(),
        }
    }
}

/// The settings, and how much they may take.
#[derive(Clone, Copy, Debug)]
pub struct MergeAndShrinkOptions {
    /// The settings.
    pub settings: MergeAndShrinkSettings,
    /// How much they may take.
    pub budget: MergeBudget,
}

impl From<MergeAndShrinkSettings> for MergeAndShrinkOptions {
    fn from(settings: MergeAndShrinkSettings) -> MergeAndShrinkOptions {
        MergeAndShrinkOptions { settings, budget: MergeBudget::default() }
    }
}
