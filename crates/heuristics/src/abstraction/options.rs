//! How a system is made small.

use super::budget::Budget;
use super::combine::LabelReduction;
use super::shrink::{Buckets, Shrinking};
use super::strategy::Order;

/// How a system is made small, as one asks for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settings {
    /// How many states a component may have: N of the paper.
    pub n: usize,
    /// In which order components are composed.
    pub order: Order,
    /// Which buckets are split first.
    pub buckets: Buckets,
    /// Whether labels are combined that no other component tells apart.
    pub labels: LabelReduction,
    /// When bisimilar states become one.
    pub shrink: Shrinking,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            n: 50,
            order: Order::default(),
            buckets: Buckets::default(),
            labels: LabelReduction::default(),
            shrink: Shrinking::default(),
        }
    }
}

/// The settings, and how much they may take.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// The settings.
    pub settings: Settings,
    /// How much they may take.
    pub budget: Budget,
}

impl From<Settings> for Options {
    fn from(settings: Settings) -> Options {
        Options { settings, budget: Budget::default() }
    }
}
