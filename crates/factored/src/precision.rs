//! How close a factored system is to its model.

use std::collections::BTreeMap;

/// How close a factored system is to its model.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Precision {
    reasons: BTreeMap<&'static str, Deviation>,
}

/// The difference between a system that is not exact and its model, from the least to the greatest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Deviation {
    /// It has the states and steps of the model. What it tells about ends and faults differs: each
    /// deadlock of the model is one of the system.
    MoreEnds,
    /// Without control ([`System::without_control`](crate::System::without_control)), it has the
    /// states, steps and faults of the model, and perhaps more. Each value that it does not
    /// determine may be any of its possible values.
    MoreSteps,
    /// It may lack states or steps of the model.
    OtherSteps,
}

impl Precision {
    /// Adds a reason why the system differs from the model.
    pub fn lose(&mut self, reason: &'static str, deviation: Deviation) {
        self.reasons.insert(reason, deviation);
    }

    /// Whether the reachable states and steps are exactly those of the model.
    pub fn is_exact(&self) -> bool {
        self.reasons.is_empty()
    }

    /// The greatest difference; `None` if the system is exact.
    pub fn deviation(&self) -> Option<Deviation> {
        self.reasons.values().copied().max()
    }

    /// The reasons why the system is not exact.
    pub fn reasons(&self) -> impl Iterator<Item = &'static str> {
        self.reasons.keys().copied()
    }
}
