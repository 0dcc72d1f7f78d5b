//! Counting: the whole reachable state space, whatever it contains.

use beeline_kernel::{FaultKind, Stop};
use beeline_promela::hir::Model;
use beeline_search::{CompactStore, ExactStore, Exploration, Outcome, StateStore, Stats};

use crate::engine::Engine;
use crate::run::{Plan, Watch, drive};
use crate::stores::Store;

/// What a count found.
#[derive(Clone, Debug)]
pub struct CountReport {
    /// What kept the count from being complete.
    pub stopped: Option<Stop>,
    /// The model fails before its first step, so there is nothing to count.
    pub stillborn: Option<FaultKind>,
    /// The counts.
    pub stats: Stats,
    /// The most memory that was held.
    pub peak_bytes: u64,
    /// Who computed the successors.
    pub engine: Engine,
}

/// Counts the states of a model without errors.
pub fn count(model: &Model, plan: &Plan, watch: &mut Watch<'_>) -> CountReport {
    match plan.store {
        Store::Exact => count_in::<ExactStore>(model, plan, watch),
        Store::Compact => count_in::<CompactStore>(model, plan, watch),
    }
}

fn count_in<T: StateStore>(model: &Model, plan: &Plan, watch: &mut Watch<'_>) -> CountReport {
    let machine = plan.rules.machine(model, plan.automata());
    let (space, engine) = plan.engine.space(&machine);
    let mut exploration = match Exploration::<T>::with_store(&*space, plan.exploration()) {
        Ok(exploration) => exploration,
        Err(fault) => {
            let stats = Stats { errors: 1, ..Stats::default() };
            return CountReport {
                stopped: None,
                stillborn: Some(fault.kind),
                stats,
                peak_bytes: 0,
                engine,
            };
        }
    };
    let ending = drive(&mut exploration, watch, |_| false);
    let stopped = match ending.outcome {
        Outcome::Incomplete(stop) => Some(stop),
        Outcome::Complete | Outcome::Found => None,
    };
    let (stats, peak_bytes) = (exploration.stats(), ending.peak_bytes);
    CountReport { stopped, stillborn: None, stats, peak_bytes, engine }
}
