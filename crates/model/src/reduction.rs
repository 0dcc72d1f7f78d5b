//! Partial order reduction, as far as a model supports it: facts about independent steps, from
//! which searches get [reducers](Reducer).

use beeline_kernel::{Proposals, Reducer};

/// Independence of the steps of a system.
pub trait Independence: Sync {
    /// A reducer for one thread.
    fn reducer(&self, proposals: Proposals) -> Box<dyn Reducer + '_>;

    /// Whether its reducers [keep the cheapest paths](Reducer::keeps_cheapest).
    fn keeps_cheapest(&self) -> bool {
        false
    }
}
