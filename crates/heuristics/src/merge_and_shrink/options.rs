//! Options of merge-and-shrink.

use super::budget::MergeBudget;
use super::label_reduction::LabelReduction;
use super::merge_strategy::MergeOrder;
use super::shrink::{BucketOrder, Shrinking};

/// Settings that the user chooses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MergeAndShrinkSettings {
    /// Size limit of a component: N of the paper.
    pub n: usize,
    /// The merge order.
    pub order: MergeOrder,
    /// The order in which buckets are split.
    pub buckets: BucketOrder,
    /// Label reduction.
    pub labels: LabelReduction,
    /// When bisimilar states are combined.
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

/// Settings and limits.
#[derive(Clone, Copy, Debug)]
pub struct MergeAndShrinkOptions {
    /// The settings.
    pub settings: MergeAndShrinkSettings,
    /// Limits.
    pub budget: MergeBudget,
}

impl From<MergeAndShrinkSettings> for MergeAndShrinkOptions {
    fn from(settings: MergeAndShrinkSettings) -> MergeAndShrinkOptions {
        MergeAndShrinkOptions { settings, budget: MergeBudget::default() }
    }
}
